/**
 * Compiles one action contract, or says why it cannot run here: what needs a profile that the definition does not
 * require is refused by name. Spec: EXE-prepare.
 */
import { isJsonObject, type JsonObject, own, pointerTo } from "@swl/base";
import { contractDigest } from "@swl/definition/identity";
import type { ActionContract, Effect, RetryPolicy } from "@swl/definition/model";
import { forms, most } from "./bounds.js";
import { limited, schemaCheck } from "./checks.js";
import type { ActionRequirement } from "./model.js";
import { operationOf } from "./operation.js";
import type { Check, PreparedAction } from "./prepared.js";
import type { Reader } from "./structure.js";

const effects = ["pure", "read-only", "idempotent", "unsafe", "reconcilable"] as const;

export interface CompiledAction {
  readonly action: PreparedAction;
  readonly requirement: ActionRequirement;
  readonly parameters: Check;
}

export function prepareAction(
  reader: Reader,
  name: string,
  contract: JsonObject,
): CompiledAction | undefined {
  const at = pointerTo("/actions", name);
  const before = reader.findings.length;
  needsProfiles(reader, name, contract, at);
  const effect = reader.word(contract, "effect", at, effects);
  const retry = retryPolicy(reader, contract, at);
  const onExhausted = reader.word(contract, "onExhausted", at, ["park", "fail"], "park");
  const limits = optional(reader, contract, "limits", at);
  const timeouts = optional(reader, contract, "timeouts", at);
  const maxInputBytes = bound(reader, limits, "maxInputBytes", `${at}/limits`, most.bytes);
  const maxOutputBytes = bound(reader, limits, "maxOutputBytes", `${at}/limits`, most.bytes);
  const operationMs = bound(reader, timeouts, "operationMs", `${at}/timeouts`, most.time);
  const attemptMs = bound(reader, timeouts, "attemptMs", `${at}/timeouts`, most.time);
  const capabilities = reader.strings(contract, "capabilities", at);
  const outputs = outcomes(reader, contract, at, maxOutputBytes);
  const version = own(contract, "version");
  const deferred = reader.flag(contract, "deferred", at);
  const cancellation = reader.word(contract, "cancellation", at, ["none", "requestable"], "none");
  const inputSchema = reader.schema(own(contract, "inputSchema"), `${at}/inputSchema`);
  const parametersSchema = reader.schema(own(contract, "parametersSchema"), `${at}/parametersSchema`);
  if (effect === undefined || retry === undefined || onExhausted === undefined) return undefined;
  if (reader.findings.length > before) return undefined;
  const input = limited(schemaCheck(inputSchema), maxInputBytes);
  const requestable = cancellation === "requestable";
  const operation = operationOf({ deferred, requestable, reconcilable: effect === "reconcilable" });
  const action = { name, effect, retry, onExhausted, operationMs, requestable, operation, input, outputs };
  const digest = contractDigest(contract as unknown as ActionContract);
  const requirement = requirementOf(name, digest, effect, capabilities, version, {
    ...(attemptMs !== null && { attemptMs }),
    ...(deferred && { deferred: true }),
    ...(requestable && { cancelable: true }),
  });
  return { action, requirement, parameters: schemaCheck(parametersSchema) };
}

function requirementOf(
  action: string,
  contract: string,
  effect: Effect,
  capabilities: readonly string[],
  version: unknown,
  demands: Pick<ActionRequirement, "attemptMs" | "deferred" | "cancelable">,
): ActionRequirement {
  return {
    action,
    ...(typeof version === "string" && { version }),
    contract,
    effect,
    capabilities,
    ...demands,
  };
}

/** What a contract may only say where the definition requires the profile it belongs to. */
const constructs = [
  { member: "effect", value: "reconcilable", profile: "reconciliation" },
  { member: "deferred", value: true, profile: "deferred-actions" },
  { member: "cancellation", value: "requestable", profile: "cancellation-acks" },
] as const;

function needsProfiles(reader: Reader, name: string, contract: JsonObject, at: string): void {
  for (const { member, value, profile } of constructs) {
    if (own(contract, member) !== value) continue;
    reader.needs(profile, `action ${name}: ${member} ${JSON.stringify(value)}`, pointerTo(at, member));
  }
  if (own(contract, "sensitive") !== undefined) reader.marks(contract, at, "input", "outputs");
}

function retryPolicy(reader: Reader, contract: JsonObject, at: string): RetryPolicy | undefined {
  const policy = reader.member(contract, "retry", at);
  if (policy === undefined) return undefined;
  const place = `${at}/retry`;
  const maxAttempts = reader.integer(policy, "maxAttempts", place, 1, most.attempts);
  const initialDelayMs = reader.integer(policy, "initialDelayMs", place, 0, most.time);
  const backoff = reader.word(policy, "backoff", place, ["fixed", "exponential"]);
  const maxDelayMs = reader.integer(policy, "maxDelayMs", place, 0, most.time);
  const jitter = reader.word(policy, "jitter", place, ["none", "full"]);
  if (maxAttempts === undefined || initialDelayMs === undefined || maxDelayMs === undefined) return undefined;
  if (backoff === undefined || jitter === undefined) return undefined;
  return { maxAttempts, initialDelayMs, backoff, maxDelayMs, jitter };
}

function outcomes(
  reader: Reader,
  contract: JsonObject,
  at: string,
  maxBytes: number | null,
): ReadonlyMap<string, Check> {
  const declared = reader.entries(contract, "outcomes", at);
  if (declared.length === 0) reader.fault(`${at}/outcomes`, "expected at least one outcome");
  if (declared.length > most.outcomes) reader.fault(`${at}/outcomes`, `expected at most ${most.outcomes}`);
  const checks = new Map<string, Check>();
  for (const [outcome, interfaceOf] of declared) {
    const place = pointerTo(at, "outcomes", outcome);
    const named = forms.outcome.test(outcome) && outcome !== "failed" && outcome !== "exhausted";
    if (!named || !isJsonObject(interfaceOf)) {
      reader.fault(place, "expected an outcome of a contract");
      continue;
    }
    const schema = reader.schema(own(interfaceOf, "outputSchema"), `${place}/outputSchema`);
    checks.set(outcome, limited(schemaCheck(schema), maxBytes));
  }
  return checks;
}

function optional(reader: Reader, contract: JsonObject, key: string, at: string): JsonObject | undefined {
  return own(contract, key) === undefined ? undefined : reader.member(contract, key, at);
}

function bound(
  reader: Reader,
  object: JsonObject | undefined,
  key: string,
  at: string,
  greatest: number,
): number | null {
  if (object === undefined || own(object, key) === undefined) return null;
  return reader.integer(object, key, at, 1, greatest) ?? null;
}
