/**
 * Random definitions of core, `buffered-signals` and `timers`: small graphs in which everything leads to everything,
 * with limits that are reached, mappings that lead nowhere, schemas that refuse. Every one is valid and normalized.
 */
import { type Json, type JsonObject, setOwn } from "@swl/base";
import { validate } from "@swl/definition";
import type { Random } from "./random.ts";
import { someName, someSchema, someText, someValue } from "./values.ts";

type Members = { [member: string]: Json };

const nodeNames = [
  "work",
  "check",
  "wait",
  "pause",
  "ask",
  "__proto__",
  "constructor",
  "x-ray",
  "_0",
] as const;
const actionNames = ["work", "charge", "toString", "__proto__"] as const;
const outcomes = ["ok", "rejected", "constructor", "again", "received"] as const;
const signals = ["approval", "note", "__proto__"] as const;
const durations = ["PT0S", "PT1S", "PT1.5S", "P1D", "P1DT2H", "PT5M30S", "P2W", "PT0.001S"] as const;
const instants = ["2023-11-14T22:13:20Z", "2023-11-14T22:13:20.5Z", "2024-02-29T12:00:00+01:00"] as const;

/** Tries until one is valid. Throws when none of many is: then the generator does not know the language any more. */
export function someDefinition(random: Random): JsonObject {
  let why = "";
  for (let turn = 0; turn < 200; turn++) {
    const checked = validate(new Draft(random).definition());
    if (checked.ok) return checked.value as unknown as JsonObject;
    why = checked.findings[0]?.message ?? "";
  }
  throw new TypeError(`no definition of 200 was valid; the last one: ${why}`);
}

class Draft {
  readonly #random: Random;
  readonly #nodes: Members = Object.create(null) as Members;
  readonly #actions: Members = Object.create(null) as Members;
  readonly #standing: readonly string[];
  readonly #timers: boolean;
  readonly #buffered: boolean;

  constructor(random: Random) {
    this.#random = random;
    this.#timers = random.oneIn(2);
    this.#buffered = random.oneIn(2);
    const shuffled = [...nodeNames];
    for (let at = shuffled.length - 1; at > 0; at--) {
      const other = random.int(at + 1);
      [shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!];
    }
    this.#standing = shuffled.slice(0, 1 + random.int(5));
  }

