/**
 * Readers of DOT under one signature. Ours is `parseDot` as users call it: the whole tree with places. The readers in
 * JavaScript give a tree too. Graphviz in WebAssembly gives no tree at all but text: `acyclic` reads the graph, looks
 * for cycles and writes it again, the least that this build can be asked to do; `nop` lays out and writes besides.
 */
import { parseDot } from "@swl/source-notation";

export type ReadDot = (text: string) => unknown;

export const readerNames = [
  "@swl/source-notation parseDot",
  "dotparser",
  "@ts-graphviz/ast parse",
  "Graphviz-WASM acyclic",
  "Graphviz-WASM nop",
] as const;

export type ReaderName = (typeof readerNames)[number];

const unlimited = Number.MAX_SAFE_INTEGER;

function ours(text: string): unknown {
  const outcome = parseDot(text, { file: "generated.dot", maxBytes: unlimited });
  if (!outcome.ok) throw new Error(`refused: ${outcome.findings[0]?.message}`);
  return outcome.value;
}

export async function dotReader(name: ReaderName): Promise<ReadDot> {
  if (name === "@swl/source-notation parseDot") return ours;
  if (name === "dotparser") return (await import("dotparser")).default;
  if (name === "@ts-graphviz/ast parse") {
    const { parse } = await import("@ts-graphviz/ast");
    return (text) => parse(text, { maxASTNodes: unlimited, maxInputSize: unlimited });
  }
  const { Graphviz } = await import("@hpcc-js/wasm-graphviz");
  const graphviz = await Graphviz.load();
  return name === "Graphviz-WASM nop" ? (text) => graphviz.nop(text) : (text) => graphviz.acyclic(text);
}
