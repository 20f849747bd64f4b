/**
 * Reading one action contract: what an operation takes, yields and promises. Every default is written out, so that
 * two hosts that read the same contract never differ by a default of their own. Spec: DEF-contract,
 * DEF-retry.
 */
import { type Json, setOwn } from "@swl/base";
import type { Check } from "./check.js";
import { quote, type Spot } from "./findings.js";
import { anyText, maxOutcomes, outcomeRule, ranges, reservedOutcomes, versionRule } from "./grammar.js";
import type { ActionContract, Effect, JsonSchema, RetryPolicy } from "./model.js";
import { Members } from "./shape.js";

const members = [
  "version",
  "title",
  "description",
  "inputSchema",
  "parametersSchema",
  "outcomes",
  "effect",
  "retry",
  "onExhausted",
  "timeouts",
  "capabilities",
  "deferred",
  "cancellation",
  "limits",
  "sensitive",
];
export const effects: readonly Effect[] = ["pure", "read-only", "idempotent", "unsafe", "reconcilable"];
/** Effects that a host may repeat when it does not know what became of an attempt. */
const repeatable: ReadonlySet<Effect> = new Set(["pure", "read-only", "idempotent"]);

/** The contract, normalized; `undefined` when something in it is wrong (the findings say what). */
export function readContract(value: Json, spot: Spot, check: Check): ActionContract | undefined {
  const { findings } = check;
  const contract = Members.read(value, spot, findings, members);
  if (!contract) return undefined;
  const version = contract.text("version", versionRule);
  const title = contract.text("title", anyText);
  const description = contract.text("description", anyText);
  const inputSchema = check.schema(contract.get("inputSchema"), spot.to("inputSchema"));
  const parametersSchema = check.schema(contract.get("parametersSchema"), spot.to("parametersSchema"));
  const outcomes = readOutcomes(contract, check);
  const effect = contract.word("effect", effects, true);
  if (effect === "reconcilable")
    check.profile("reconciliation", `the effect "reconcilable"`, spot.to("effect"));
  const retry = readRetry(contract, effect ?? "unsafe", check);
  const onExhausted = readOnExhausted(contract, effect, check);
  const timeouts = readNumbers(
    contract,
    "timeouts",
    { attemptMs: ranges.timeoutMs, operationMs: ranges.timeoutMs },
    check,
  );
  const capabilities = [
    ...(contract.texts("capabilities", { ...anyText, test: (text) => text !== "" }) ?? []),
  ].sort();
  const deferred = contract.flag("deferred") ?? false;
  if (deferred) check.profile("deferred-actions", `"deferred": true`, spot.to("deferred"));
  const cancellation = contract.word("cancellation", ["none", "requestable"]) ?? "none";
  if (cancellation === "requestable") {
    check.profile("cancellation-acks", `"cancellation": "requestable"`, spot.to("cancellation"));
  }
  const limits = readNumbers(
    contract,
    "limits",
    { maxInputBytes: ranges.bytes, maxOutputBytes: ranges.bytes },
    check,
  );
  const sensitive = readSensitive(contract, outcomes ?? {}, check);
  if (!outcomes || !effect) return undefined;
  return {
    ...(version !== undefined && { version }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(inputSchema !== undefined && { inputSchema }),
    ...(parametersSchema !== undefined && { parametersSchema }),
    outcomes,
    effect,
    retry,
    ...(onExhausted && { onExhausted }),
    ...(timeouts && { timeouts }),
    capabilities,
    deferred,
    cancellation,
    ...(limits && { limits }),
    ...(sensitive && { sensitive }),
    ...contract.extensions(),
  };
}

type Outcomes = { [outcome: string]: { readonly outputSchema?: JsonSchema } };

function readOutcomes(contract: Members, check: Check): Outcomes | undefined {
  const value = contract.object("outcomes", true);
  if (value === undefined) return undefined;
  const spot = contract.spot.to("outcomes");
  const names = Object.keys(value);
  if (names.length === 0 || names.length > maxOutcomes) {
    const message = `an action declares 1 to ${maxOutcomes} outcomes, found ${names.length}`;
    check.findings.error("definition.value", message, spot);
    return undefined;
  }
  const outcomes: Outcomes = {};
  for (const name of names) {
    if (reservedOutcomes.includes(name)) {
      const message = `${quote(name)} is a reserved route, not an outcome that an action declares`;
      check.findings.error("definition.outcome-reserved", message, spot.to(name));
    } else if (!outcomeRule.test(name)) {
      const message = `${quote(name)} is not ${outcomeRule.expected}`;
      check.findings.error("definition.outcome-grammar", message, spot.to(name));
    }
    const outcome = Members.read(value[name]!, spot.to(name), check.findings, ["outputSchema"]);
    const outputSchema = check.schema(outcome?.get("outputSchema"), spot.to(name).to("outputSchema"));
    setOwn(outcomes, name, { ...(outputSchema !== undefined && { outputSchema }), ...outcome?.extensions() });
  }
  return outcomes;
}

function readRetry(contract: Members, effect: Effect, check: Check): RetryPolicy {
  const spot = contract.spot.to("retry");
  const value = contract.get("retry");
  const known = ["maxAttempts", "initialDelayMs", "backoff", "maxDelayMs", "jitter"];
  const retry = value === undefined ? undefined : Members.read(value, spot, check.findings, known);
  return {
    maxAttempts: retry?.integer("maxAttempts", ranges.maxAttempts) ?? (repeatable.has(effect) ? 5 : 1),
    initialDelayMs: retry?.integer("initialDelayMs", ranges.delayMs) ?? 1_000,
    backoff: retry?.word("backoff", ["fixed", "exponential"]) ?? "exponential",
    maxDelayMs: retry?.integer("maxDelayMs", ranges.delayMs) ?? 60_000,
    jitter: retry?.word("jitter", ["none", "full"]) ?? "none",
    ...retry?.extensions(),
  };
}

function readOnExhausted(
  contract: Members,
  effect: Effect | undefined,
  check: Check,
): "park" | "fail" | undefined {
  const said = contract.word("onExhausted", ["park", "fail"]);
  if (effect === "idempotent") return said ?? "park";
  if (effect !== undefined && contract.has("onExhausted")) {
    const message = `"onExhausted" belongs to the effect "idempotent" only, not to ${quote(effect)}`;
    check.findings.error("definition.value", message, contract.spot.to("onExhausted"));
  }
  return undefined;
}

function readNumbers<K extends string>(
  contract: Members,
  key: string,
  known: { readonly [name in K]: { readonly min: number; readonly max: number } },
  check: Check,
): { readonly [name in K]?: number } | undefined {
  const value = contract.get(key);
  if (value === undefined) return undefined;
  const names = Object.keys(known) as K[];
  const inner = Members.read(value, contract.spot.to(key), check.findings, names);
  const numbers: { [name in K]?: number } = {};
  for (const name of names) {
    const number = inner?.integer(name, known[name]);
    if (number !== undefined) numbers[name] = number;
  }
  return { ...numbers, ...inner?.extensions() };
}

function readSensitive(contract: Members, outcomes: Outcomes, check: Check): ActionContract["sensitive"] {
  const value = contract.get("sensitive");
  if (value === undefined) return undefined;
  const spot = contract.spot.to("sensitive");
  const sensitive = Members.read(value, spot, check.findings, ["input", "outputs"]);
  const input = sensitive?.get("input");
  const byOutcome = sensitive?.object("outputs");
  const outputs = byOutcome && readMarks(byOutcome, Object.keys(outcomes), spot.to("outputs"), check);
  return {
    ...(input !== undefined && { input: check.pointers(input, spot.to("input")) }),
    ...(outputs && { outputs }),
    ...sensitive?.extensions(),
  };
}

/** Outcome → JSON Pointers, for outcomes that exist. */
export function readMarks(
  value: { readonly [outcome: string]: Json },
  outcomes: readonly string[],
  spot: Spot,
  check: Check,
): { readonly [outcome: string]: readonly string[] } {
  const known = new Set(outcomes);
  const marks: { [outcome: string]: readonly string[] } = {};
  for (const name of Object.keys(value)) {
    if (!known.has(name)) {
      const hint = check.findings.suggest(name, outcomes);
      check.findings.error(
        "definition.value",
        `there is no outcome ${quote(name)} here`,
        spot.to(name),
        hint,
      );
    }
    setOwn(marks, name, check.pointers(value[name]!, spot.to(name)));
  }
  return marks;
}
