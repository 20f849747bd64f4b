/** What goes wrong with pruning, pins, counting and checking. */
import {
  type Json,
  type Note,
  type Receipt,
  type Store,
  type StoreStats,
  storeError,
} from "@swl/store-provider";
import { answering, appending, hiding, insisting, isRefused, no, type StoreFault } from "./store-faults.ts";

/** Prunes further streams than the honest store. */
const alsoPruning =
  (
    also: (head: { readonly hold?: string; readonly closed: boolean; readonly createdAt: number }) => boolean,
  ) =>
  (store: Store, shared: <T>(make: () => T) => T): Partial<Store> => {
    const gone = shared(() => new Set<string>());
    return {
      ...hiding(store, (stream) => gone.has(stream)),
      async prune(options) {
        const pruned = await store.prune(options);
        for (const head of (await store.list()).items) {
          if (head.createdAt < options.closedBefore && also(head)) gone.add(head.stream);
        }
        return pruned;
      },
    };
  };

export const keepingFaults: readonly StoreFault[] = [
  {
    name: "prunes an open run",
    falsify: alsoPruning(({ closed, hold }) => !closed && hold === undefined),
    caughtBy: ["never touches what is open, held or younger [STO-prune]"],
  },
  {
    name: "prunes a held run",
    falsify: alsoPruning(({ hold }) => hold !== undefined),
    caughtBy: ["never touches what is open, held or younger [STO-prune]"],
  },
  {
    name: "prunes what ended at the very instant",
    falsify: (store) => ({
      prune: (options) => store.prune({ ...options, closedBefore: options.closedBefore + 1 }),
    }),
    caughtBy: ["never touches what is open, held or younger [STO-prune]"],
  },
  {
    name: "prunes by age since the beginning, not since the end",
    falsify: alsoPruning(({ closed }) => closed),
    caughtBy: ["never touches what is open, held or younger [STO-prune]"],
  },
  {
    name: "drops a blob that is pinned",
    falsify(store, shared) {
      const from = shared(() => new Map<string, string>());
      return {
        ...appending(store, (item) => {
          for (const { digest } of item.blobs ?? []) if (!from.has(digest)) from.set(digest, item.stream);
          return item;
        }),
        async blob(digest) {
          const stream = from.get(digest);
          if (stream !== undefined && (await store.head(stream)) === undefined) return undefined;
          return store.blob(digest);
        },
      };
    },
    caughtBy: ["keeps a blob as long as a stream pins it [STO-pins]"],
  },
  {
    name: "forgets what an item pins",
    falsify: (store) =>
      answering(
        {
          ...store,
          append: async (items) => {
            const there = await Promise.all(
              items.map(async ({ pins = [] }) => {
                const found = await Promise.all(pins.map((digest) => store.blob(digest)));
                return !found.includes(undefined);
              }),
            );
            return store.append(items.map((item, n) => (there[n] ? { ...item, pins: [] } : item)));
          },
        },
        (answer) => answer,
      ),
    caughtBy: ["keeps a blob as long as a stream pins it [STO-pins]"],
  },
  {
    name: "pins what is not there",
    falsify: (store) =>
      insisting(store, "not-found", ({ pins, ...item }) => (pins === undefined ? undefined : item)),
    caughtBy: ["refuses to pin what is not there, and lets a foreign item pin nothing [STO-pins]"],
  },
  {
    name: "keeps blobs for ever",
    falsify(store, shared) {
      const kept = shared(() => new Map<string, Json>());
      return {
        ...appending(store, (item) => {
          for (const { digest, document } of item.blobs ?? [])
            if (!kept.has(digest)) kept.set(digest, document);
          return item;
        }),
        blob: async (digest) => (await store.blob(digest)) ?? kept.get(digest),
      };
    },
    caughtBy: [
      "removes a closed stream with all that was its own [STO-prune]",
      "keeps a blob as long as a stream pins it [STO-pins]",
    ],
  },
  {
    name: "keeps a receipt longer than its stream",
    falsify(store, shared) {
      const kept = shared(() => new Map<string, Receipt>());
      return {
        ...answering(store, (answer, { stream, receipts = [] }) => {
          const before = receipts.map(({ scope, request }) => kept.get(`${scope} ${request}`));
          if (answer.kind !== "accepted") return answer;
          if (!answer.repeated && before.some((one) => one !== undefined)) return no("conflict");
          const { first: position, at } = answer;
          for (const one of receipts)
            kept.set(`${one.scope} ${one.request}`, { ...one, stream, position, at });
          return answer;
        }),
        receipt: async (scope, request) => kept.get(`${scope} ${request}`),
      };
    },
    caughtBy: [
      "removes a closed stream with all that was its own [STO-prune]",
      "frees names and requests, and nothing of the old comes back with them [STO-prune]",
    ],
  },
  {
    name: "gives the notes of a pruned stream to the next of its name",
    falsify(store, shared) {
      const kept = shared(() => new Map<string, readonly Note[]>());
      return {
        async note(stream, event, document) {
          const first = await store.note(stream, event, document);
          kept.set(stream, await store.notes(stream));
          return first;
        },
        notes: async (stream) => kept.get(stream) ?? [],
      };
    },
    caughtBy: ["frees names and requests, and nothing of the old comes back with them [STO-prune]"],
  },
  {
    name: "prunes everything in one portion",
    falsify: (store) => ({ prune: (options) => store.prune({ ...options, limit: 1_000 }) }),
    caughtBy: [
      "goes portion by portion, those closed first at first, and says whether there is more [STO-prune]",
    ],
  },
  {
    name: "never says that there is more to prune",
    falsify: (store) => ({ prune: async (options) => ({ ...(await store.prune(options)), more: false }) }),
    caughtBy: [
      "goes portion by portion, those closed first at first, and says whether there is more [STO-prune]",
    ],
  },
  {
    name: "counts what another prune has removed",
    falsify: (store) => ({
      async prune(options) {
        const { items } = await store.list({ limit: 1_000 });
        const streams = items.filter(({ closed }) => closed).slice(0, options.limit).length;
        await new Promise((resolve) => setTimeout(resolve, 1));
        return { ...(await store.prune(options)), streams };
      },
    }),
    caughtBy: ["is safe beside appends and other prunes [STO-prune]"],
  },
  {
    name: "brings pruned streams back on a restart",
    falsify(store) {
      const gone = new Set<string>();
      return {
        ...hiding(store, (stream) => gone.has(stream)),
        async prune() {
          const over = (await store.list()).items.filter(({ closed }) => closed);
          for (const { stream } of over) gone.add(stream);
          return { streams: over.length, records: 0, blobs: 0, more: false };
        },
      };
    },
    caughtBy: ["has nothing of what was refused or pruned after a restart [STO-durability]"],
  },
  ...countFaults(),
  {
    name: "checks and says nothing",
    falsify: () => ({ check: async () => [] }),
    caughtBy: [
      "says of what stream something was spoilt [STO-check]",
      "says what cannot be decoded any more, and goes on with the rest [STO-check]",
    ],
  },
  {
    name: "stops checking at the first document that cannot be read",
    falsify: (store) => ({
      async check(limit) {
        if ((await store.check(limit)).length > 0) throw storeError("corrupt", "A document cannot be read.");
        return [];
      },
    }),
    caughtBy: ["says what cannot be decoded any more, and goes on with the rest [STO-check]"],
  },
  {
    name: "finds a fault in a log that was imported",
    falsify: (store) => ({
      async check(limit) {
        const { items } = await store.list();
        const far = items.filter(({ position }) => position > 64);
        const faults = far.map(({ stream }) => ({ stream, message: "The first records are missing." }));
        return [...faults, ...(await store.check(limit))];
      },
    }),
    caughtBy: ["finds no fault in what was written through the contract [STO-check]"],
  },
  {
    name: "hides that its clock is given",
    falsify: ({ info }) => ({
      info: { ...info, capabilities: { ...info.capabilities, clock: "store" } },
    }),
    caughtBy: ["goes by the clock that it says it goes by [STO-capabilities]"],
  },
  {
    name: "goes by a clock of its own and says that it is given",
    falsify: (store) => {
      const now = async () => (await store.now()) + 1;
      return { now };
    },
    caughtBy: ["goes by the clock that it says it goes by [STO-capabilities]"],
  },
  {
    name: "says of itself what no contract has",
    falsify: ({ info }) => ({
      info: { ...info, capabilities: { ...info.capabilities, wakeUps: "sometimes" as "process" } },
    }),
    caughtBy: ["says what it can, in the words of the contract [STO-capabilities]"],
  },
  {
    name: "says of what it refused that it was never asked",
    falsify: (store) =>
      answering(store, (answer, item) =>
        isRefused(answer, "conflict") && item.expect === 0
          ? { kind: "accepted", first: 1, last: 1, at: 0, repeated: true }
          : answer,
      ),
    caughtBy: ["frees names and requests, and nothing of the old comes back with them [STO-prune]"],
  },
];

function countFaults(): readonly StoreFault[] {
  const counting = (name: string, change: (stats: StoreStats) => StoreStats): StoreFault => ({
    name,
    falsify: (store) => ({ stats: async () => change(await store.stats()) }),
    caughtBy: ["counts what is there [STO-check]"],
  });
  return [
    counting("counts held streams as open", ({ streams: { open, held, closed }, ...rest }) => ({
      ...rest,
      streams: { open: open + held, held: 0, closed },
    })),
    counting("counts a slot for every write", (stats) => ({
      ...stats,
      slots: stats.slots + (stats.slots && 1),
    })),
    counting("counts holders whose lease is over", (stats) => ({
      ...stats,
      holders: stats.holders + (stats.holders && 1),
    })),
    counting("counts claimed work as waiting", ({ work: { waiting, claimed }, ...rest }) => ({
      ...rest,
      work: { waiting: waiting + claimed, claimed: 0 },
    })),
  ];
}
