/** What goes wrong with streams, holders and handles. */
import type { StreamHead } from "@swl/store-provider";
import { answering, appending, insisting, isRefused, type StoreFault } from "./store-faults.ts";

export const stateFaults: readonly StoreFault[] = [
  {
    name: "appends to a closed stream",
    falsify: (store) =>
      answering(store, async (answer, item) => {
        if (!isRefused(answer, "closed")) return answer;
        const first = ((await store.head(item.stream))?.position ?? 0) + 1;
        return { kind: "accepted", first, last: first, at: await store.now(), repeated: false };
      }),
    caughtBy: [
      "tells the first reason in the order of the checks [STO-check-order]",
      "takes nothing more once it is closed, and has nothing to do any more [STO-closed-stream]",
    ],
  },
  {
    name: "keeps the dues of a closed stream",
    falsify(store) {
      const dues = new Map<string, number>();
      return {
        ...appending(store, (item) => {
          for (const { key, at } of item.dues ?? []) if (at !== null) dues.set(key, at);
          return item;
        }),
        async load(stream) {
          const state = await store.load(stream);
          return state?.closed === true ? { ...state, dues } : state;
        },
      };
    },
    caughtBy: ["takes nothing more once it is closed, and has nothing to do any more [STO-closed-stream]"],
  },
  {
    name: "lets a host's item lift a quarantine unasked",
    falsify: (store) =>
      insisting(store, "held", async (item) => {
        const head = await store.head(item.stream);
        return item.expect !== "next" && head?.hold === "quarantine"
          ? { ...item, lift: head.hold }
          : undefined;
      }),
    caughtBy: ["lets foreign items, lifting and closing through a quarantine [STO-holds]"],
  },
  {
    name: "lets foreign items into an export",
    falsify: (store) =>
      insisting(store, "held", async (item) => {
        const head = await store.head(item.stream);
        return item.expect === "next" && head?.hold === "export" ? { ...item, lift: head.hold } : undefined;
      }),
    caughtBy: ["lets nothing but lifting and closing through an export [STO-holds]"],
  },
  {
    name: "loads no more than the newest applied record",
    falsify: (store) => ({
      async load(stream) {
        const state = await store.load(stream);
        return state && { ...state, tail: state.tail.slice(0, 1) };
      },
    }),
    caughtBy: ["gives all that is needed to go on [STO-recovery]"],
  },
  {
    name: "lists the oldest stream first",
    falsify: (store) => ({
      async list(options) {
        const page = await store.list(options);
        return { ...page, items: page.items.toReversed() };
      },
    }),
    caughtBy: ["lists the newest stream first, by label and page [STO-lists]"],
  },
  {
    name: "says of every note that it is new",
    falsify: (store) => ({
      note: async (stream, event, document) => (await store.note(stream, event, document)) || true,
    }),
    caughtBy: ["keeps the first note of an event, also on a closed stream [STO-notes]"],
  },
  {
    name: "takes a late heartbeat",
    falsify: (store) => ({
      async renewHolder(holder, lease) {
        const answer = await store.renewHolder(holder, lease);
        if (answer.kind !== "lease-lost" || holder === "unknown") return answer;
        return { kind: "held", until: answer.now + lease, now: answer.now };
      },
    }),
    caughtBy: [
      "refuses a heartbeat at the deadline, for good [STO-leases]",
      "opens an exclusive holder only when no other lease runs [STO-leases]",
    ],
  },
  {
    name: "opens an exclusive holder beside another",
    falsify: (store) => ({
      openHolder: (holder, options) => store.openHolder(holder, { ...options, exclusive: false }),
    }),
    caughtBy: ["opens an exclusive holder only when no other lease runs [STO-leases]"],
  },
  {
    name: "replaces an owner whose lease runs",
    falsify: (store) =>
      insisting(store, "claimed", ({ owner, require: _require, ...item }) =>
        owner === undefined ? undefined : item,
      ),
    caughtBy: ["keeps the owner of a stream while its lease runs [STO-owner]"],
  },
  {
    name: "gives claimed work to another claimant",
    falsify(store) {
      const claimants = new Set<string>();
      return {
        async claim(holder, options) {
          const mine = await store.claim(holder, options);
          claimants.add(holder);
          const others = [...claimants].filter((other) => other !== holder);
          return [...mine, ...(await Promise.all(others.map((other) => store.held(other)))).flat()];
        },
      };
    },
    caughtBy: [
      "gives work to one claimant, oldest first, when it is due [STO-claims]",
      "takes back what its claimant gives back, and nothing else [STO-claims]",
    ],
  },
  {
    name: "lets anyone give work back",
    falsify: (store) => ({
      async unclaim(holder, work, options) {
        for (const one of [holder, "h1", "h2"]) await store.unclaim(one, work, options);
      },
    }),
    caughtBy: ["takes back what its claimant gives back, and nothing else [STO-claims]"],
  },
  {
    name: "renews claims that have run out",
    falsify: (store) => ({
      async renewWork(holder, work, lease) {
        const held = new Set((await store.held(holder)).map(({ id }) => id));
        await store.renewWork(holder, work, lease);
        return work.filter((id) => held.has(id));
      },
    }),
    caughtBy: ["renews a claim's own lease until it has run out once [STO-claims]"],
  },
  {
    name: "ignores preconditions",
    falsify: (store) => appending(store, (item) => ({ ...item, require: [] })),
    caughtBy: [
      "refuses members that contradict each other [STO-item-checks]",
      "tells the first reason in the order of the checks [STO-check-order]",
      "refuses an item that requires what is not so [STO-preconditions]",
    ],
  },
  {
    name: "lists no holders",
    falsify: () => ({ holders: async () => [] }),
    caughtBy: ["lists the holders whose lease runs, by name [STO-leases]"],
  },
  {
    name: "finds no orphaned streams",
    falsify: () => ({ orphaned: async () => [] }),
    caughtBy: [
      "finds what waits, is orphaned, abandoned or due [STO-host-queries]",
      "finds nothing of held or closed streams [STO-host-queries]",
    ],
  },
  {
    name: "finds held streams to be unapplied",
    falsify: (store) => ({
      async unapplied(limit, after) {
        const { items } = await store.list();
        const held = items.filter((head) => head.hold !== undefined && head.applied < head.position);
        return [...(await store.unapplied(limit, after)), ...held.map((head) => head.stream)];
      },
    }),
    caughtBy: ["finds nothing of held or closed streams [STO-host-queries]"],
  },
  {
    name: "answers from what this handle read before",
    falsify(store) {
      const seen = new Map<string, StreamHead>();
      return {
        async head(stream) {
          const head = seen.get(stream) ?? (await store.head(stream));
          if (head !== undefined) seen.set(stream, head);
          return head;
        },
      };
    },
    caughtBy: [
      "gives a foreign item the next position, to be applied by a later item [STO-foreign-items]",
      "keeps the owner of a stream while its lease runs [STO-owner]",
      "refuses an item that requires what is not so [STO-preconditions]",
      "lets two handles race for positions, claims and requests, with one winner each [STO-peers]",
    ],
  },
  {
    name: "forgets everything on a restart",
    falsify: () => ({}),
    forgets: "restart",
    caughtBy: ["has everything after a restart [STO-durability]"],
  },
  {
    name: "goes on after it was closed",
    falsify: () => ({ close: async () => {} }),
    caughtBy: ["refuses calls after it was closed, and closes twice [STO-store-close]"],
  },
];
