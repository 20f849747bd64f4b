/**
 * The first items of runs that no host starts: created and left to whoever can serve them, or gone on with from a failed
 * one. Spec: DUR-created-runs, INV-redrive.
 */
import type { NewRun, ReceiptOf } from "@swl/invocation-control";
import type { Item } from "@swl/store-provider";
import type { Served } from "./definitions.js";
import { createdRecord, pinsOf } from "./formats.js";
import { statusOf } from "./proposal.js";
import { type RedriveMade, redriveRecords } from "./redrive.js";

/** Never derived from a key. */
export function runIdOf(unique: string): string {
  return `run-${unique.replaceAll("-", "").slice(0, 20)}`;
}

/** Nothing of it is applied: a host that looks for accepted records finds it, binds it, and appends its start. */
export function creationItem(
  run: string,
  { model, requirements }: Served,
  { preparation, input, published, traceparent }: NewRun,
  receipt: ReceiptOf | undefined,
  stamp: number,
): Item {
  const created = createdRecord({
    ...pinsOf(requirements),
    model: model.id,
    semantics: model.semantics.writes,
    bindings: {},
    input,
    ...(traceparent !== undefined && { trace: traceparent }),
    ...(published !== undefined && { published }),
  });
  return {
    stream: run,
    commit: `create:${run}`,
    expect: 0,
    stamp,
    records: [created],
    facets: {
      workflow: requirements.workflow,
      status: "created",
      ...(receipt !== undefined && { key: receipt.requestId }),
    },
    blobs: [{ digest: requirements.definition, document: preparation.definition }],
    ...(receipt !== undefined && {
      receipts: [{ scope: "start", request: receipt.requestId, digest: receipt.digest }],
    }),
  };
}

/** Its positions go on from those of the run before it. */
export function redriveItem(
  made: RedriveMade,
  of: string,
  by: string | undefined,
  receipt: ReceiptOf,
  stamp: number,
): Item {
  const { run, created, served, step, work, dues, event } = made;
  const records = redriveRecords(made);
  const disposition = served.model.disposition(step.state);
  const { slots } = served.model.toJSON(step.state);
  return {
    stream: run,
    commit: `create:${run}`,
    expect: 0,
    origin: event.position - records.length,
    stamp,
    records,
    applies: true,
    slots: Object.entries(slots).map(([key, document]) => ({ key, document })),
    ...(work.length > 0 && { work }),
    ...(dues.length > 0 && { dues }),
    facets: {
      workflow: created.workflow,
      status: statusOf(disposition),
      redriveOf: of,
      ...(by !== undefined && { by }),
    },
    pins: [created.definition],
    receipts: [{ scope: of, request: receipt.requestId, digest: receipt.digest }],
    ...(disposition.kind === "closed" && { close: true }),
  };
}
