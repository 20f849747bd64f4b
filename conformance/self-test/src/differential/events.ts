/**
 * Random sequences of accepted events for a definition: mostly what the run waits for, so that it gets somewhere, and
 * among it everything that arrives at the wrong time: duplicates, older attempts, other generations, runs and names,
 * stamps that fall. A model is asked where the run stands; the sequence does not depend on it otherwise.
 */
import type { Json, JsonObject } from "@swl/base";
import type { AcceptedEvent, Blocker, ExecutionModel, Outstanding } from "@swl/execution/model";
import { preparedOf } from "./engines.ts";
import type { Random } from "./random.ts";
import { likelyValue, someText, someValue } from "./values.ts";

type Body = { readonly [member: string]: Json };

const run = "r1";
const epoch = 1_700_000_000_000;

/** Throws when the model refuses the definition. */
export function someEvents(
  random: Random,
  model: ExecutionModel,
  definition: JsonObject,
  length: number,
): readonly AcceptedEvent[] {
  const prepared = preparedOf(model, definition);
  if (!prepared.ok) throw new TypeError(`refused: ${prepared.findings[0]?.message}`);
  const scene = new Scene(random, definition);
  const events: AcceptedEvent[] = [];
  let state: unknown;
  // A closed run takes nothing more: a few words too late say all there is to say.
  for (let index = 0, late = 0; index < length && late < 4; index++, late += scene.closed ? 1 : 0) {
    const event = scene.next(events);
    events.push(event);
    const step = model.transition(prepared.value, state, event);
    if ("error" in step) continue;
    state = step.state;
    const disposition = model.disposition(state);
    scene.standsAt(disposition.kind === "closed" ? undefined : disposition.blockers[0]);
    scene.closed = disposition.kind === "closed";
    scene.outstanding = model.outstanding(state);
  }
  return events;
}

class Scene {
  blocker: Blocker | undefined;
  /** The invocation that was open last: what is said of it once more comes too late. */
  #last: Blocker | undefined;
  outstanding: readonly Outstanding[] = [];
  closed = false;
  readonly #random: Random;
  readonly #definition: JsonObject;
  readonly #nodes: readonly string[];
  /** Signals that some node waits for. */
  readonly #signals: readonly string[];
  #position = 0;
  #at = epoch;

  constructor(random: Random, definition: JsonObject) {
    this.#random = random;
    this.#definition = definition;
    const nodes = definition["nodes"] as JsonObject;
    this.#nodes = Object.keys(nodes);
    const signals = this.#nodes.map((id) => (nodes[id] as JsonObject)["signal"]);
    this.#signals = [...signals.filter((name) => typeof name === "string"), "nobody"];
  }

  standsAt(blocker: Blocker | undefined): void {
    this.blocker = blocker;
    if (blocker?.invocation !== undefined) this.#last = blocker;
  }

