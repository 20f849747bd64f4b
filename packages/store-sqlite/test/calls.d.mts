import type { Store } from "@swl/store-provider";

export type Call = (store: Store) => Promise<unknown>;

export const clock: () => number;
export const calls: readonly Call[];
export function answerOf(store: Store, call: Call): Promise<unknown>;
export function dump(store: Store): Promise<string>;
