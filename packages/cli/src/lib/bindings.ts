/**
 * The module behind `--bindings`: its default export is a provider, a list of providers, or a function that makes one.
 * Whatever goes wrong while it loads is `binding.invalid`, with the module's own sentence.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isSwlError, SwlError } from "@swl/base";
import type { Provider } from "@swl/invocation-control";
import type { Session } from "./session.js";

export async function loadBindings({ io }: Session, path: string): Promise<readonly Provider[]> {
  const file = resolve(io.cwd, path);
  if (!existsSync(file)) {
    throw new SwlError("source.not-found", "there is no such bindings module", {
      place: { file: path, line: 1, column: 1 },
    });
  }
  const exported = await evaluated(file, path);
  const providers = Array.isArray(exported) ? exported : [exported];
  if (providers.length === 0 || !providers.every(isProvider)) {
    throw new SwlError("binding.invalid", "the module's default export is not a provider", {
      place: { file: path, line: 1, column: 1 },
      hint: "export default inProcess({ … }) from @swl/invocation-control/in-process, or a function returning it",
    });
  }
  return providers;
}

async function evaluated(file: string, path: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    return typeof module.default === "function" ? await (module.default as () => unknown)() : module.default;
  } catch (cause) {
    if (isSwlError(cause)) throw cause;
    const why = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    const untyped = (cause as { readonly code?: unknown } | null)?.code === "ERR_UNKNOWN_FILE_EXTENSION";
    throw new SwlError("binding.invalid", `the module could not be loaded: ${why}`, {
      place: { file: path, line: 1, column: 1 },
      ...(untyped && { hint: "Node runs TypeScript unasked from 22.18 on; before that, give it JavaScript" }),
      cause,
    });
  }
}

function isProvider(value: unknown): value is Provider {
  if (typeof value !== "object" || value === null) return false;
  const { id, has, invoke } = value as Partial<Provider>;
  return typeof id === "string" && typeof has === "function" && typeof invoke === "function";
}