  next(before: readonly AcceptedEvent[]): AcceptedEvent {
    const random = this.#random;
    const again = before.length > 0 && random.oneIn(12) ? random.pick(before) : undefined;
    // The same event delivered again, or its content accepted a second time.
    if (again !== undefined && random.oneIn(2)) return again;
    const {
      id: _,
      position: __,
      at: ___,
      ...content
    } = (again ?? this.#body()) as { [member: string]: Json };
    this.#position += random.oneIn(15) ? 1 + random.int(5) : 1;
    const position = random.oneIn(40) ? random.int(this.#position + 1) : this.#position;
    this.#at += random.pick([0, 1, 250, 1_000, 86_400_000]);
    const at = random.oneIn(15) ? this.#at - random.int(10_000) : this.#at;
    return { id: `e${before.length + 1}`, position, at, ...content } as unknown as AcceptedEvent;
  }

  #body(): Body {
    const random = this.#random;
    if (this.blocker === undefined && !this.closed) return random.oneIn(5) ? this.#anything() : this.#start();
    if (this.blocker === undefined || random.oneIn(7)) return this.#anything();
    // While it waits for something else: what the work before it has to say.
    if (this.blocker.invocation === undefined && random.oneIn(6)) return this.#settlement(this.#last);
    switch (this.blocker.kind) {
      case "start":
        return this.#start();
      case "signal":
        return random.oneIn(4) && this.outstanding.length > 0 ? this.#deadline() : this.#signal(this.blocker);
      case "timer":
        return this.#deadline();
      case "invocation":
        if (this.blocker.reason === "canceling" && random.oneIn(4)) return this.#deadline();
        // Early, where signals are kept.
        return this.#signals.length > 1 && random.oneIn(4)
          ? this.#signal(undefined)
          : this.#settlement(this.blocker);
      default:
        return random.oneIn(3) ? this.#settlement(this.blocker) : this.#resolve(this.blocker);
    }
  }

  #anything(): Body {
    const random = this.#random;
    switch (random.int(9)) {
      case 0:
        return random.oneIn(3) ? this.#start() : this.#signal(this.blocker);
      case 1:
      case 2:
        return this.#settlement(this.#last);
      case 3:
        return this.#signal(undefined);
      case 4:
        return this.#deadline();
      case 5:
        return { type: "cancel", requestId: "c", ...(random.oneIn(2) && { reason: someText(random) }) };
      case 6:
        return { type: "cancel-acknowledged", invocation: this.#invocation(this.#last) };
      case 7:
        return this.#resolve(this.blocker);
      default:
        return random.oneIn(3)
          ? { type: "update", requestId: "u", name: "approval", payload: null }
          : this.#signal(this.blocker);
    }
  }

  #start(): Body {
    const random = this.#random;
    const id = random.oneIn(30) ? random.pick(["", "a b", "ü", "x".repeat(55), "\u007f"]) : run;
    const schema = this.#definition["inputSchema"];
    return { type: "start", run: id, input: likelyValue(random, schema) };
  }

  /** The invocation that the run waits for, or another one, or none at all. */
  #invocation(blocker: Blocker | undefined): string {
    const random = this.#random;
    if (blocker?.invocation !== undefined && !random.oneIn(10)) return blocker.invocation;
    const node = random.pick(this.#nodes);
    const visit = random.pick(["1", "1", "2", "3", "01", "0", "9999999999", ""]);
    return random.oneIn(12)
      ? random.pick(["", "r1", "r1/", `r2/${node}#1`, `${node}#1`])
      : `${run}/${node}#${visit}`;
  }

