/** What goes wrong with wake-ups, and between handles. */
import { createWakeHub, type WakeListener, wakesOf } from "@swl/store-provider";
import { answering, type StoreFault } from "./store-faults.ts";

export const wakeFaults: readonly StoreFault[] = [
  {
    name: "finds only what it has written itself",
    falsify(store) {
      const mine = new Set<string>();
      return {
        ...answering(store, (answer, { stream }) => {
          mine.add(stream);
          return answer;
        }),
        unapplied: async (limit, after) =>
          (await store.unapplied(limit, after)).filter((stream) => mine.has(stream)),
      };
    },
    caughtBy: ["finds by looking what nobody was told of [STO-wake-ups]"],
  },
  {
    name: "tells before it commits",
    falsify(store, shared) {
      const hub = shared(createWakeHub);
      return {
        watch: (listener) => hub.listen(listener),
        append(items) {
          hub.tell(wakesOf(items));
          return store.append(items);
        },
      };
    },
    caughtBy: ["tells of records, of work and of an end, once they are committed [STO-wake-ups]"],
  },
  {
    name: "tells of what it refused",
    falsify(store, shared) {
      const hub = shared(createWakeHub);
      return {
        watch: (listener) => hub.listen(listener),
        async append(items) {
          const answers = await store.append(items);
          hub.tell(wakesOf(items));
          return answers;
        },
      };
    },
    caughtBy: ["tells of records, of work and of an end, once they are committed [STO-wake-ups]"],
  },
  {
    name: "claims wake-ups and tells nobody",
    falsify: () => ({ watch: () => () => {} }),
    caughtBy: [
      "tells of records, of work and of an end, once they are committed [STO-wake-ups]",
      "tells nothing once the listening ended [STO-wake-ups]",
    ],
  },
  {
    name: "tells of everything but an end",
    falsify: (store) => ({
      watch: (listener) => store.watch((wakes) => listener(wakes.filter(({ kind }) => kind !== "closed"))),
    }),
    caughtBy: ["tells of records, of work and of an end, once they are committed [STO-wake-ups]"],
  },
  {
    name: "tells the handle alone that has written",
    falsify(store) {
      const hub = createWakeHub();
      return {
        watch: (listener) => hub.listen(listener),
        async append(items) {
          const answers = await store.append(items);
          hub.tell(wakesOf(items.filter((_, index) => answers[index]?.kind === "accepted")));
          return answers;
        },
      };
    },
    caughtBy: ["tells the other handles that its wake-ups reach [STO-wake-ups]"],
  },
  {
    name: "lets a listener's error reach the writer",
    falsify(store) {
      const listeners: WakeListener[] = [];
      return {
        watch(listener) {
          listeners.push(listener);
          return store.watch(listener);
        },
        async append(items) {
          const answers = await store.append(items);
          for (const listener of listeners) listener(wakesOf(items));
          return answers;
        },
      };
    },
    caughtBy: ["goes on when a listener throws [STO-wake-ups]"],
  },
  {
    name: "goes on telling those who ended their listening",
    falsify: (store) => ({
      watch(listener) {
        store.watch(listener);
        return () => {};
      },
    }),
    caughtBy: ["tells nothing once the listening ended [STO-wake-ups]"],
  },
  {
    name: "goes on telling the listeners of a closed handle",
    falsify(store, shared) {
      const hub = shared(createWakeHub);
      return {
        watch: (listener) => hub.listen(listener),
        async append(items) {
          const answers = await store.append(items);
          hub.tell(wakesOf(items.filter((_, index) => answers[index]?.kind === "accepted")));
          return answers;
        },
      };
    },
    caughtBy: ["tells nothing once the store is closed, and takes no listener any more [STO-wake-ups]"],
  },
  {
    name: "shows another handle's work a while later",
    falsify(store) {
      const mine = new Set<string>();
      return {
        ...answering(store, (answer, { work = [] }) => {
          for (const { queue } of work) mine.add(queue);
          return answer;
        }),
        queues: async (limit, after) => (await store.queues(limit, after)).filter((queue) => mine.has(queue)),
      };
    },
    caughtBy: ["shows one handle at once what another one has done [STO-peers]"],
  },
  {
    name: "opens two exclusive holders that race",
    falsify: (store) => ({
      async openHolder(holder, options) {
        const [active] = await store.holders(1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (!options.exclusive || active === undefined) {
          return store.openHolder(holder, { ...options, exclusive: false });
        }
        return store.openHolder(holder, options);
      },
    }),
    caughtBy: ["lets one of two take over, fire, open alone or write a note [STO-peers]"],
  },
  {
    name: "ends every lease on a restart",
    falsify(store) {
      const opened = new Set<string>();
      return {
        async openHolder(holder, options) {
          opened.add(holder);
          return store.openHolder(holder, options);
        },
        async renewHolder(holder, lease) {
          const answer = await store.renewHolder(holder, lease);
          return opened.has(holder) ? answer : { kind: "lease-lost", now: answer.now };
        },
      };
    },
    caughtBy: ["ends no lease by a restart, and revives none [STO-leases]"],
  },
  {
    name: "keeps what it acknowledged in memory until the next call",
    falsify(store) {
      let waiting: (() => Promise<unknown>) | undefined;
      const flush = async () => {
        const write = waiting;
        waiting = undefined;
        await write?.();
      };
      return {
        async note(stream, event, document) {
          await flush();
          const there = (await store.notes(stream)).some((note) => note.event === event);
          waiting = () => store.note(stream, event, document);
          return !there;
        },
        async notes(stream) {
          await flush();
          return store.notes(stream);
        },
        async renewHolder(holder, lease) {
          await flush();
          return store.renewHolder(holder, lease);
        },
      };
    },
    caughtBy: ["goes on after a crash between any two calls as if there had been none [STO-durability]"],
  },
  {
    name: "starts anew on an older format",
    falsify: () => ({}),
    forgets: "older",
    caughtBy: ["brings an older format forward and goes on with what is in it [STO-version-gate]"],
  },
];
