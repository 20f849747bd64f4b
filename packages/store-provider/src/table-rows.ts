/** From rows of tables to what the contract calls them. */
import { setOwn } from "@swl/base";
import type { LogRecord, StreamHead, Work } from "./contract.js";
import type { Documents } from "./documents.js";
import type { TableRecord, TableStream, Tables, TableWork } from "./tables.js";

/** The stream's row with its labels. */
export async function readHead(tables: Tables, { id, stream, facts }: TableStream): Promise<StreamHead> {
  const facets: { [label: string]: string } = {};
  for (const [label, value] of await tables.facets(id)) setOwn(facets, label, value);
  return { stream, ...facts, facets };
}

export function readRecord({ document, ...record }: TableRecord, documents: Documents): LogRecord {
  return { ...record, document: documents.decode(document) };
}

export function readWork({ document, streamId: _streamId, ...work }: TableWork, documents: Documents): Work {
  return { ...work, document: documents.decode(document) };
}
