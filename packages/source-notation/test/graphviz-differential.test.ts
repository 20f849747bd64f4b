import { Graphviz } from "@hpcc-js/wasm-graphviz";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type DotDocument, parseDot } from "../src/index.js";
import { damagedDotText, dotText } from "./dot-text.js";

const numRuns = process.env["SWL_FULL"] ? 10_000 : 500;

/** What both readers must agree on, edges as a sorted list because Graphviz gives them in an order of its own. */
interface Drawn {
  readonly name: string;
  readonly top: Attributes;
  readonly nodes: { readonly [id: string]: Attributes };
  readonly edges: readonly string[];
}

type Attributes = { readonly [name: string]: string };

const compared = ["on", "kind", "x_a", "x_b", "ns:a", "ünï"];
const comparedOnTop = ["x_top", "ns:top"];

/** An attribute that is not given and one that is given empty are the same to Graphviz. */
function picked(from: { readonly [name: string]: unknown }, names: readonly string[]): Attributes {
  const said = names.map((name) => [name, from[name]] as const);
  return Object.fromEntries(said.filter((entry): entry is [string, string] => Boolean(entry[1])));
}

function edgeText(from: string, to: string, attributes: Attributes): string {
  return JSON.stringify([from, to, Object.entries(attributes).sort()]);
}

function drawnByUs({ name, statements }: DotDocument): Drawn {
  const nodes = new Map<string, { [name: string]: string }>();
  const edges: string[] = [];
  const top: { [name: string]: string } = {};
  for (const statement of statements) {
    if (statement.type === "assignment") top[statement.name.text] = statement.value.text;
    if (statement.type !== "node" && statement.type !== "edge") continue;
    const said = statement.attributes.map(({ name, value }) => [name.text, value.text] as const);
    const ids = statement.type === "edge" ? statement.ids : [statement.id];
    for (const { text } of ids) if (!nodes.has(text)) nodes.set(text, {});
    if (statement.type === "node") {
      for (const [key, text] of said) nodes.get(statement.id.text)![key] = text;
      continue;
    }
    const attributes = picked(Object.fromEntries(said), compared);
    for (let index = 1; index < ids.length; index++) {
      edges.push(edgeText(ids[index - 1]!.text, ids[index]!.text, attributes));
    }
  }
  const all = [...nodes].map(([id, said]) => [id, picked(said, compared)] as const);
  return {
    name: name.text,
    top: picked(top, comparedOnTop),
    nodes: Object.fromEntries(all),
    edges: edges.sort(),
  };
}

/** The text of a name in the form that Graphviz writes: quoted where it must be, long ones over several lines. */
function canonicalText(token: string): string {
  if (!token.startsWith('"')) return token;
  return token
    .slice(1, -1)
    .replace(/\\([\s\S])/g, (pair, next: string) => (next === '"' ? next : next === "\n" ? "" : pair));
}

/** Reads what Graphviz writes after reading: `name [key=value, …];` and `a -> b [key=value, …];`, one after the other. */
function drawnByGraphviz(canonical: string): Drawn {
  const tokens: readonly string[] =
    canonical.match(/"(?:[^"\\]|\\[\s\S])*"|->|[{}[\]=,;]|[^ \t\r\n"{}[\]=,;]+/g) ?? [];
  let at = tokens.indexOf("{") + 1;
  const nodes = new Map<string, Attributes>();
  const edges: string[] = [];
  let top: Attributes = {};
  while (tokens[at] !== "}") {
    const ids: string[] = [];
    const keyword = /^(graph|node|edge)$/.test(tokens[at]!) ? tokens[at] : undefined;
    for (; tokens[at] !== "[" && tokens[at] !== ";"; at++) {
      if (tokens[at] !== "->") ids.push(canonicalText(tokens[at]!));
    }
    const said: { [name: string]: string } = {};
    for (; tokens[at] !== ";"; at++) {
      if (tokens[at] === "=") said[canonicalText(tokens[at - 1]!)] = canonicalText(tokens[at + 1]!);
    }
    at += 1;
    const [first = "", ...others] = ids;
    if (keyword === "graph") top = picked(said, comparedOnTop);
    else if (keyword !== undefined) continue;
    else if (others.length === 0) nodes.set(first, picked(said, compared));
    else edges.push(edgeText(first, others[0]!, picked(said, compared)));
    for (const id of keyword === undefined ? ids : []) if (!nodes.has(id)) nodes.set(id, {});
  }
  return {
    name: canonicalText(tokens[1]!),
    top,
    nodes: Object.fromEntries(nodes),
    edges: edges.sort(),
  };
}

describe("what parseDot accepts, Graphviz accepts with the same nodes and edges [DOT-lexical] [DOT-strings]", () => {
  let graphviz: Graphviz;
  beforeAll(async () => {
    graphviz = await Graphviz.load();
  });

  /** True when the text was accepted, and so compared. */
  function agrees(text: string): boolean {
    const outcome = parseDot(text, { file: "workflow.dot" });
    if (!outcome.ok) return false;
    // Graphviz on Windows never sees the carriage returns, and a byte order mark it takes for a part of the keyword.
    const canonical = graphviz.unflatten(text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n"));
    expect(drawnByUs(outcome.value)).toEqual(drawnByGraphviz(canonical));
    return true;
  }

  it("over random sources in every spelling of the profile", () => {
    let accepted = 0;
    fc.assert(
      fc.property(dotText, (text) => {
        if (agrees(text)) accepted += 1;
      }),
      { numRuns },
    );
    expect(accepted).toBeGreaterThan(numRuns / 2);
  });

  it("over random sources with something out of place", () => {
    let accepted = 0;
    fc.assert(
      fc.property(damagedDotText, (text) => {
        if (agrees(text)) accepted += 1;
      }),
      { numRuns },
    );
    expect(accepted).toBeGreaterThan(numRuns / 50);
  });
});
