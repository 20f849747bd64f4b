/**
 * The bindings document: deployment configuration that says which provider serves which action, with which settings.
 * Read strictly and whole before any run: everything that is wrong is found in one pass, with place and pointer. Its
 * JSON Schema is `@swl/invocation-control/bindings.schema.json`. Spec: INV-bindings-document, INV-bindings-strict.
 */
import {
  type Diagnostic,
  isJsonObject,
  type JsonDocument,
  nearest,
  type Outcome,
  quoted,
  readJson,
} from "@swl/base";
import type { BindingSet } from "../binding.js";
import type { LogEntry } from "../log-entry.js";
import type { Provider } from "../provider.js";
import type { ProviderKind } from "./kind.js";
import { type Environment, Secrets } from "./secrets.js";
import { Settings, type TextForm } from "./settings.js";

export interface ReadBindingsOptions {
  /** How findings name the source. */
  readonly file: string;
  /** The kinds of providers that may be named; a kind's name is the ID that its provider has in a run's pins. */
  readonly kinds: readonly ProviderKind[];
  /** Where `{"env": NAME}` is looked up. */
  readonly environment: Environment;
  /** Gets what providers log; default: nowhere. */
  readonly log?: (entry: LogEntry) => void;
}

interface Bound {
  readonly kind: ProviderKind;
  readonly settings: Settings;
  readonly version: string | undefined;
  readonly grants: readonly string[];
}

const anything: TextForm = { expected: "a text of 1 to 64 characters", pattern: /^.{1,64}$/su };
const maxBytes = 4 * 1024 * 1024;

/**
 * One binding set an action, or everything that is wrong: `json.…` where it is no JSON, `binding.invalid` with a hint
 * where a known name is near, `binding.secret-missing` for variables that are not set. Opens nothing.
 */
export function readBindings(
  source: string | Uint8Array,
  options: ReadBindingsOptions,
): Outcome<readonly BindingSet[]> {
  const read = readJson(source, { file: options.file, maxBytes });
  if (!read.ok) return read;
  const findings: Diagnostic[] = [];
  const secrets = new Secrets(options.environment);
  const bound = readDocument(read.value, options.kinds, findings, secrets);
  const sets = openAll(bound, options, secrets);
  if (findings.length === 0) return { ok: true, value: sets, findings };
  return { ok: false, findings: findings.map((finding) => placed(finding, read.value)) };
}

function readDocument(
  document: JsonDocument,
  kinds: readonly ProviderKind[],
  findings: Diagnostic[],
  secrets: Secrets,
): ReadonlyMap<string, Bound> {
  const whole = new Settings(document.value, "", findings, secrets);
  whole.value("$schema");
  const table = whole.section("bindings");
  whole.done();
  if (table === undefined) whole.fault("bindings is missing: an object from action to binding");
  const bound = new Map<string, Bound>();
  for (const action of table?.names() ?? []) {
    const settings = table?.section(action);
    if (settings === undefined || !isJsonObject(table?.value(action))) continue;
    const kind = kindOf(settings, kinds);
    const version = settings.text("version", anything);
    const grants = settings.texts("grants", anything) ?? [];
    if (kind !== undefined) bound.set(action, { kind, settings, version, grants });
  }
  return bound;
}

function kindOf(settings: Settings, kinds: readonly ProviderKind[]): ProviderKind | undefined {
  const names = kinds.map(({ name }) => name);
  const said = settings.value("provider");
  const found = kinds.find(({ name }) => name === said);
  if (found !== undefined) return found;
  const hint = typeof said === "string" ? nearest(said, names) : undefined;
  const message =
    said === undefined
      ? `provider is missing: one of ${names.join(", ")}`
      : `provider: expected one of ${names.join(", ")}, found ${typeof said === "string" ? quoted(said) : quoted(JSON.stringify(said))}`;
  const pointed = said === undefined ? undefined : "provider";
  return settings.fault(message, pointed, "binding.invalid", hint && `did you mean ${hint}?`);
}

/** One provider a kind: settings that are wrong are noted, and nothing is opened. */
function openAll(
  bound: ReadonlyMap<string, Bound>,
  { kinds, environment, log }: ReadBindingsOptions,
  secrets: Secrets,
): readonly BindingSet[] {
  const sets: BindingSet[] = [];
  for (const kind of kinds) {
    const own = [...bound].filter(([, one]) => one.kind === kind);
    if (own.length === 0) continue;
    const actions = new Map(own.map(([action, { settings }]) => [action, settings]));
    const context = { id: kind.name, environment, secrets, ...(log !== undefined && { log }) };
    const provider = kind.open(actions, context);
    if (provider === undefined) continue;
    for (const [action, one] of own) sets.push(setOf(provider, action, one));
  }
  return sets;
}

function setOf(provider: Provider, action: string, { version, grants }: Bound): BindingSet {
  return { provider, actions: [action], grants, ...(version !== undefined && { version }) };
}

function placed(finding: Diagnostic, document: JsonDocument): Diagnostic {
  const place = document.placeOf(finding.pointer);
  return place === undefined ? finding : { ...finding, place };
}
