/**
 * Wake-ups: which ones an item causes is said here once for every store; a hub passes them on to who listens. They are
 * hints, so a store may lose them, but it never tells of what was not committed. Spec: STO-wake-ups.
 */
import type { Item, Wake } from "./contract.js";

export type WakeListener = (wakes: readonly Wake[]) => void;

/** Between those who commit and those who listen. */
export interface WakeHub {
  /** The answer ends it; twice is once. */
  listen(listener: WakeListener): () => void;
  /** To be called after the commit. Never throws; no wakes are told to nobody. */
  tell(wakes: readonly Wake[]): void;
}

/** What accepted items leave to be found, none twice. Work counts when it may be claimed at once. */
export function wakesOf(items: readonly Item[]): readonly Wake[] {
  const found = new Map<string, Wake>();
  for (const wake of items.flatMap(wakesOfItem)) found.set(`${wake.kind} ${wake.name}`, wake);
  return [...found.values()];
}

function wakesOfItem(item: Item): readonly Wake[] {
  if (item.close === true) return [{ kind: "closed", name: item.stream }];
  // Nobody may do anything for a stream under a hold.
  if (item.hold !== undefined) return [];
  const claimable = (item.work ?? []).filter(({ id, delay }) => delay === 0 && !item.withdraw?.includes(id));
  return [
    ...(item.applies === true ? [] : [{ kind: "records", name: item.stream } as const]),
    ...claimable.map(({ queue }) => ({ kind: "work", name: queue }) as const),
  ];
}

/** One hub for the handles that are given it. */
export function createWakeHub(): WakeHub {
  const listeners = new Set<{ readonly call: WakeListener }>();
  return {
    listen(call) {
      const entry = { call };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    tell(wakes) {
      if (wakes.length === 0) return;
      for (const { call } of [...listeners]) {
        // A listener's own trouble, at once or later, is neither the writer's nor the other listeners'.
        try {
          const answer: unknown = call(wakes);
          if (answer !== undefined) Promise.resolve(answer).catch(() => {});
        } catch {}
      }
    },
  };
}

const hubs = new Map<string, { readonly hub: WakeHub; listeners: number }>();

/** The hub of everyone in this process who names the same storage; it is kept only while somebody listens. */
export function sharedWakeHub(storage: string): WakeHub {
  return {
    listen(listener) {
      const entry = hubs.get(storage) ?? { hub: createWakeHub(), listeners: 0 };
      hubs.set(storage, entry);
      entry.listeners += 1;
      const end = entry.hub.listen(listener);
      let listening = true;
      return () => {
        if (!listening) return;
        listening = false;
        end();
        entry.listeners -= 1;
        if (entry.listeners === 0) hubs.delete(storage);
      };
    },
    tell: (wakes) => hubs.get(storage)?.hub.tell(wakes),
  };
}
