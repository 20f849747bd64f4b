/**
 * Hosts and stores with one mistake each: the real ones with something wrong in between. The simulation must find every
 * one of them.
 */
import { through } from "@swl/conformance";
import type { ExecutionModel } from "@swl/execution/model";
import type { Answer, Item, Store, StreamState } from "@swl/store-provider";
import type { Sabotage } from "./fleet.ts";
import type { Life } from "./life.ts";

type Around = Parameters<typeof through>[1];

const around = (call: Around): Sabotage => ({ store: (real) => through(real, call) });

const appends = (
  append: (real: Store, items: readonly Item[], life: Life) => Promise<readonly Answer[]>,
): Sabotage => ({
  store: (real, life) =>
    through(real, (name, call, given) =>
      name === "append" ? append(real, given[0] as readonly Item[], life) : call(),
    ),
});

const isForeign = (items: readonly Item[]): boolean => items[0]?.expect === "next";

/** Says that it was taken, and has it carried out. */
function acknowledged(items: readonly Item[], life: Life): readonly Answer[] {
  return items.map(({ expect, records }) => {
    const before = expect === "next" ? 1 : expect;
    const last = before + records.length;
    return { kind: "accepted", first: before + 1, last, at: life.clock.now(), repeated: false };
  });
}

/** Refused items once more, changed. */
async function again(
  real: Store,
  items: readonly Item[],
  kind: string,
  change: (item: Item) => Promise<Item>,
): Promise<readonly Answer[]> {
  const answers = [...(await real.append(items))];
  for (const [index, answer] of answers.entries()) {
    if (answer.kind !== "refused" || answer.failure.kind !== kind) continue;
    const [second] = await real.append([await change(items[index]!)]);
    answers[index] = second!;
  }
  return answers;
}

const withoutOwner = async ({ owner: _nobody, ...item }: Item): Promise<Item> => item;

function renewsWithoutAsking(life: Life): Promise<unknown> {
  const now = life.clock.now();
  return Promise.resolve({ kind: "held", until: now + 2_000, now });
}

let unique = 0;

export const mistakes: { readonly [name: string]: () => Sabotage } = {
  "begins work before the commit has been taken": () =>
    appends(async (real, items, life) => {
      if (isForeign(items)) return real.append(items);
      void real.append(items).catch(() => undefined);
      return acknowledged(items, life);
    }),
  "applies what comes twice": () => ({
    store: (real) =>
      through(real, (name, call, given) => {
        if (name === "receipt") return Promise.resolve(undefined);
        if (name !== "append") return call();
        const items = (given[0] as readonly Item[]).map((item) => {
          unique += 1;
          const receipts = item.receipts?.map((one) => ({ ...one, request: `${one.request}.${unique}` }));
          return { ...item, ...(receipts && { commit: `${item.commit}.${unique}`, receipts }) };
        });
        return real.append(items);
      }),
  }),
  "commits over a takeover": () =>
    appends((real, items) =>
      again(real, items, "stale", async (item) => {
        const head = await real.head(item.stream);
        return { ...item, commit: `${item.commit}+`, expect: head?.position ?? 0 };
      }),
    ),
  "loses what was accepted and not applied yet": () =>
    around(async (name, call) => {
      const answer = (await call()) as StreamState | undefined;
      if (name !== "load" || answer === undefined || answer.tail[0]?.applies !== true) return answer;
      return { ...answer, tail: answer.tail.slice(0, 1) };
    }),
  "applies what waits backwards": () =>
    around(async (name, call) => {
      const answer = (await call()) as StreamState | undefined;
      if (name !== "load" || answer === undefined || answer.tail[0]?.applies !== true) return answer;
      return { ...answer, tail: [answer.tail[0], ...answer.tail.slice(1).reverse()] };
    }),
  "sends again under a new name after a lost answer": () => ({
    store: (real) => {
      const doubtful = new Set<string>();
      return through(real, async (name, call, given) => {
        if (name !== "append") return call();
        const items = given[0] as readonly Item[];
        try {
          return await real.append(
            items.map((item) =>
              doubtful.has(item.commit) ? { ...item, commit: `${item.commit}.${++unique}` } : item,
            ),
          );
        } catch (error) {
          for (const { commit } of items) doubtful.add(commit);
          throw error;
        }
      });
    },
  }),
  "has work born claimed under a lease that has run out": () => ({
    store: (real, life) =>
      through(real, (name, call, given) => {
        if (name === "renewHolder") return renewsWithoutAsking(life);
        return name === "append"
          ? again(real, given[0] as readonly Item[], "lease-lost", withoutOwner)
          : call();
      }),
  }),
  "never looks again after a look that failed": () => ({
    store: (real) => {
      const failed = new Set<string>();
      const looks = ["unapplied", "orphaned", "abandoned", "due", "queues"];
      return through(real, async (name, call) => {
        if (!looks.includes(name)) return call();
        if (failed.has(name)) return [];
        try {
          return await call();
        } catch (error) {
          failed.add(name);
          throw error;
        }
      });
    },
  }),
  "repeats unsafe work of a host that is gone": () => ({
    options: (options) => ({ ...options, models: options.models.map(takesUnknownForFailed) }),
  }),
  "never asks what a claim had given whose answer was lost": () =>
    around((name, call) => (name === "held" ? Promise.resolve([]) : call())),
  "has a timer due a little before its instant": () =>
    appends((real, items) => real.append(items.map(dueEarly))),
  "acknowledges a request without keeping it": () =>
    appends(async (real, items, life) => (isForeign(items) ? acknowledged(items, life) : real.append(items))),
  "finds only what it is told of": () =>
    around((name, call) => (name === "unapplied" ? Promise.resolve([]) : call())),
  "leaves to nobody what a dead host began": () =>
    around((name, call) => (name === "orphaned" ? Promise.resolve([]) : call())),
};

function dueEarly({ dues, ...item }: Item): Item {
  return dues === undefined
    ? item
    : { ...item, dues: dues.map(({ key, at }) => ({ key, at: at === null ? null : at - 200 })) };
}

function takesUnknownForFailed(real: ExecutionModel): ExecutionModel {
  const transition: ExecutionModel["transition"] = (prepared, state, event) => {
    if (event.type !== "unknown") return real.transition(prepared, state, event);
    const { id, position, at, invocation, attempt } = event;
    const error = { code: "lost", message: "The host is gone.", details: null };
    const failed = {
      type: "failure",
      id,
      position,
      at,
      invocation,
      attempt,
      retryable: true,
      error,
    } as const;
    return real.transition(prepared, state, failed);
  };
  return Object.assign(Object.create(real) as ExecutionModel, { transition });
}
