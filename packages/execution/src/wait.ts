/**
 * Standing at a waiter: until when, under which key, and leaving it. The instant is computed once, on entering, from
 * run time and the definition's times; what cannot be computed is an operational failure of the activation. Nothing
 * here knows what time it is: the host fires a deadline. Spec: EXE-await-deadline, EXE-timer, EXE-duration.
 */
import type { Json } from "@swl/base";
import { parseDuration, parseInstant } from "@swl/definition/durations";
import { evaluateMapping } from "@swl/definition/mappings";
import { DraftContext } from "./context.js";
import type { Draft } from "./draft.js";
import { mappingError } from "./failure.js";
import type { Position, Wait } from "./head.js";
import type { ErrorData } from "./model.js";
import type { PreparedTime, PreparedWaiter } from "./prepared.js";

type Deadline = NonNullable<Wait["deadline"]>;

/** Stands at a waiter from now on; its deadline is armed. Gives the error when the deadline cannot be computed. */
export function stand(draft: Draft, node: PreparedWaiter): ErrorData | undefined {
  const { head } = draft;
  const [signal, outcomes] = node.kind === "await-signal" ? [node.signal, node.outcomes] : [null, none];
  const timed = node.kind === "await-timer" ? { time: node.time, outcome: "elapsed" } : node.deadline;
  let deadline: Deadline | null = null;
  if (timed !== null) {
    const at = instantOf(draft, timed.time, node.id);
    if (typeof at !== "number") return at;
    const kind = node.kind === "await-timer" ? "timer" : "await";
    deadline = { kind, generation: 1, at, outcome: timed.outcome };
    const key = waitKey(kind, head.position as Position);
    draft.commands.push({ kind: "set-deadline", deadline: kind, key, generation: 1, at });
  }
  head.status = "waiting";
  head.wait = { signal, outcomes, deadline };
  return undefined;
}

const none: readonly string[] = [];

/** Milliseconds since the epoch, or why there is no such instant. */
function instantOf(draft: Draft, { kind, mapping }: PreparedTime, node: string): number | ErrorData {
  const said = evaluateMapping(mapping, new DraftContext(draft));
  if (!said.ok) return mappingError(said, node);
  const text: Json = said.value;
  const parse = kind === "after" ? parseDuration : parseInstant;
  const parsed = typeof text === "string" ? parse(text) : undefined;
  if (parsed?.ok) return kind === "after" ? draft.head.time + parsed.value : parsed.value;
  const [code, what] =
    kind === "after" ? (["time.duration", "duration"] as const) : (["time.instant", "instant"] as const);
  // Not the value: it is data of the run, and errors are shown to whoever looks.
  const found = typeof text === "string" ? "a text" : "a value";
  return { code, message: `${kind} of node ${node} yields ${found} that is no ${what}`, details: { node } };
}

/** The run waits no more; a deadline that is still armed is taken back. */
export function clearWait(draft: Draft): void {
  const { head } = draft;
  if (head.wait === null) return;
  const { deadline } = head.wait;
  if (deadline !== null) {
    draft.commands.push({ kind: "clear-deadline", key: waitKey(deadline.kind, head.position as Position) });
  }
  head.wait = null;
}

/** The due key of a waiter's deadline: one an activation. */
export function waitKey(kind: Deadline["kind"], { node, visit }: Position): string {
  return `${kind}:${node}#${visit}`;
}
