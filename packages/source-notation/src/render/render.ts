/**
 * Pictures of workflows as SVG. Layout is Graphviz's, compiled to WebAssembly: an optional peer, loaded on first use.
 * The result is one `<svg>` element, with no scripts, links or external references, to be written to a file or
 * put into a page.
 */
import { SwlError } from "@swl/base";
import type { Definition } from "@swl/definition/model";
import { type Drawing, draw } from "./drawing.js";
import { finish } from "./finish.js";
import type { Overlay } from "./overlay.js";
import { dark, light } from "./palette.js";
import { checkSize } from "./size.js";
import { darkSheet } from "./style-sheet.js";

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

/**
 * Draws a workflow, and over it one run when `overlay` is given. Whatever labels, names and messages hold appears as
 * text and never as markup. Throws `render.unavailable` when the layout engine is not installed.
 */
export async function renderSvg(definition: Definition, options: RenderOptions = {}): Promise<string> {
  checkSize(definition);
  const theme = options.theme ?? "auto";
  const palette = theme === "dark" ? dark : light;
  const drawing = draw(definition, palette, options.overlay);
  return finish(await layOut(drawing), drawing, palette, theme === "auto" ? darkSheet(drawing, dark) : "");
}
