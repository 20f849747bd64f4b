/** What goes wrong with requests, commits, positions and batches. */
import type { Answer, Item, Json, LogRecord, Receipt } from "@swl/store-provider";
import { answering, appending, isRefused, no, type StoreFault } from "./store-faults.ts";

export const requestFaults: readonly StoreFault[] = [
  {
    name: "keeps the first receipt of an item only",
    falsify: (store) =>
      appending(store, (item) => (item.receipts ? { ...item, receipts: item.receipts.slice(0, 1) } : item)),
    caughtBy: [
      "answers several requests in one item by the first that was accepted, and keeps them all [STO-receipts]",
    ],
  },
  {
    name: "forgets the receipts of a closed stream",
    falsify: (store) =>
      answering(store, async (answer, item) =>
        answer.kind === "receipt" && (await store.head(item.stream))?.closed === true ? no("closed") : answer,
      ),
    caughtBy: ["answers a request also when its stream is closed [STO-receipts]"],
  },
  {
    name: "keeps a receipt of what it refused",
    falsify(store, shared) {
      const refused = shared(() => new Map<string, Receipt>());
      return {
        ...answering(store, (answer, { stream, receipts = [] }) => {
          if (answer.kind === "refused") {
            for (const one of receipts) refused.set(one.request, { ...one, stream, position: 1, at: 0 });
          }
          return answer;
        }),
        receipt: async (scope, request) => (await store.receipt(scope, request)) ?? refused.get(request),
      };
    },
    caughtBy: [
      "leaves nothing of a refused item [STO-atomic-item]",
      "answers a request also when its stream is closed [STO-receipts]",
    ],
  },
  {
    name: "does not see the requests of the same batch",
    falsify: (store) =>
      answering(store, (answer, item) =>
        answer.kind === "receipt" && answer.receipt.stream !== item.stream
          ? { kind: "accepted", first: 1, last: 1, at: 0, repeated: false }
          : answer,
      ),
    caughtBy: ["answers a request of one batch by the item before it [STO-receipts]"],
  },
  {
    name: "takes a commit ID for the same item at any position",
    falsify(store, shared) {
      const first = shared(() => new Map<string, Answer>());
      return answering(store, (answer, { stream, commit }) => {
        const key = `${stream} ${commit}`;
        const before = first.get(key);
        if (answer.kind === "accepted") first.set(key, answer);
        return before ?? answer;
      });
    },
    caughtBy: [
      "takes another item at the same position for another one, whatever its commit ID elsewhere [STO-commit-repeat]",
    ],
  },
  {
    name: "knows an item again in the process only that wrote it",
    falsify(store) {
      const mine = new Set<string>();
      return answering(store, (answer, { stream, commit }) => {
        if (answer.kind !== "accepted") return answer;
        if (answer.repeated && !mine.has(`${stream} ${commit}`)) return no("stale");
        mine.add(`${stream} ${commit}`);
        return answer;
      });
    },
    caughtBy: ["goes on after a crash between any two calls as if there had been none [STO-durability]"],
  },
  {
    name: "refuses a whole batch that is sent again when one item of it was refused",
    falsify: (store) => ({
      async append(items) {
        const answers = await store.append(items);
        const again = answers.some((answer) => answer.kind === "accepted" && answer.repeated);
        const bad = answers.some(({ kind }) => kind === "refused");
        return again && bad ? answers.map(() => no("conflict")) : answers;
      },
    }),
    caughtBy: ["answers a batch that is sent again item by item [STO-commit-repeat]"],
  },
  {
    name: "gives two racing items the same position",
    falsify: (store) => ({
      async append(items) {
        const before = await Promise.all(
          items.map(async ({ stream }) => (await store.head(stream))?.position),
        );
        const answers = await store.append(items);
        return answers.map((answer, n) => {
          const first = (before[n] ?? 0) + 1;
          const foreign = items[n]?.expect === "next" && answer.kind === "accepted";
          return foreign ? { ...answer, first, last: first } : answer;
        });
      },
    }),
    caughtBy: ["gives every record its own position when many are sent at once [STO-append-position]"],
  },
  {
    name: "refuses a foreign item that has lost a race",
    falsify(store) {
      let underWay = 0;
      return {
        async append(items) {
          underWay += 1;
          const lost = underWay > 2 && items.every(({ expect }) => expect === "next");
          try {
            return lost ? items.map(() => no("stale")) : await store.append(items);
          } finally {
            underWay -= 1;
          }
        },
      };
    },
    caughtBy: [
      "gives every record its own position when many are sent at once [STO-append-position]",
      "loses nothing of batches that two handles send at once [STO-peers]",
    ],
  },
  {
    name: "reads every log from its beginning",
    falsify: (store) => ({
      async read(stream, options) {
        const { after, ...rest } = options ?? {};
        const log: readonly LogRecord[] = await store.read(stream, rest);
        return log.at(-1)?.position === after ? [] : log;
      },
    }),
    caughtBy: [
      "reads a log piece by piece, from anywhere [STO-append-position]",
      "numbers records without a gap, also after a refusal [STO-append-position]",
    ],
  },
  {
    name: "keeps positions in 32 bits",
    falsify: (store) =>
      answering(store, (answer) =>
        answer.kind === "accepted" ? { ...answer, first: answer.first | 0, last: answer.last | 0 } : answer,
      ),
    caughtBy: ["goes on where an imported log has ended, however far that is [STO-append-position]"],
  },
  {
    name: "keeps a slot without its log row",
    falsify(store, shared) {
      const slots = shared(() => new Map<string, Json>());
      return {
        ...answering(store, (answer, item) => {
          if (answer.kind !== "receipt") note(slots, item);
          return answer;
        }),
        async load(stream) {
          const state = await store.load(stream);
          const written = [...(state?.slots.keys() ?? [])].map(
            (key) => [key, slots.get(`${stream} ${key}`) ?? null] as const,
          );
          return state && { ...state, slots: new Map(written) };
        },
      };
    },
    caughtBy: ["has a document in its slot exactly when its record is in the log [STO-atomic-item]"],
  },
  {
    name: "keeps a log row without its slot",
    falsify: (store) =>
      appending(store, ({ slots, ...item }) =>
        slots === undefined || (item.expect !== "next" && item.expect % 2 === 1) ? item : { ...item, slots },
      ),
    caughtBy: ["has a document in its slot exactly when its record is in the log [STO-atomic-item]"],
  },
  {
    name: "writes the records of an item one by one",
    falsify: (store) => ({
      async append(items) {
        const firsts = items.map((item) => ({ ...item, records: item.records.slice(0, 1) }));
        const answers = await store.append(items[0]?.records.length === 3 ? firsts : items);
        if (items[0]?.records.length !== 3) return answers;
        await new Promise((resolve) => setTimeout(resolve, 1));
        return store.append(
          items.map(({ records, stream, commit, stamp }) => ({
            ...{ stream, commit, stamp, expect: 1 },
            records: records.slice(1),
          })),
        );
      },
    }),
    caughtBy: ["has every item whole or not at all after a crash with calls under way [STO-durability]"],
  },
  {
    name: "counts a faulty item as the one of its stream",
    falsify: (store) => ({
      async append(items) {
        const answers = await store.append(items);
        return answers.map((answer, n) => {
          const stream = items[n]?.stream;
          const before = Array.isArray(items) && items.slice(0, n).some((item) => item?.stream === stream);
          return before ? no("incompatible") : answer;
        });
      },
    }),
    caughtBy: ["judges an item as if the faulty ones of its batch were not there [STO-item-checks]"],
  },
  {
    name: "answers a batch in the order in which it got done",
    falsify: (store) => ({
      async append(items) {
        const answers = await store.append(items);
        return answers.toSorted((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0));
      },
    }),
    caughtBy: ["refuses one item of a batch among many, and answers in order [STO-atomic-item]"],
  },
  {
    name: "is not atomic: goes on with the rest of a batch only until the first refusal",
    falsify: (store) => ({
      async append(items) {
        const answers: Answer[] = [];
        for (const item of items) {
          const failed = answers.some((answer) => isRefused(answer, "not-found"));
          answers.push(...(failed ? [no("unavailable")] : await store.append([item])));
        }
        return answers;
      },
    }),
    caughtBy: ["refuses one item of a batch among many, and answers in order [STO-atomic-item]"],
  },
];

function note(slots: Map<string, Json>, { stream, slots: given = [] }: Item): void {
  for (const { key, document } of given) if (document !== undefined) slots.set(`${stream} ${key}`, document);
}
