import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Diagnostic, isCode, type Outcome } from "@swl/base";
import { expect } from "vitest";
import { type Compiled, compileSources, parseDot } from "../src/index.js";

export const projectRoot = fileURLToPath(new URL("../../../", import.meta.url));
export const ordersFolder = `${projectRoot}examples/orders`;

/** The folder of shared corpora, when there is one. */
export function corpus(name: string): string | undefined {
  const shared = process.env["SWL_SHARED"] ?? `${projectRoot}../shared`;
  const folder = `${shared}/corpora/${name}`;
  return existsSync(folder) ? folder : undefined;
}

/** Compiles files given by name; a lone text is the graph. */
export function compile(
  files: string | { readonly [name: string]: string },
  options: { readonly strict?: boolean } = {},
): Outcome<Compiled> {
  const named = typeof files === "string" ? { "workflow.dot": files } : files;
  return compileSources({ files: new Map(Object.entries(named)) }, options);
}

export function compiled(files: string | { readonly [name: string]: string }): Compiled {
  const outcome = compile(files);
  expect(outcome.findings.map(line)).toEqual([]);
  if (!outcome.ok) throw new TypeError("refused");
  return outcome.value;
}

/** A finding in one line, to compare with: `workflow.dot:3:5 dot.syntax message`. */
export function line({ place, code, message }: Diagnostic): string {
  return `${place?.file}:${place?.line}:${place?.column} ${code} ${message}`;
}

/** Where and what, without the words. */
export function codes(outcome: { readonly findings: readonly Diagnostic[] }): readonly string[] {
  return outcome.findings.map(({ place, code }) => `${place?.line}:${place?.column} ${code}`);
}

export function parse(source: string | Uint8Array) {
  return parseDot(source, { file: "workflow.dot" });
}

/** Every outcome keeps this, whatever was read: a value, or coded and placed errors. */
export function expectSound(outcome: Outcome<unknown>): void {
  const errors = outcome.findings.filter(({ severity }) => severity === "error");
  expect(outcome.ok).toBe(errors.length === 0);
  for (const finding of outcome.findings) {
    expect(isCode(finding.code), finding.code).toBe(true);
    expect(finding.message).toMatch(/^(?!.*expected {2}).+$/);
    expect(finding.place?.line).toBeGreaterThan(0);
    expect(finding.place?.column).toBeGreaterThan(0);
  }
}

/** All DOT files below a folder of the project. */
export function dotFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : dotFiles(path);
    return entry.isFile() && entry.name.endsWith(".dot") ? [path] : [];
  });
}
