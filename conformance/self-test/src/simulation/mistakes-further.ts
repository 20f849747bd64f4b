/**
 * Mistakes in what operators, keepers of stores and workers rely on, one each. The simulation must find every one of them.
 */
import { through } from "@swl/conformance";
import type { Answer, Item, PruneOptions, Store, Work } from "@swl/store-provider";
import type { Sabotage } from "./fleet.ts";
import type { Life } from "./life.ts";

type Around = Parameters<typeof through>[1];

const around = (call: Around): Sabotage => ({ store: (real) => through(real, call) });

/** Only of the servers that hand work to workers. */
const ofServers = (call: (real: Store) => Around): Sabotage => ({
  store: (real, life) => (life.name.startsWith("server") ? through(real, call(real)) : real),
});

const append = (change: (items: readonly Item[], real: Store, life: Life) => Promise<readonly Answer[]>) => ({
  store: (real: Store, life: Life) =>
    through(real, (name, call, given) =>
      name === "append" ? change(given[0] as readonly Item[], real, life) : call(),
    ),
});

export const furtherMistakes: { readonly [name: string]: () => Sabotage } = {
  "goes on with what was set aside": () => ({
    store: (real) =>
      through(real, async (name, call, given) => {
        if (name === "append") return lifting(real, given[0] as readonly Item[]);
        const answer = await call();
        return name === "load" && answer !== undefined ? { ...answer, hold: undefined } : answer;
      }),
  }),
  "sets nothing aside": () =>
    append(async (items, real, life) => {
      const kept = items.filter(({ hold }) => hold === undefined);
      const answers = kept.length === 0 ? [] : await real.append(kept);
      return items.map((item) => answers[kept.indexOf(item)] ?? accepted(item, life));
    }),
  "forgets what was said while a run was set aside": () =>
    around((name, call) => (name === "notes" ? Promise.resolve([]) : call())),
  "removes what has only just ended": () =>
    around((name, call, given) => {
      const [options] = given as [PruneOptions];
      if (name === "prune") given[0] = { ...options, closedBefore: options.closedBefore + 300 };
      return call();
    }),
  "removes nothing": () =>
    around((name, call) =>
      name === "prune" ? Promise.resolve({ streams: 0, records: 0, blobs: 0, more: false }) : call(),
    ),
  "redrives from the beginning": () =>
    append((items, real) => real.append(items.map((item) => (isRedrive(item) ? anew(item) : item)))),
  "redrives once more for every answer that was lost": () => ({
    store: (real) => {
      let count = 0;
      return through(real, (name, call, given) => {
        if (name === "receipt" && !`${String(given[0])}`.startsWith("work:"))
          return Promise.resolve(undefined);
        if (name !== "append") return call();
        const items = given[0] as readonly Item[];
        return real.append(items.map((item) => (isRedrive(item) ? unnamed(item, ++count) : item)));
      });
    },
  }),
  "hands one attempt to two workers": () => {
    const handed: Work[] = [];
    return ofServers((real) => async (name, call) => {
      const works = (await call()) as readonly Work[];
      if (name !== "claim") return works;
      handed.push(...works);
      const other = handed.at(-1);
      if (works.length > 0 || other === undefined) return works;
      return (await real.load(other.stream))?.work.some(({ id }) => id === other.id) ? [other] : [];
    });
  },
  "says that it renews a claim, and does not": () =>
    ofServers(() => (name, call, given) => (name === "renewWork" ? Promise.resolve(given[1]) : call())),
  "acknowledges a settlement without keeping it": () => ({
    store: (real, life) =>
      life.name.startsWith("server")
        ? through(real, (name, call, given) =>
            name === "append"
              ? Promise.resolve((given[0] as readonly Item[]).map((item) => accepted(item, life)))
              : call(),
          )
        : real,
  }),
  "lists only the newest runs": () =>
    around(async (name, call) => {
      const answer = await call();
      if (name !== "list") return answer;
      const { next: _, ...page } = answer as { readonly next?: string };
      return page;
    }),
  "releases without asking whether anything is set aside": () =>
    append((items, real) =>
      real.append(
        items.map(({ lift, ...item }) =>
          item.records[0]?.kind === "released" ? item : { ...item, ...(lift && { lift }) },
        ),
      ),
    ),
};

async function lifting(real: Store, items: readonly Item[]): Promise<readonly Answer[]> {
  const answers = [...(await real.append(items))];
  for (const [index, answer] of answers.entries()) {
    const item = items[index]!;
    if (answer.kind !== "refused" || answer.failure.kind !== "held" || item.hold !== undefined) continue;
    const [second] = await real.append([{ ...item, commit: `${item.commit}+`, lift: "quarantine" }]);
    answers[index] = second!;
  }
  return answers;
}

function accepted({ expect, records }: Item, life: Life): Answer {
  const before = expect === "next" ? 1 : expect;
  const last = before + records.length;
  return { kind: "accepted", first: before + 1, last, at: life.clock.now(), repeated: false };
}

const isRedrive = ({ records }: Item): boolean => records[1]?.kind === "redriven";

/** As if the run had only just been created. */
function anew({ records, origin: _origin, slots: _slots, work: _work, dues: _dues, ...item }: Item): Item {
  return {
    ...item,
    applies: false,
    records: records.slice(0, 1),
    facets: { ...item.facets, status: "created" },
  };
}

function unnamed(item: Item, count: number): Item {
  return {
    ...item,
    receipts: (item.receipts ?? []).map((one) => ({ ...one, request: `${one.request}.${count}` })),
  };
}
