/**
 * What stands behind `--bindings`: a module whose default export is a provider, a list of providers, or a function that
 * makes one; or a JSON document that names providers and their settings. Whatever goes wrong while a module loads is
 * `binding.invalid`, with the module's own sentence.
 */
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
import { saidBy } from "./failure.js";
import { kindAt, readNamedFile } from "./named-file.js";
import { codeOf } from "./reason.js";
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
    const isDocument = extname(file).toLowerCase() === ".json";
    sets.push(
      ...(isDocument ? await readDocument(session, path, log) : await loadModule(session, file, path)),
    );
  }
  return sets;
}

const named = {
  option: "--bindings",
  hint: "bindings are a JavaScript module with a provider as default export, or a JSON document",
};

async function readDocument(
  session: Session,
  path: string,
  log: (entry: LogEntry) => void,
): Promise<readonly BindingSet[]> {
  const bytes = await readNamedFile(session, path, named);
  // Loaded where they are asked for: most commands need no provider.
  const { childProcessKind } = await import("@swl/invocation-control/child-process");
  const { httpKind } = await import("@swl/invocation-control/http");
  const kinds = [childProcessKind, httpKind, remoteKind];
  const read = readBindings(bytes, { file: path, kinds, environment: session.io.env, log });
  if (read.ok) return read.value;
  raise(read.findings[0]?.code ?? "binding.invalid", "the bindings cannot be used", read.findings);
}

async function loadModule(session: Session, file: string, path: string): Promise<readonly BindingSet[]> {
  // Node loads it, and says less of what it cannot read. Of a pipe it could read nothing any more.
  if (kindAt(file) === "other") {
    throw new SwlError("source.unreadable", `--bindings: ${path} is not a file`, { hint: named.hint });
  }
  await readNamedFile(session, path, named);
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

/** What a set is known to serve, as far as its provider lists that. */
export function namesOf({ provider, actions }: BindingSet): readonly string[] {
  return (
    actions ??
    (Array.isArray(provider.names) ? provider.names.filter((name) => typeof name === "string") : [])
  );
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