  definition(): Json {
    const random = this.#random;
    this.#actionSet();
    for (const [index, id] of this.#standing.entries()) this.#nodes[id] = this.#node(index);
    this.#nodes["done"] = { kind: "complete", output: this.#mapping(2, true) };
    if (JSON.stringify(this.#nodes).includes(':"stop"')) this.#nodes["stop"] = this.#failNode();
    const requires = [
      "core",
      ...(this.#timers ? ["timers"] : []),
      ...(this.#buffered ? ["buffered-signals"] : []),
    ];
    return {
      swl: "0.1",
      id: random.pick(["flow", "constructor", "x"]),
      requires,
      dialects: {
        schema: "https://json-schema.org/draft/2020-12/schema",
        numbers: "binary64",
        expressions: "minimal",
      },
      start: this.#standing[0]!,
      nodes: ownMembers(this.#nodes),
      actions: ownMembers(this.#actions),
      limits: this.#limits(),
      ...(random.oneIn(6) && { inputSchema: someSchema(random) }),
      ...(random.oneIn(6) && { outputSchema: someSchema(random) }),
      ...(random.oneIn(4) && {
        "x-note": someValue(random, 1),
        version: "v1",
        meta: { title: someText(random) },
      }),
    };
  }

  #limits(): Json {
    const random = this.#random;
    return {
      ...(random.oneIn(3) && { maxActivations: 2 + random.int(9) }),
      ...(random.oneIn(3) && { maxNodeVisits: 1 + random.int(6) }),
      maxInternalTransitions: random.oneIn(3) ? 1 + random.int(6) : 40,
      ...(this.#buffered && random.oneIn(2) && { maxBufferedSignals: 1 + random.int(6) }),
    };
  }

  #node(index: number): Json {
    const kind = this.#random.int(this.#timers ? 8 : 6);
    if (kind < 4) return this.#activity(index);
    return kind < 6 || !this.#timers ? this.#awaitSignal(index) : this.#awaitTimer(index);
  }

  /** The first route leads on, so that every node is reached and reaches the end; the others lead anywhere. */
  #routes(index: number, keys: readonly string[]): { readonly routes: Json; readonly loopLimits?: Json } {
    const random = this.#random;
    const routes: Members = {};
    const anywhere = () => random.pick(random.oneIn(4) ? ["done", "stop"] : this.#standing);
    for (const [at, key] of keys.entries()) {
      setOwn(routes, key, at === 0 ? (this.#standing[index + 1] ?? "done") : anywhere());
    }
    if (!random.oneIn(3)) return { routes };
    setOwn(routes, "exhausted", anywhere());
    const loopLimits: Members = {};
    for (const key of [random.pick(keys), random.pick(keys)]) setOwn(loopLimits, key, 1 + random.int(3));
    return { routes, loopLimits };
  }

  #activity(index: number): Json {
    const random = this.#random;
    const action = random.pick(Object.keys(this.#actions));
    const contract = this.#actions[action] as JsonObject;
    const declared = Object.keys(contract["outcomes"] as JsonObject);
    const keys = [...declared, ...(random.oneIn(4) ? [] : ["failed"])];
    // The length of a sentence is an implementation's own: where bytes are counted, no error is looked at.
    const counted = Object.hasOwn(contract, "limits");
    return {
      kind: "activity",
      action,
      input: counted ? { $get: ["input"] } : this.#mapping(2, true),
      parameters: random.oneIn(2) ? null : someValue(random, 2),
      ...this.#routes(index, keys),
    };
  }

  #awaitSignal(index: number): Json {
    const random = this.#random;
    const routed = random.some(outcomes);
    const keys = routed.length > 0 ? routed : ["received"];
    const payloads: Members = {};
    for (const key of random.some(keys)) setOwn(payloads, key, someSchema(random));
    const deadline = this.#timers && random.oneIn(2) && { ...this.#time(), outcome: random.pick(keys) };
    return {
      kind: "await-signal",
      signal: random.pick(signals),
      ...this.#routes(index, [...keys, ...(deadline ? this.#failing(deadline) : [])]),
      ...(Object.keys(payloads).length > 0 && { payloads }),
      ...(deadline && { deadline }),
    };
  }

  #awaitTimer(index: number): Json {
    const time = this.#time();
    return { kind: "await-timer", ...time, ...this.#routes(index, ["elapsed", ...this.#failing(time)]) };
  }

  /** A waiter whose time is computed may route that it has none. */
  #failing(time: { readonly [member: string]: Json }): readonly string[] {
    const { after = null, until = after } = time;
    return typeof until === "object" && this.#random.oneIn(2) ? ["failed"] : [];
  }

  #time(): { readonly after: Json } | { readonly until: Json } {
    const random = this.#random;
    if (random.oneIn(4)) return { until: random.oneIn(3) ? this.#mapping(1, true) : random.pick(instants) };
    return { after: random.oneIn(3) ? this.#mapping(1, true) : random.pick(durations) };
  }

  #failNode(): Json {
    const random = this.#random;
    const message = random.oneIn(2) ? someText(random) : this.#mapping(1, false);
    return {
      kind: "fail",
      error: {
        code: random.pick(["order.stopped", "a", "input.invalid"]),
        message,
        ...(random.oneIn(2) && { details: this.#mapping(1, true) }),
      },
    };
  }

  /** Never the sentence of an error alone: those are each implementation's own. */
  #mapping(depth: number, whole: boolean): Json {
    const random = this.#random;
    if (random.oneIn(2)) return { $get: ["input"] };
    switch (random.int(depth > 0 ? 8 : 5)) {
      case 0:
        return { $get: ["input", ...random.some([someName(random)], 4)] };
      case 1:
        return {
          $get: whole ? random.pick([["from"], ["from", "output"], ["nodes"], ["run"]]) : ["from", "node"],
        };
      case 2: {
        const node = random.pick(this.#standing);
        const rest = random.pick([
          ["outcome"],
          ["visit"],
          ["output", "code"],
          ["output", "details"],
          ["output"],
        ]);
        return { $get: ["nodes", node, ...(whole ? rest : ["outcome"])] };
      }
      case 3:
        return { $literal: someValue(random, 2) };
      case 4:
        return random.oneIn(4) ? { $get: ["input", random.int(3)] } : someText(random);
      case 5:
        return [this.#mapping(depth - 1, whole), this.#mapping(depth - 1, whole)];
      default: {
        const object: Members = {};
        for (let member = random.int(3); member >= 0; member--) {
          setOwn(object, someName(random).replaceAll("$", ""), this.#mapping(depth - 1, whole));
        }
        return object;
      }
    }
  }

  #actionSet(): void {
    const random = this.#random;
    for (const name of [random.pick(actionNames), random.pick(actionNames)])
      this.#actions[name] = this.#contract();
  }

  #contract(): Json {
    const random = this.#random;
    const declared: Members = {};
    const names = random.some(["ok", "rejected", "constructor", "again"]);
    for (const name of names.length > 0 ? names : ["ok"]) {
      setOwn(declared, name, random.oneIn(2) ? {} : { outputSchema: someSchema(random) });
    }
    const effect = random.pick(["pure", "read-only", "idempotent", "unsafe"]);
    const bytes = random.oneIn(6);
    return {
      outcomes: declared,
      effect,
      retry: {
        maxAttempts: 1 + random.int(3),
        initialDelayMs: random.pick([0, 1, 1_000, 31_535_999_999]),
        backoff: random.pick(["fixed", "exponential"]),
        maxDelayMs: random.pick([0, 1_500, 60_000, 31_536_000_000]),
        jitter: random.pick(["none", "full"]),
      },
      ...(effect === "idempotent" && random.oneIn(2) && { onExhausted: "fail" }),
      ...(random.oneIn(3) && { timeouts: { operationMs: random.pick([1, 60_000, 31_536_000_000]) } }),
      ...(random.oneIn(6) && { inputSchema: someSchema(random) }),
      ...(bytes && { limits: random.oneIn(2) ? { maxInputBytes: 30 } : { maxOutputBytes: 30 } }),
      ...(random.oneIn(5) && { version: "2", title: someText(random), "x-owner": "nobody" }),
    };
  }
}

/** An object of these members, whatever they are called. */
function ownMembers(members: Members): JsonObject {
  const object: Members = {};
  for (const name of Object.keys(members)) setOwn(object, name, members[name]!);
  return object;
}
