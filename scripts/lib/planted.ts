/**
 * Violations planted in texts in memory: each must be caught, or the boundaries check proves nothing. Next to each
 * stands innocent code that looks like it.
 */
import { inspect, type Subject } from "./arrow-check.ts";
import type { Manifest } from "./workspace.ts";

export interface Planted {
  readonly name: string;
  readonly caught: boolean;
}

const skeleton: Manifest = { name: "@swl/planted", dependencies: { "@swl/base": "workspace:^" } };
const use = 'import { own } from "@swl/base";\n';

function subject(folder: string, text: string, manifest: Manifest = skeleton): Subject {
  return { folder, manifest, src: [{ file: "src/planted.ts", text: use + text }], tools: [] };
}

function withDependency(...names: readonly string[]): Manifest {
  const dependencies = Object.fromEntries(names.map((name) => [name, "workspace:^"]));
  return { ...skeleton, dependencies: { ...skeleton.dependencies, ...dependencies } };
}

/** What is planted, where, and the word that a complaint about it must contain. */
const planted: readonly (readonly [string, Subject, string])[] = [
  [
    "a node: module in a pure room",
    subject("packages/definition", 'import { x } from "node:fs";'),
    "node:fs",
  ],
  ["a node: module by import()", subject("packages/definition", 'const fs = import("node:fs");'), "node:fs"],
  ["a node: module in a template", subject("packages/definition", "`${import('node:fs')}`;"), "node:fs"],
  ["a built-in without prefix", subject("packages/durable-state", 'export * from "fs";'), "write node:fs"],
  ["a clock", subject("packages/definition", "const now = Date.now();"), "Date"],
  ["a clock after a regular expression", subject("packages/definition", "a(/[/'\"]/, new Date());"), "Date"],
  ["a timer", subject("packages/definition", "setTimeout(() => {}, 1);"), "setTimeout"],
  ["a random value", subject("packages/definition", "const n = Math.random();"), "Math.random"],
  ["a random value by key", subject("packages/definition", 'const n = Math["random"]();'), "Math["],
  ["crypto", subject("packages/definition", "const id = crypto.randomUUID();"), "crypto"],
  ["waiting", subject("packages/definition", "const f = async () => { await g(); };"), "await"],
  ["a promise", subject("packages/definition", "const p = new Promise(() => {});"), "Promise"],
  ["eval", subject("packages/definition", 'eval("1");'), "eval"],
  ["new Function", subject("packages/definition", 'new Function("return 1")();'), "Function"],
  ["a constructor that makes code", subject("packages/definition", 'f.constructor("x")();'), ".constructor"],
  [
    "an arrow that goes the wrong way",
    subject("packages/definition", 'import { x } from "@swl/execution";', withDependency("@swl/execution")),
    "no arrow",
  ],
  [
    "a sub-entry that is not open to the room",
    subject("packages/execution", 'export { x } from "@swl/definition";', withDependency("@swl/definition")),
    "no arrow",
  ],
  [
    "a value from an entry for types only",
    subject(
      "packages/durable-state",
      'import { x } from "@swl/execution/model";',
      withDependency("@swl/execution"),
    ),
    "types only",
  ],
  [
    "a store under a part that is no leaf",
    subject("packages/durable-state", "", withDependency("@swl/store-memory")),
    "only leaves",
  ],
  ["an undeclared dependency", subject("packages/cli", 'import { x } from "commander";'), "not declared"],
  ["an unused dependency", subject("packages/definition", "", withDependency("zod")), "never used"],
  [
    "a registry package the room may not use",
    subject("packages/execution", 'import { z } from "zod";', withDependency("zod")),
    "registry packages",
  ],
  [
    "an import from outside src",
    subject("packages/definition", 'import "../../base/src/json.js";'),
    "outside",
  ],
  ["a folder without a room", subject("packages/nowhere", ""), "no room"],
  [
    "the kit under what the kit stands on",
    subject("packages/base", "", { ...skeleton, devDependencies: { "@swl/conformance": "workspace:^" } }),
    "the kit depends on",
  ],
];

/** Whether each planted violation is caught. */
export function plantedViolations(): readonly Planted[] {
  return planted.map(([name, planting, word]) => ({
    name,
    caught: inspect(planting).some((complaint) => complaint.includes(word)),
  }));
}

/** Looks like everything above and is none of it. */
export const innocent: Subject = subject(
  "packages/definition",
  `
  // Date.now(), Math.random(), import "node:fs", await, new Promise
  /* eval("1"); new Function("x"); setTimeout(f) */
  const prose = "Date.now() and import 'node:fs'";
  const shape = \`await \${own({}, "Date")} new Date() \`;
  const pattern = /Date|'|"|\\/|[/\`]/.test("x") ? 1 / 2 : 3 / 4;
  const keys = { process: 1, async: 2, Date: 3 };
  const read = keys.process / keys.async / keys.Date;
  export interface Clock { readonly performance?: string; crypto: number }
  `,
);
