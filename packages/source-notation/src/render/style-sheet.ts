/** The style sheet by which one picture follows its reader's colour scheme: it repaints what the layout painted. */
import type { Drawing } from "./drawing.js";
import { type Palette, paintEdge, paintNode } from "./palette.js";

/** Set on pictures that have the sheet, so that it leaves other pictures on the same page alone. */
export const AUTO = "swl-auto";

function rulesOf({ nodeClasses, edgeClasses }: Drawing, palette: Palette): readonly string[] {
  const { background, title } = palette;
  const rules = [
    `.swl-graph > polygon { fill: ${background}; }`,
    `.swl-graph > text { fill: ${title}; }`,
    `.swl-start > ellipse, .swl-start > polygon { fill: ${title}; stroke: ${title}; }`,
    `.swl-start > path { stroke: ${title}; }`,
    `.swl-label text { stroke: ${background}; }`,
  ];
  for (const [name, { kind, state }] of nodeClasses) {
    const { fill, line, text } = paintNode(palette, kind, state);
    rules.push(
      `.${name} > :not(text) { fill: ${fill}; stroke: ${line}; }`,
      `.${name} text { fill: ${text}; }`,
    );
    // The outer ring of a complete node is not filled.
    if (kind === "complete") rules.push(`.${name} > ellipse ~ ellipse { fill: none; }`);
  }
  for (const [name, { role, state }] of edgeClasses) {
    const { line, text } = paintEdge(palette, role, state);
    rules.push(
      `.${name} > path { stroke: ${line}; }`,
      `.${name} > polygon { fill: ${line}; stroke: ${line}; }`,
      `.${name} text { fill: ${text}; }`,
    );
  }
  return rules;
}

export function darkSheet(drawing: Drawing, dark: Palette): string {
  const rules = rulesOf(drawing, dark).map((rule) => `.${AUTO} ${rule.replaceAll(", .", `, .${AUTO} .`)}`);
  return `@media (prefers-color-scheme: dark) {\n${rules.join("\n")}\n}`;
}
