/**
 * The command lines that move a run past a blocker, as they can be typed: only such as would be accepted. What has to
 * be filled in is written in capitals, so that a line pasted as it is does nothing.
 */
import { isJsonObject, isSwlError, type Json } from "@swl/base";
import { type Definition, validate } from "@swl/definition";
import type { Control, Explanation, HistoryEntry } from "@swl/durable-state";
import { type StoreOption, storeArgument } from "./store.js";
import { shellWord } from "./visible.js";

export type AnyBlocker = Explanation["blockers"][number];
type ModelBlocker = Exclude<AnyBlocker, { readonly kind: "host" }>;

/** What is known of a run beside its explanation. */
export interface Surroundings {
  /** The pinned one; undefined when it is not there or cannot be read. */
  readonly definition: Definition | undefined;
  /** Accepted events that no host has applied. */
  readonly unapplied: number;
  /** Records that are evidence. */
  readonly evidence: readonly HistoryEntry[];
}

export async function surroundingsOf(control: Control, explanation: Explanation): Promise<Surroundings> {
  const { run, blockers } = explanation;
  const kept = blockers.flatMap((blocker) => (blocker.kind === "host" ? [] : (blocker.evidence ?? [])));
  const positions = new Set(kept.map(({ position }) => position));
  return {
    definition: blockers.length === 0 ? undefined : await definitionOf(control, run),
    unapplied: (await control.status(run)).unapplied,
    evidence:
      positions.size === 0
        ? []
        : (await control.history(run)).filter(({ position }) => positions.has(position)),
  };
}

async function definitionOf(control: Control, run: string): Promise<Definition | undefined> {
  try {
    const outcome = validate(await control.definition(run));
    return outcome.ok ? outcome.value : undefined;
  } catch (error) {
    if (isSwlError(error) && error.code === "host.definition-missing") return undefined;
    throw error;
  }
}

export function blockerCommands(
  run: string,
  blocker: AnyBlocker,
  known: Surroundings,
  store: StoreOption,
): readonly string[] {
  const end = storeArgument(store);
  const word = shellWord(run);
  const verbs: readonly (readonly string[])[] = blocker.options.flatMap((option) =>
    blocker.kind === "host" ? hostCommands(option, word) : modelCommands(blocker, option, known, word),
  );
  const start = blocker.kind === "start" ? [["worker", "--bindings MODULE"]] : [];
  return [...start, ...verbs].map((words) => `swl ${words.join(" ")}${end}`);
}

function hostCommands(option: string, run: string): readonly (readonly string[])[] {
  if (["cancel", "release", "terminate"].includes(option)) return [[option, run]];
  return option === "start a worker on this store" ? [["worker", "--bindings MODULE"]] : [];
}

/** An operator verb of the model as a verb of `swl`. */
function modelCommands(
  blocker: ModelBlocker,
  option: string,
  known: Surroundings,
  run: string,
): readonly (readonly string[])[] {
  switch (option) {
    case "signal": {
      // What was accepted may be this very signal: sending it again helps nobody.
      if (known.unapplied > 0) return [];
      const { name, outcomes } = blocker.signal ?? { name: "", outcomes: [] };
      return outcomes.map((outcome) => [
        ...["signal", run, shellWord(name), "--outcome", shellWord(outcome)],
        ...payloadArgument(blocker, outcome, known),
      ]);
    }
    case "resolve retry":
      return [["resolve", run, "--decision retry"]];
    case "resolve complete":
      return [
        ["resolve", run, "--decision complete --outcome OUTCOME --output JSON"],
        ...adoption(blocker, "complete", known, run),
      ];
    case "resolve fail":
      return [
        ["resolve", run, "--decision fail --code CODE --message TEXT"],
        ...adoption(blocker, "fail", known, run),
      ];
    case "cancel":
    case "terminate":
      return [[option, run]];
    default:
      return [];
  }
}

function adoption(
  blocker: ModelBlocker,
  decision: "complete" | "fail",
  known: Surroundings,
  run: string,
): readonly (readonly string[])[] {
  const type = decision === "complete" ? "result" : "failure";
  return (blocker.evidence ?? [])
    .filter((kept) => kept.type === type && (decision === "fail" || keepsContract(blocker, kept, known)))
    .map(({ position }) => ["resolve", run, `--decision ${decision} --from-evidence ${position}`]);
}

/** A result that broke the contract, or names an outcome that it does not declare, is refused as a resolution too. */
function keepsContract(
  blocker: ModelBlocker,
  kept: { readonly position: number; readonly attempt?: number },
  { definition, evidence }: Surroundings,
): boolean {
  if (blocker.reason === "contract-violated" && kept.attempt === blocker.attempt) return false;
  const outcome = evidence.find(({ position }) => position === kept.position)?.event?.outcome;
  const contract = blocker.action === undefined ? undefined : definition?.actions[blocker.action];
  if (outcome === undefined || contract === undefined) return true;
  return Object.hasOwn(contract.outcomes, outcome);
}

function payloadArgument(
  blocker: ModelBlocker,
  outcome: string,
  { definition }: Surroundings,
): readonly string[] {
  const nodes = definition?.nodes ?? {};
  const { node: name = "" } = blocker;
  const node = Object.hasOwn(nodes, name) ? nodes[name] : undefined;
  if (node?.kind !== "await-signal" || !Object.hasOwn(node.payloads ?? {}, outcome)) return [];
  const schema = node.payloads?.[outcome] as Json;
  if (schema === true || (isJsonObject(schema) && schema["type"] === "null")) return [];
  return ["--payload", shellWord(template(schema))];
}

/** `{"by":STRING}`: the members that a schema requires, with what each has to be. */
function template(schema: Json): string {
  const required = isJsonObject(schema) && Array.isArray(schema["required"]) ? schema["required"] : [];
  const names = required.filter((name) => typeof name === "string");
  if (names.length === 0) return "JSON";
  const properties = isJsonObject(schema) && isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const members = names.map((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return `${JSON.stringify(name)}:${placeholder(property)}`;
  });
  return `{${members.join(",")}}`;
}

function placeholder(schema: Json | undefined): string {
  const type = isJsonObject(schema) ? schema["type"] : undefined;
  return typeof type === "string" ? type.toUpperCase() : "VALUE";
}
