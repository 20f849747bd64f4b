/** What goes wrong with holds, leases, claims and instants. */
import type { Work } from "@swl/store-provider";
import { answering, appending, insisting, no, type StoreFault } from "./store-faults.ts";

const widest = 1_000;

export const leaseFaults: readonly StoreFault[] = [
  {
    name: "keeps what the closing item brings to do",
    falsify(store, shared) {
      const left = shared(() => new Set<string>());
      return {
        ...appending(store, (item) => {
          if (item.close === true) for (const { queue } of item.work ?? []) left.add(queue);
          return item;
        }),
        queues: async (limit, after) => [...new Set([...(await store.queues(limit, after)), ...left])],
      };
    },
    caughtBy: ["keeps nothing to do that comes with the item that closes [STO-closed-stream]"],
  },
  {
    name: "gives the last record alone where none was applied",
    falsify: (store) => ({
      async load(stream) {
        const state = await store.load(stream);
        return state && { ...state, tail: state.applied === 0 ? state.tail.slice(-1) : state.tail };
      },
    }),
    caughtBy: ["gives the whole log to go on from when no record was applied [STO-recovery]"],
  },
  {
    name: "lets two writers of one note both be first",
    falsify: (store) => ({
      async note(stream, event, document) {
        const there = (await store.notes(stream)).some((note) => note.event === event);
        await new Promise((resolve) => setTimeout(resolve, 1));
        await store.note(stream, event, document);
        return !there;
      },
    }),
    caughtBy: ["keeps the same first note when many write it at once [STO-notes]"],
  },
  {
    name: "gives out the work of a held stream",
    falsify: (store) => ({
      async claim(holder, options) {
        const { items } = await store.list({ limit: widest });
        const held = items.filter((head) => head.hold !== undefined);
        const states = await Promise.all(held.map(({ stream }) => store.load(stream)));
        const more: readonly Work[] = states.flatMap((state) => state?.work ?? []);
        return [...(await store.claim(holder, options)), ...more];
      },
    }),
    caughtBy: ["stops a host that did not know of the export, at the position where it stands [STO-holds]"],
  },
  {
    name: "forgets the new hold when the old one is lifted with it",
    falsify: (store) =>
      appending(store, ({ hold, ...item }) => (item.lift === undefined && hold ? { ...item, hold } : item)),
    caughtBy: ["exchanges one hold for another in one item [STO-holds]"],
  },
  {
    name: "lets a closed holder come back",
    falsify(store) {
      const closed = new Set<string>();
      return {
        async closeHolder(holder) {
          closed.add(holder);
          await store.closeHolder(holder);
        },
        async renewHolder(holder, lease) {
          const answer = await store.renewHolder(holder, lease);
          const { now } = answer;
          return closed.has(holder) ? { kind: "held", until: now + lease, now } : answer;
        },
      };
    },
    caughtBy: ["ends a lease when its holder is closed, for good [STO-leases]"],
  },
  {
    name: "answers a heartbeat and renews nothing",
    falsify: (store) => ({
      async renewHolder(holder, lease) {
        const now = await store.now();
        const live = (await store.holders(widest)).some((one) => one.holder === holder);
        return live ? { kind: "held", until: now + lease, now } : { kind: "lease-lost", now };
      },
    }),
    caughtBy: ["keeps a lease as long as it is renewed, and no longer [STO-leases]"],
  },
  {
    name: "answers that a claim is renewed and renews nothing",
    falsify: (store) => ({
      async renewWork(holder, work) {
        const over = new Set((await store.abandoned(widest)).map(({ id }) => id));
        return (await store.held(holder))
          .map(({ id }) => id)
          .filter((id) => work.includes(id) && !over.has(id));
      },
    }),
    caughtBy: ["renews a claim's own lease until it has run out once [STO-claims]"],
  },
  {
    name: "refuses an owner who is the owner",
    falsify: (store) =>
      answering(store, (answer, { owner, expect }) =>
        typeof owner === "string" && expect === 1 && answer.kind === "accepted" ? no("claimed") : answer,
      ),
    caughtBy: ["keeps the owner of a stream while its lease runs [STO-owner]"],
  },
  {
    name: "puts work in the place of work of the same ID",
    falsify: (store) =>
      insisting(store, "conflict", ({ work = [], settled = [], ...item }) =>
        work.length === 0 ? undefined : { ...item, work, settled: [...settled, ...work.map(({ id }) => id)] },
      ),
    caughtBy: ["takes work of an ID that is there only where the item settles it [STO-claims]"],
  },
  {
    name: "ends no lease when a holder is closed",
    falsify: () => ({ closeHolder: async () => {} }),
    caughtBy: ["ends a lease when its holder is closed, for good [STO-leases]"],
  },
  {
    name: "gives out work that was withdrawn",
    falsify: (store) => ({
      async claim(holder, options) {
        const withdrawn = (await store.abandoned(widest)).filter((work) => work.withdraw);
        return [...(await store.claim(holder, options)), ...withdrawn];
      },
    }),
    caughtBy: ["never gives out work that was withdrawn, nor work that was settled [STO-claims]"],
  },
  {
    name: "settles work of any stream",
    falsify(store, shared) {
      const settled = shared(() => new Set<string>());
      return {
        ...appending(store, (item) => {
          for (const id of item.settled ?? []) settled.add(id);
          return item;
        }),
        abandoned: async (limit, after) =>
          (await store.abandoned(limit, after)).filter(({ id }) => !settled.has(id)),
      };
    },
    caughtBy: ["never gives out work that was withdrawn, nor work that was settled [STO-claims]"],
  },
  {
    name: "claims the same work twice at expiry",
    falsify: (store) => ({
      async claim(holder, options) {
        const expired = (await store.abandoned(widest)).filter((work) => work.holder !== undefined);
        return [...(await store.claim(holder, options)), ...expired];
      },
    }),
    caughtBy: [
      "leaves a claim that ran out to whoever takes it over, and gives it to nobody else [STO-claims]",
    ],
  },
  {
    name: "gives racing claimants the same work",
    falsify(store) {
      let underWay: Promise<readonly Work[]> | undefined;
      return {
        claim(holder, options) {
          underWay ??= store.claim(holder, options).finally(() => {
            underWay = undefined;
          });
          return underWay;
        },
      };
    },
    caughtBy: ["gives to each of many claimants what no other got [STO-claims]"],
  },
  {
    name: "looks at work of any stream for a precondition",
    falsify: (store) =>
      insisting(store, "not-found", ({ require = [], ...item }) =>
        require.some(({ kind }) => kind === "work-unclaimed") ? item : undefined,
      ),
    caughtBy: ["counts work of another stream as gone [STO-preconditions]"],
  },
  {
    name: "checks no fence on a worker's heartbeat",
    falsify: (store) => ({
      async renewWork(holder, work, lease) {
        await store.renewWork(holder, work, lease);
        return work;
      },
    }),
    caughtBy: [
      "decides expire, heartbeat, settle rightly wherever a takeover comes between [STO-leases]",
      "decides settle, heartbeat, expire rightly wherever a takeover comes between [STO-preconditions]",
    ],
  },
  {
    name: "refuses a settlement because a lease ran out",
    falsify: (store) =>
      answering(store, async (answer, { require = [] }) => {
        const held = require.find(({ kind }) => kind === "work-held");
        if (held?.kind !== "work-held" || answer.kind !== "accepted") return answer;
        const live = (await store.holders(widest)).some(({ holder }) => holder === held.holder);
        return live ? answer : no("lease-lost");
      }),
    caughtBy: [
      "decides expire, settle, heartbeat rightly wherever a takeover comes between [STO-leases]",
      "decides heartbeat, expire, settle rightly wherever a takeover comes between [STO-preconditions]",
    ],
  },
  {
    name: "settles after a takeover",
    falsify: (store) =>
      insisting(store, "stale", async ({ require: _require, ...item }) => {
        const head = await store.head(item.stream);
        return item.owner === undefined && head ? { ...item, expect: head.position } : undefined;
      }),
    caughtBy: ["decides expire, heartbeat, settle rightly wherever a takeover comes between [STO-leases]"],
  },
  {
    name: "lets another one take over while the lease runs",
    falsify: (store) =>
      appending(store, (item) => ({
        ...item,
        require: (item.require ?? []).filter(({ kind }) => !kind.endsWith("-expired")),
      })),
    caughtBy: [
      "decides heartbeat, settle, expire rightly wherever a takeover comes between [STO-preconditions]",
      "decides settle, expire, heartbeat rightly wherever a takeover comes between [STO-preconditions]",
    ],
  },
  {
    name: "finds a due entry a moment late",
    falsify: (store) => ({
      async due(limit, after) {
        const now = await store.now();
        return (await store.due(limit, after)).filter(({ at }) => at < now);
      },
    }),
    caughtBy: ["finds a due entry at its instant and not before, however far away it was [STO-host-queries]"],
  },
  {
    name: "fires at once what is due in more than 24 days",
    falsify: (store) =>
      appending(store, async (item) => {
        const now = await store.now();
        const near = (at: number | null) => (at !== null && at - now > 2 ** 31 - 1 ? now : at);
        return item.dues ? { ...item, dues: item.dues.map(({ key, at }) => ({ key, at: near(at) })) } : item;
      }),
    caughtBy: ["finds a due entry at its instant and not before, however far away it was [STO-host-queries]"],
  },
  {
    name: "leaves a due entry that has fired",
    falsify: (store) =>
      appending(store, async (item) => {
        const due = (await store.due(widest)).some(({ stream }) => stream === item.stream);
        return due
          ? { ...item, require: (item.require ?? []).filter(({ kind }) => kind !== "due-present") }
          : item;
      }),
    caughtBy: ["fires a due entry once, and sets it again in the same item [STO-preconditions]"],
  },
  {
    name: "pages in another order than it lists",
    falsify: (store) => ({
      async unapplied(limit, after) {
        const all = (await store.unapplied(widest)).toSorted();
        return all.filter((name) => after === undefined || name > after).slice(0, limit);
      },
    }),
    caughtBy: ["pages through everything that a host looks for, without a gap [STO-host-queries]"],
  },
];
