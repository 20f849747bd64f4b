/**
 * One operation on every run that a filter holds for: a portion a call, each run with an answer of its own, nothing
 * written unless it is asked for. Spec: INV-bulk.
 */
import { isSwlError, SwlError } from "@swl/base";
import type { ControlService } from "./control.js";
import type { BulkAnswer, BulkItem } from "./control-answers.js";
import type { ControlPort, Look } from "./control-port.js";
import type { BulkFilter, BulkRequest, ControlRequests } from "./control-requests.js";
import type { BlockerView, RunSummary } from "./control-views.js";

/** `may`: whether this caller has the right to the operation on this run; runs without it are left out. */
export async function bulkOf(
  service: ControlService,
  port: ControlPort,
  request: BulkRequest,
  may: (run: string) => Promise<boolean>,
): Promise<BulkAnswer> {
  const { filter, limit = 100, after } = request;
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) {
    throw new SwlError("request.invalid", "A bulk request looks at 1..1,000 runs a call.");
  }
  const status = { resolve: "needs-intervention", redrive: "failed", cancel: undefined }[request.operation];
  const page = await port.list({
    limit,
    ...(status !== undefined && { status }),
    ...(filter.workflow !== undefined && { workflow: filter.workflow }),
    ...(after !== undefined && { after }),
  });
  const items: BulkItem[] = [];
  for (const summary of page.items) {
    if (request.operation !== "redrive" && summary.closed) continue;
    if (!(await may(summary.run))) continue;
    const look = await port.look(summary.run);
    if (look === undefined || !(await holds(port, filter, request, look))) continue;
    items.push(
      await itemOf(service, request, summary).catch((error) => refusedItem(request, summary, error)),
    );
  }
  return { items, looked: page.items.length, ...(page.next !== undefined && { next: page.next }) };
}

async function itemOf(service: ControlService, request: BulkRequest, summary: RunSummary): Promise<BulkItem> {
  const { run, workflow } = summary;
  if (request.apply !== true) {
    const [operation, asked] = requestOf(run, request);
    const dry = await service.dryRun(operation, asked as ControlRequests[typeof operation]);
    return { run, workflow, answer: { kind: "dry-run", ...dry } };
  }
  // The receipt is what is wanted; nobody waits for hundreds of runs one after the other.
  const wait = { wait: 0 };
  const [operation, asked] = requestOf(run, request);
  switch (operation) {
    case "resolve":
      return { run, workflow, answer: await service.resolve(asked as ControlRequests["resolve"], wait) };
    case "cancel":
      return { run, workflow, answer: await service.cancel(asked as ControlRequests["cancel"], wait) };
    case "redrive":
      return { run, workflow, answer: await service.redrive(asked as ControlRequests["redrive"], wait) };
  }
}

/** What is wrong with one run alone: the others have their own answers. */
const ofOneRun: ReadonlySet<string> = new Set([
  "request.conflict",
  "run.not-found",
  "host.definition-missing",
  "host.pin-mismatch",
]);

function refusedItem({ requestId }: BulkRequest, { run, workflow }: RunSummary, error: unknown): BulkItem {
  if (!isSwlError(error) || !ofOneRun.has(error.code)) throw error;
  const { code, message } = error;
  return { run, workflow, answer: { kind: "refused", run, requestId, code, message } };
}

type BulkOperation = BulkRequest["operation"];

function requestOf(
  run: string,
  request: BulkRequest,
): readonly [BulkOperation, ControlRequests[BulkOperation]] {
  const { requestId, traceparent } = request;
  const of = { run, requestId, ...(traceparent !== undefined && { traceparent }) };
  switch (request.operation) {
    case "resolve":
      return ["resolve", { ...request.decision, ...of }];
    case "cancel":
      return ["cancel", { ...of, ...(request.reason !== undefined && { reason: request.reason }) }];
    case "redrive":
      return ["redrive", { run, requestId, ...(request.by !== undefined && { by: request.by }) }];
  }
}

async function holds(
  port: ControlPort,
  filter: BulkFilter,
  request: BulkRequest,
  look: Look,
): Promise<boolean> {
  const { action, reason, olderThan } = filter;
  const { status } = look;
  if (request.operation === "redrive") {
    if (look.result?.status !== "failed") return false;
    if (reason !== undefined && look.result.error.code !== reason) return false;
    if (olderThan !== undefined && port.now() - status.createdAt < olderThan) return false;
    return action === undefined || (await failedActions(port, status.run)).includes(action);
  }
  if (request.operation === "resolve" && status.status !== "needs-intervention") return false;
  const blockers = status.view?.blockers ?? [];
  const fits = (one: BlockerView): boolean =>
    (action === undefined || one.action === action) &&
    (reason === undefined || one.reason === reason) &&
    (olderThan === undefined || port.now() - one.since >= olderThan);
  if (blockers.length > 0) return blockers.some(fits);
  return action === undefined && reason === undefined && port.now() - status.createdAt >= (olderThan ?? 0);
}

/** What the failed activation would call again. A run that cannot be folded here fails for no action. */
async function failedActions(port: ControlPort, run: string): Promise<readonly string[]> {
  const plan = await port.planRedrive(run).catch((error: unknown) => {
    if (isSwlError(error)) return undefined;
    throw error;
  });
  return (plan?.step.commands ?? []).flatMap((command) => {
    const action = (command as { readonly action?: unknown } | null)?.action;
    return typeof action === "string" ? [action] : [];
  });
}
