/** What the store's logs say about attempts: read beside everybody, at once. */
import type { Json } from "@swl/base";
import type { ExecutionModel, Outstanding } from "@swl/execution/model";
import type { Invocation } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import type { Books } from "./books.ts";
import { models } from "./fleet.ts";

export function modelOf(id: string): ExecutionModel {
  return models.find((model) => model.id === id)!;
}

/**
 * True while the newest commit of the run has this attempt scheduled: also when somebody has terminated the run since,
 * or removed it after that, of which the host may not have heard. With a `holder`: and while that one has claimed it.
 */
export async function isIntended(
  store: Store,
  books: Books,
  call: Invocation,
  claim?: { readonly task: string; readonly holder: string },
): Promise<boolean> {
  const { run, invocation, attempt } = call;
  const stream = (await store.load(run)) ?? books.runs.get(run)?.removed?.stream;
  const newest = stream?.tail[0];
  if (stream === undefined || newest === undefined || !newest.applies) return false;
  if (claim !== undefined && !stream.closed) {
    const row = stream.work.find(({ id }) => id === claim.task);
    if (row?.holder !== claim.holder) return false;
  }
  const { model } = stream.first.document as { readonly model: string };
  const { commit } = newest.document as { readonly commit?: { readonly head?: Json } };
  if (commit?.head === undefined) return false;
  const state = modelOf(model).fromJSON({ head: commit.head, slots: Object.fromEntries(stream.slots) });
  return modelOf(model)
    .outstanding(state)
    .some((one) => isThis(one, invocation, attempt));
}

const isThis = (one: Outstanding, invocation: string, attempt: number): boolean =>
  one.kind === "invoke" &&
  one.phase === "scheduled" &&
  one.invocation === invocation &&
  one.attempt === attempt;