  #attempt(blocker: Blocker | undefined): number {
    const random = this.#random;
    const latest = blocker?.attempt ?? 1 + random.int(2);
    if (random.oneIn(8)) return latest - 1;
    return random.oneIn(25) ? random.pick([latest + 1, 0, -1, 1.5, 9_007_199_254_740_991]) : latest;
  }

  #settlement(blocker: Blocker | undefined): Body {
    const random = this.#random;
    const of = { invocation: this.#invocation(blocker), attempt: this.#attempt(blocker) };
    switch (random.int(10)) {
      case 0:
      case 1:
        return { type: "failure", ...of, error: this.#error(), retryable: !random.oneIn(3) };
      case 2:
      case 3: {
        const reason = random.pick(["crash", "lease-lost", "attempt-timeout", "ack-lost"]);
        return { type: "unknown", ...of, reason, ...(random.oneIn(2) && { message: someText(random) }) };
      }
      case 4:
        return random.oneIn(2) ? { type: "accepted", ...of, handle: "op-1" } : this.#deadline();
      case 5:
        if (random.oneIn(2)) return this.#unexpected(of, blocker);
        return random.oneIn(2)
          ? { type: "withdrawn", ...of }
          : { type: "cancel", requestId: "c", reason: someText(random) };
      default:
        return { type: "result", ...of, ...this.#outcome(blocker) };
    }
  }

  /** Words of operations that no contract here declares: anybody may say them. */
  #unexpected(of: Body, blocker: Blocker | undefined): Body {
    const random = this.#random;
    const error = this.#error();
    if (random.oneIn(2)) {
      const handle = random.oneIn(2) && { handle: "op-1" };
      const result = random.oneIn(2) ? this.#outcome(blocker) : { error, retryable: random.oneIn(2) };
      return { type: "completion", invocation: of["invocation"]!, messageId: "m", ...handle, result };
    }
    const status = random.pick(["running", "completed", "failed", "not-found", "unknown"]);
    const completed = status === "completed" && { result: this.#outcome(blocker) };
    return {
      type: "inspected",
      ...of,
      status,
      ...completed,
      ...(status === "failed" && { result: { error } }),
    };
  }

  #outcome(blocker: Blocker | undefined): { readonly outcome: string; readonly output: Json } {
    const random = this.#random;
    const declared = this.#outcomesOf(blocker);
    const names = Object.keys(declared);
    const strange = names.length === 0 || random.oneIn(12);
    const outcome = strange
      ? random.pick(["odd", "", "failed", "__proto__", "toString"])
      : random.pick(names);
    const contract = Object.hasOwn(declared, outcome) ? (declared[outcome] as JsonObject) : {};
    return { outcome, output: likelyValue(random, contract["outputSchema"]) };
  }

  #outcomesOf(blocker: Blocker | undefined): JsonObject {
    const actions = this.#definition["actions"] as JsonObject;
    const { action } = blocker ?? {};
    if (action === undefined || !Object.hasOwn(actions, action)) return {};
    return (actions[action] as JsonObject)["outcomes"] as JsonObject;
  }

  #error(): Json {
    const random = this.#random;
    return {
      code: random.pick(["card.declined", "a", "input.invalid", "0"]),
      message: someText(random),
      details: random.oneIn(20) ? "x".repeat(1_998 + random.int(3)) : someValue(random, 2),
    };
  }

  #signal(blocker: Blocker | undefined): Body {
    const random = this.#random;
    const { name, outcomes } = blocker?.signal ?? {
      name: random.pick(this.#signals),
      outcomes: ["ok", "received"],
    };
    const said = random.oneIn(8) ? random.pick(["odd", "failed", "exhausted"]) : random.pick(outcomes);
    const waiting = random.oneIn(5) ? random.pick(this.#signals) : name;
    return {
      type: "signal",
      messageId: `m${random.int(5)}`,
      name: waiting,
      ...(!random.oneIn(3) && { outcome: said }),
      payload: this.#payload(blocker, said),
    };
  }

  #payload(blocker: Blocker | undefined, outcome: string): Json {
    const nodes = this.#definition["nodes"] as JsonObject;
    const node = blocker?.node === undefined ? {} : (nodes[blocker.node] as JsonObject);
    const payloads = (Object.hasOwn(node, "payloads") ? node["payloads"] : {}) as JsonObject;
    return likelyValue(this.#random, Object.hasOwn(payloads, outcome) ? payloads[outcome] : undefined);
  }

  #deadline(): Body {
    const random = this.#random;
    const armed = this.outstanding.find((one) => one.kind === "deadline");
    const of = armed ?? {
      deadline: "operation",
      key: `operation:${random.pick(this.#nodes)}#1`,
      generation: 1,
    };
    return {
      type: "deadline",
      kind: random.oneIn(6) ? random.pick(["operation", "await", "timer"]) : of.deadline,
      key: random.oneIn(12) ? "operation:nowhere#1" : of.key,
      generation: random.oneIn(10) ? of.generation + random.pick([1, -1]) : of.generation,
      ...(random.oneIn(2) && { unclaimed: !random.oneIn(4) }),
    };
  }

  #resolve(blocker: Blocker | undefined): Body {
    const random = this.#random;
    const decision = random.pick(["complete", "fail", "retry", "reattach"]);
    const listed = blocker?.evidence?.map((one) => one.position) ?? [];
    const evidence =
      listed.length > 0 && !random.oneIn(4) ? random.pick(listed) : random.int(this.#position + 2);
    return {
      type: "resolve",
      requestId: "q",
      invocation: this.#invocation(blocker),
      decision,
      ...(random.oneIn(2) && this.#outcome(blocker)),
      ...(random.oneIn(3) && { error: this.#error() }),
      ...(random.oneIn(listed.length > 0 ? 2 : 6) && { fromEvidence: evidence }),
      ...(random.oneIn(4) && { by: "someone" }),
    };
  }
}
