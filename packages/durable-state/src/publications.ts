/**
 * Published names: each one a stream of its own, whose records are its revisions. Lists of runs leave these streams out,
 * and hosts never meet them: every item applies, so nothing of them ever waits. Spec: DUR-publications.
 */
import { isJsonObject } from "@swl/base";
import type { NewPublication, Publication, ReceiptOf } from "@swl/invocation-control";
import type { Item, Store, StreamHead } from "@swl/store-provider";

export function publicationStream(name: string): string {
  return `publication:${name}`;
}

/** True for a stream that is no run. */
export function isPublication({ facets }: Pick<StreamHead, "facets">): boolean {
  return facets["kind"] === "publication";
}

export async function readPublication(store: Store, name: string): Promise<Publication | undefined> {
  const stream = await store.load(publicationStream(name));
  const newest = stream?.tail.at(-1);
  if (newest === undefined || !isJsonObject(newest.document)) return undefined;
  const { definition, workflow, by } = newest.document;
  return {
    name,
    revision: newest.position,
    definition: String(definition),
    workflow: String(workflow),
    at: newest.at,
    ...(typeof by === "string" && { by }),
  };
}

/** The next revision after the one at `position`; refused as `stale` when there is another one meanwhile. */
export function publicationItem(
  { name, definition, by }: NewPublication,
  { requestId, digest }: ReceiptOf,
  position: number,
  stamp: number,
): Item {
  const { workflow } = definition;
  return {
    stream: publicationStream(name),
    commit: `request:${requestId}:${digest.slice(-32)}`,
    expect: position,
    stamp,
    records: [
      {
        kind: "published",
        document: { definition: definition.digest, workflow, ...(by !== undefined && { by }) },
      },
    ],
    applies: true,
    receipts: [{ scope: `publish:${name}`, request: requestId, digest }],
    facets: { kind: "publication" },
    blobs: [{ digest: definition.digest, document: definition.definition }],
  };
}
