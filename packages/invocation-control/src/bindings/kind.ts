/**
 * A kind of provider as a bindings document names it: it reads the settings of its actions and makes one provider of
 * them. Ours and a stranger's are the same. Spec: INV-bindings-document.
 */
import { type Diagnostic, isJsonObject, type Json, raise, toJson } from "@swl/base";
import type { LogEntry } from "../log-entry.js";
import type { Provider } from "../provider.js";
import { type Environment, Secrets } from "./secrets.js";
import { Settings } from "./settings.js";

export type ActionSettings = ReadonlyMap<string, Settings>;

export interface KindContext {
  /** Of the provider to make; pinned with the run. */
  readonly id: string;
  readonly environment: Environment;
  readonly secrets: Secrets;
  readonly log?: (entry: LogEntry) => void;
}

export interface ProviderKind {
  /** The word under `provider`. */
  readonly name: string;
  /** Reads all settings, notes what is wrong with them, and opens nothing yet; undefined where something is. */
  open(actions: ActionSettings, context: KindContext): Provider | undefined;
}

export interface KindOptions {
  readonly id?: string;
  readonly environment: Environment;
  readonly log?: (entry: LogEntry) => void;
}

/** One provider from bindings in TypeScript. Throws the first code found, with every finding. */
export function openKind(kind: ProviderKind, bindings: unknown, options: KindOptions): Provider {
  const json = toJson(bindings);
  if (!json.ok) raise("binding.invalid", "the bindings cannot be read", json.findings);
  const findings: Diagnostic[] = [];
  const secrets = new Secrets(options.environment);
  const actions = new Map<string, Settings>();
  const table: Json = json.value;
  for (const [action, value] of Object.entries(isJsonObject(table) ? table : {})) {
    actions.set(action, new Settings(value, `/${action}`, findings, secrets));
  }
  const { id = kind.name, environment, log } = options;
  const provider = kind.open(actions, { id, environment, secrets, ...(log !== undefined && { log }) });
  const [first] = findings;
  if (provider === undefined || first !== undefined) {
    raise(first?.code ?? "binding.invalid", "the bindings cannot be used", findings);
  }
  return provider;
}
