/**
 * A strict reader of the Mermaid text that we write, and of nothing more: one statement a line, labels quoted, in them
 * letters, digits, spaces, `_`, `-`, line breaks and numeric references. What it accepts, Mermaid reads as the same
 * nodes and edges: names are of characters that cannot begin an arrow, and no label can end its string.
 */

const LABEL = String.raw`"((?:[\p{L}\p{N}\p{M} _-]|#\d{1,7};|<br\/>)+)"`;
const ID = "n_[A-Za-z0-9_.]+";
const OPEN = String.raw`\(\[|\[\[|\[\/|\{\{|\(|\{`;
const CLOSE = String.raw`\]\)|\]\]|\/\]|\}\}|\)|\}`;
const NODE = new RegExp(`^  (${ID})(${OPEN})${LABEL}(${CLOSE}):::([a-z-]+)$`, "u");
const EDGE = new RegExp(
  `^  (start\\(\\(start\\)\\)|${ID}) (-->|==>|-\\.->)(?:\\|${LABEL}\\|)? (${ID})$`,
  "u",
);
const CLASS =
  /^ {2}classDef ([a-z-]+) fill:#[0-9a-f]{6},stroke:#[0-9a-f]{6},color:#[0-9a-f]{6}(?:,stroke-width:3px)?$/;
const STYLE =
  /^ {2}linkStyle (\d+(?:,\d+)*) stroke:#[0-9a-f]{6}(?:,stroke-dasharray:\d \d)?(?:,stroke-width:4px)?$/;
const PAIRS: Readonly<Record<string, string>> = {
  "(": ")",
  "{{": "}}",
  "[/": "/]",
  "{": "}",
  "([": "])",
  "[[": "]]",
};

export interface MermaidNode {
  readonly name: string;
  readonly open: string;
  readonly lines: readonly string[];
  readonly className: string;
}

export interface MermaidEdge {
  readonly from: string;
  readonly arrow: string;
  readonly text: string;
  readonly to: string;
  readonly style: string | undefined;
}

function decode(label: string): string {
  return label.replace(/#(\d+);/g, (_whole, code: string) => String.fromCodePoint(Number(code)));
}

/** Throws a `SyntaxError` for a line that is none of ours, and for names that nothing declares. */
export function readMermaid(text: string): {
  readonly nodes: readonly MermaidNode[];
  readonly edges: readonly MermaidEdge[];
} {
  const [head, ...lines] = text.trimEnd().split("\n");
  if (head !== "flowchart TB") throw new SyntaxError(`no flowchart: ${head}`);
  const nodes: MermaidNode[] = [];
  const edges: Omit<MermaidEdge, "style">[] = [];
  const classes = new Set<string>();
  const styles = new Map<number, string>();
  for (const line of lines) {
    const node = NODE.exec(line);
    const edge = EDGE.exec(line);
    const style = STYLE.exec(line);
    if (node !== null) {
      const [, name = "", open = "", label = "", close, className = ""] = node;
      if (PAIRS[open] !== close) throw new SyntaxError(`not closed: ${line}`);
      nodes.push({ name, open, lines: label.split("<br/>").map(decode), className });
    } else if (edge !== null) {
      const [, from = "", arrow = "", label = "", to = ""] = edge;
      edges.push({ from, arrow, text: decode(label), to });
    } else if (style !== null) {
      for (const index of (style[1] ?? "").split(","))
        styles.set(Number(index), line.replace(/^ *\S+ \S+ /, ""));
    } else {
      const name = CLASS.exec(line)?.[1];
      if (name === undefined) throw new SyntaxError(`no statement: ${line}`);
      classes.add(name);
    }
  }
  const names = new Set(nodes.map(({ name }) => name));
  if (names.size < nodes.length) throw new SyntaxError("two nodes have one name");
  const lost = [
    ...edges
      .flatMap(({ from, to }) => (from.startsWith("start") ? [to] : [from, to]))
      .filter((to) => !names.has(to)),
    ...nodes.map(({ className }) => className).filter((name) => !classes.has(name)),
    ...[...styles.keys()].filter((index) => index >= edges.length),
  ];
  if (lost.length > 0) throw new SyntaxError(`nothing declares ${lost.join(", ")}`);
  return { nodes, edges: edges.map((edge, index) => ({ ...edge, style: styles.get(index) })) };
}
