/**
 * Pictures of workflows as SVG. Layout is Graphviz's, compiled to WebAssembly: an optional peer, loaded on first use.
 * The result is one `<svg>` element, with no scripts, links or external references, to be written to a file or
 * put into a page.
 */
import { SwlError } from "@swl/base";
import type { Definition } from "@swl/definition/model";
import { type Drawing, draw, LAYOUT_FONT, type Overlay } from "./drawing.js";
import { dark, light, type Palette, paintEdge, paintNode } from "./palette.js";

export interface RenderOptions {
  /** One run, drawn over the workflow. */
  readonly overlay?: Overlay;
  /** `auto` (default) follows the reader's colour scheme. */
  readonly theme?: "light" | "dark" | "auto";
}

interface Layout {
  layout(dot: string, format: "svg", engine: "dot" | "nop"): string;
  /** Gives up the instance, so that the next load makes a new one. */
  unload(): void;
}

/** Nodes and routes together that are drawn at most: beyond them a picture is of no use, and of many megabytes. */
export const MAX_DRAWN = 10_000;

let loading: Promise<Layout> | undefined;

async function loadGraphviz(): Promise<Layout> {
  try {
    const { Graphviz } = await import("@hpcc-js/wasm-graphviz");
    const graphviz = await Graphviz.load();
    return {
      layout: (dot, format, engine) => graphviz.layout(dot, format, engine),
      unload: () => Graphviz.unload(),
    };
  } catch (cause) {
    throw new SwlError("render.unavailable", 'drawing needs the package "@hpcc-js/wasm-graphviz"', {
      hint: "npm install @hpcc-js/wasm-graphviz",
      cause,
    });
  }
}

function checkSize({ nodes }: Definition): void {
  let size = 0;
  for (const node of Object.values(nodes))
    size += 1 + ("routes" in node ? Object.keys(node.routes).length : 0);
  if (size <= MAX_DRAWN) return;
  const message = `the workflow has ${size} nodes and routes, more than the ${MAX_DRAWN} that are drawn at most`;
  throw new SwlError("render.unavailable", message, { details: { size, limit: MAX_DRAWN } });
}

/** Lays a drawing out. After a failure the engine cannot be trusted: the next call loads another. */
async function layOut({ dot, engine }: Drawing): Promise<string> {
  let mine: Promise<Layout>;
  let graphviz: Layout;
  do {
    loading ??= loadGraphviz();
    mine = loading;
    mine.catch(() => {
      if (loading === mine) loading = undefined;
    });
    graphviz = await mine;
    // Somebody else's drawing may have broken it in the meantime.
  } while (loading !== mine);
  try {
    return graphviz.layout(dot, "svg", engine);
  } catch (cause) {
    loading = undefined;
    graphviz.unload();
    throw new SwlError("render.unavailable", "the layout engine could not draw this workflow", { cause });
  }
}

/** Rules that repaint what Graphviz painted in the first palette. */
function repaint(drawing: Drawing, palette: Palette): string {
  const rules = [
    `.swl-graph > polygon { fill: ${palette.background}; }`,
    `.swl-graph > text { fill: ${palette.title}; }`,
    `.swl-start > ellipse, .swl-start > polygon { fill: ${palette.title}; stroke: ${palette.title}; }`,
    `.swl-start > path { stroke: ${palette.title}; }`,
  ];
  for (const [name, { kind, state }] of drawing.nodeClasses) {
    const { fill, line, text } = paintNode(palette, kind, state);
    rules.push(`.${name} > :not(text) { fill: ${fill}; stroke: ${line}; } .${name} text { fill: ${text}; }`);
    // The outer ring of a complete node is not filled.
    if (kind === "complete") rules.push(`.${name} > ellipse ~ ellipse { fill: none; }`);
  }
  for (const [name, { role, state }] of drawing.edgeClasses) {
    const { line, text } = paintEdge(palette, role, state);
    rules.push(
      `.${name} > path { stroke: ${line}; } .${name} > polygon { fill: ${line}; stroke: ${line}; } .${name} text { fill: ${text}; }`,
    );
  }
  return rules.join("\n");
}

/** Graphviz's SVG without prolog, document type and comments, with our class on the graph and the style sheet. */
function finish(svg: string, style: string): string {
  const body = svg.slice(svg.indexOf("<svg")).replace(/<!--[\s\S]*?-->\n?/g, "");
  const sheet = style === "" ? "" : `<style>\n${style}\n</style>\n`;
  return body
    .replaceAll(`font-family="${LAYOUT_FONT}"`, 'font-family="Arial,Helvetica,Liberation Sans,sans-serif"')
    .replace(/>/, ` role="img">\n${sheet}`)
    .replace(/<g id="graph0" class="graph"/, '<g id="graph0" class="graph swl-graph"');
}

/**
 * Draws a workflow, and over it one run when `overlay` is given. Whatever labels, names and messages hold appears as
 * text and never as markup. Throws `render.unavailable` when the layout engine is not installed.
 */
export async function renderSvg(definition: Definition, options: RenderOptions = {}): Promise<string> {
  checkSize(definition);
  const theme = options.theme ?? "auto";
  const drawing = draw(definition, theme === "dark" ? dark : light, options.overlay);
  const style = theme === "auto" ? `@media (prefers-color-scheme: dark) {\n${repaint(drawing, dark)}\n}` : "";
  return finish(await layOut(drawing), style);
}
