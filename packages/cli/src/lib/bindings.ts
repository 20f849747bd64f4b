/**
 * What stands behind `--bindings`: a module whose default export is a provider, a list of providers, or a function that
 * makes one; or a JSON document that names providers and their settings. Whatever goes wrong while a module loads is
 * `binding.invalid`, with the module's own sentence.
 */
import { readFileSync, statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isSwlError, raise, SwlError } from "@swl/base";
import {
  type BindingSet,
  type LogEntry,
  type Provider,
  readBindings,
  remoteKind,
} from "@swl/invocation-control";
import { checkFileName } from "./arguments.js";
import { saidBy } from "./failure.js";
import { codeOf, isMissing, reasonOf } from "./reason.js";
import type { Session } from "./session.js";

/** Every file in turn. `log` gets what the providers of documents log. */
export async function loadBindings(
  session: Session,
  paths: readonly string[],
  log: (entry: LogEntry) => void,
): Promise<readonly BindingSet[]> {
  const sets: BindingSet[] = [];
  for (const path of paths) {
    const file = resolve(session.io.cwd, path);
    checkFile(file, path);
    const isDocument = extname(file) === ".json";
    sets.push(...(isDocument ? await readDocument(session, file, path, log) : await loadModule(file, path)));
  }
  return sets;
}

async function readDocument(
  { io }: Session,
  file: string,
  path: string,
  log: (entry: LogEntry) => void,
): Promise<readonly BindingSet[]> {
  // Loaded where they are asked for: most commands need no provider.
  const { childProcessKind } = await import("@swl/invocation-control/child-process");
  const { httpKind } = await import("@swl/invocation-control/http");
  const kinds = [childProcessKind, httpKind, remoteKind];
  const read = readBindings(textOf(file, path), { file: path, kinds, environment: io.env, log });
  if (read.ok) return read.value;
  raise(read.findings[0]?.code ?? "binding.invalid", "the bindings cannot be used", read.findings);
}

function textOf(file: string, path: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    const message = `the bindings ${path} cannot be read: ${reasonOf(cause)}`;
    throw new SwlError("source.unreadable", message, { cause });
  }
}

async function loadModule(file: string, path: string): Promise<readonly BindingSet[]> {
  const providers = providersOf((await evaluated(file, path)).exported);
  if (providers === undefined) {
    throw invalid(path, "the module's default export is not a provider", {
      hint: "export default inProcess({ … }) from @swl/invocation-control/in-process, or a function returning it",
    });
  }
  return providers.map((provider) => ({ provider }));
}

/** Whether a set serves an action. What a provider throws where it may not is found before a run begins. */
export function serves({ provider, actions }: BindingSet, action: string): boolean {
  return actions === undefined ? hasAction(provider, action) : actions.includes(action);
}

/** What a provider throws where it may not: found before a run begins. `binding.invalid`. */
function hasAction(provider: Provider, action: string): boolean {
  try {
    return provider.has(action);
  } catch (cause) {
    const message = `a provider threw when it was asked for action ${action}: ${saidBy(cause)}`;
    throw new SwlError("binding.invalid", message, { cause });
  }
}

function checkFile(file: string, path: string): void {
  checkFileName("--bindings", path);
  try {
    if (statSync(file).isFile()) return;
  } catch (cause) {
    const code = isMissing(cause) ? "source.not-found" : "source.unreadable";
    const what = isMissing(cause) ? "is not there" : `cannot be read: ${reasonOf(cause)}`;
    throw new SwlError(code, `the bindings module ${path} ${what}`, { cause });
  }
  throw new SwlError("source.unreadable", `the bindings module ${path} is not a file`, {
    hint: "name the module's file itself: a folder has no default export",
  });
}

const typed = new Set([".ts", ".mts", ".cts"]);

/** In an object of ours: what a module exports may throw already when a promise takes it for another promise. */
async function evaluated(file: string, path: string): Promise<{ readonly exported: unknown }> {
  try {
    const { default: exported } = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    return { exported: typeof exported === "function" ? await (exported as () => unknown)() : exported };
  } catch (cause) {
    if (isOurs(cause)) throw cause;
    if (codeOf(cause) !== "ERR_UNKNOWN_FILE_EXTENSION")
      throw invalid(path, `the module could not be loaded: ${saidBy(cause)}`, { cause });
    const hint = typed.has(extname(file))
      ? "Node runs TypeScript unasked from 22.18 on; before that, give it JavaScript"
      : "bindings are a JavaScript module (.js, .mjs) with a provider as default export";
    throw invalid(path, "the module could not be loaded: Node does not take it for JavaScript", {
      cause,
      hint,
    });
  }
}

function isOurs(thrown: unknown): boolean {
  try {
    return isSwlError(thrown);
  } catch {
    return false;
  }
}

/** Undefined when what is exported is none, or throws when it is looked at. */
function providersOf(exported: unknown): readonly Provider[] | undefined {
  try {
    const providers: readonly unknown[] = Array.isArray(exported) ? [...exported] : [exported];
    return providers.length > 0 && providers.every(isProvider) ? providers : undefined;
  } catch {
    return undefined;
  }
}

function isProvider(value: unknown): value is Provider {
  if (typeof value !== "object" || value === null) return false;
  const { id, has, invoke } = value as Partial<Provider>;
  return typeof id === "string" && typeof has === "function" && typeof invoke === "function";
}

function invalid(
  path: string,
  message: string,
  options: { readonly hint?: string; readonly cause?: unknown },
) {
  return new SwlError("binding.invalid", message, { place: { file: path, line: 1, column: 1 }, ...options });
}
