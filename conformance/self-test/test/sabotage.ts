/** Ways to break a host without touching it: one thing wrong in what the real one is given. */
import { through } from "@swl/conformance";
import type { HostOptions } from "@swl/durable-state";
import type { EventBody, ExecutionModel, Transition } from "@swl/execution";
import type { Item, Store } from "@swl/store-provider";
import { afterAll, expect } from "vitest";
import { sayCaught } from "./caught.js";
import type { Sabotage } from "./host-harness.js";

/** How many of so many broken ones were caught: said when the last of the file has run. */
export function tallied(how: string, of: number, what = "broken hosts") {
  let caught = 0;
  afterAll(() => {
    sayCaught(caught, of, `${what} ${how}`);
  });
  return {
    /** Something must have been found. */
    caught(problems: readonly string[]): void {
      if (problems.length > 0) caught++;
      expect(problems).not.toEqual([]);
    },
  };
}

type Around = Parameters<typeof through>[1];

export const store = (around: Around): Sabotage => ({ store: (real) => through(real, around) });

/** Every item of an append changed before it reaches the store. */
export function items(change: (item: Item) => Item): Sabotage {
  return {
    store: (real) =>
      through(real, (name, call, given) =>
        name === "append" ? real.append((given[0] as readonly Item[]).map(change)) : call(),
      ),
  };
}

export function model(change: (real: ExecutionModel) => Partial<ExecutionModel>): Sabotage {
  const broken = (real: ExecutionModel): ExecutionModel =>
    Object.assign(Object.create(real) as ExecutionModel, change(real));
  return { options: (options: HostOptions) => ({ ...options, models: options.models.map(broken) }) };
}

/** Steps that the real model makes, changed before the host sees them. */
export function steps(
  change: (step: Transition<unknown>, event: EventBody) => Transition<unknown>,
): Sabotage {
  return model((real) => ({
    transition: (prepared, state, event) => change(real.transition(prepared, state, event), event),
  }));
}

/** Commands of this kind never reach the host. */
export function without(kind: string): Sabotage {
  return steps((step) =>
    "error" in step ? step : { ...step, commands: step.commands.filter((command) => command.kind !== kind) },
  );
}

/** Says that an append was accepted and makes it a little later: what write-behind does. */
export function acknowledgesEarly(real: Store): Store {
  let positions = new Map<string, number>();
  return through(real, async (name, call, given) => {
    if (name !== "append") return call();
    const batch = given[0] as readonly Item[];
    setTimeout(() => void call().catch(() => undefined), 60);
    return batch.map((item) => {
      const expected = item.expect === "next" ? (positions.get(item.stream) ?? 0) : item.expect;
      const last = expected + item.records.length;
      positions = new Map(positions).set(item.stream, last);
      return { kind: "accepted", first: expected + 1, last, at: Date.now(), repeated: false };
    });
  });
}

/** Knows what each run pinned, and reads every one by the newest definition all the same. */
export const newestDefinition = model((real) => {
  let newest: unknown;
  return {
    prepare(definition, semantics) {
      const prepared = real.prepare(definition, semantics);
      if (prepared.ok && (semantics === undefined || newest === undefined)) newest = prepared.value;
      return prepared;
    },
    transition: (prepared, state, event) => real.transition(newest ?? prepared, state, event),
  };
});

let unique = 0;
export const freshCommit = (item: Item): Item => ({ ...item, commit: `${item.commit}.${++unique}` });
export const forgetful =
  (scope: (name: string) => boolean) =>
  (real: Store): Store =>
    through(real, (name, call, given) => {
      if (name === "receipt" && scope(given[0] as string)) return Promise.resolve(undefined);
      if (name !== "append") return call();
      const batch = (given[0] as readonly Item[]).map((item) => ({
        ...item,
        ...(item.receipts && {
          receipts: item.receipts.map((one) =>
            scope(one.scope) ? { ...one, request: `${one.request}.${++unique}` } : one,
          ),
        }),
      }));
      return real.append(batch);
    });

export function failsOnce(names: readonly string[]): Sabotage {
  const failed = new Set<string>();
  return store(async (name, call) => {
    if (!names.includes(name)) return call();
    if (failed.has(name)) return [];
    try {
      return await call();
    } catch (error) {
      failed.add(name);
      throw error;
    }
  });
}
