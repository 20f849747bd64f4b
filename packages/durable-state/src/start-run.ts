/**
 * Starting a run: prepared, bound and its input checked before anything is written; then created, pinned and moved to
 * its first node in one item. Spec: DUR-pinning, DUR-start-key.
 */
import { contentDigest, type Json, raise, SwlError, toJson } from "@swl/base";
import { type BindingSet, resolveBindings } from "@swl/invocation-control";
import type { Item, Receipt, ReceiptInput } from "@swl/store-provider";
import { contextOf, submitted } from "./committing.js";
import type { Known, Served } from "./definitions.js";
import { type CreatedDocument, createdRecord, pinsOf } from "./formats.js";
import type { HostCore } from "./host-core.js";
import type { StartOptions } from "./host-types.js";
import { type LoadedRun, noTraces } from "./loaded-run.js";
import { runIdOf } from "./new-runs.js";
import { type Proposal, propose } from "./proposal.js";
import { checkTraceparent } from "./trace-context.js";

export interface StartContext {
  readonly core: HostCore;
  readonly bindings: readonly BindingSet[];
  readonly grants: readonly string[];
  readonly newId: () => string;
}

/** The new run's ID, or that of the run that the same start key gave before. */
export async function startRun(
  context: StartContext,
  definition: unknown,
  options: StartOptions,
): Promise<string> {
  const { core } = context;
  checkStartKey(options.startKey);
  checkTraceparent(options.traceparent);
  const input = jsonOrThrow(options.input === undefined ? null : options.input);
  const known = core.definitions.given(definition);
  const { served } = known;
  // Only a start key needs the digest: a start without one is never compared with another.
  const key =
    options.startKey === undefined
      ? undefined
      : {
          scope: "start",
          request: options.startKey,
          digest: contentDigest([served.requirements.definition, input]),
        };
  if (key !== undefined) {
    const first = await core.store.receipt(key.scope, key.request);
    if (first !== undefined) return sameRun(first, key.digest);
  }
  const id = runIdOf(context.newId());
  const pins = create(served, context, input);
  const traced = core.observing?.starting(pins.workflow, options.traceparent);
  const trace = traced?.traceparent ?? options.traceparent;
  const pinned = { ...pins, ...(trace !== undefined && { trace }) };
  const run = unborn(id, pinned, served);
  const first = firstCommit(core, run);
  const actor = core.actor(id);
  // Whoever finds the run before the first commit's answer is here waits for it.
  const created = actor.creating();
  try {
    const made = await createRun(core, run, first, known, key);
    // Another start under the same key may have been first: then this one's trace is nobody's.
    if (made === id) traced?.committed?.(id);
    return made;
  } finally {
    created();
  }
}

async function createRun(
  core: HostCore,
  run: LoadedRun,
  first: Proposal,
  known: Known,
  key: ReceiptInput | undefined,
): Promise<string> {
  for (let proposal = first; ; proposal = firstCommit(core, run)) {
    // Pinned where it should be there; only a store that lacks it is sent the document.
    const { definition: digest } = run.created;
    const label = key === undefined ? undefined : { key: key.request };
    const item: Item = {
      ...proposal.item,
      facets: { ...proposal.item.facets, workflow: run.created.workflow, ...label },
      ...(known.stored ? { pins: [digest] } : { blobs: [{ digest, document: known.document }] }),
      ...(key !== undefined && { receipts: [key] }),
    };
    const answer = await submitted(core, proposal, item);
    if (answer.kind === "accepted") {
      known.stored = true;
      core.actor(run.id).created({ ...run, createdAt: item.stamp }, { ...proposal, item }, answer.last);
      return run.id;
    }
    if (answer.kind === "receipt") return sameRun(answer.receipt, key!.digest);
    const { failure } = answer;
    if (failure.kind === "clock-ahead" && failure.now !== undefined) core.storeClock.correct(failure.now);
    else if (failure.kind === "lease-lost") core.lease.doubt();
    else if (failure.kind === "not-found" && item.pins !== undefined) known.stored = false;
    else if (failure.kind === "conflict") throw await conflicting(core, key);
    else throw new SwlError(`store.${failure.kind}`, failure.message);
  }
}

/** Throws what the model says of an input that the workflow does not take. */
function firstCommit(core: HostCore, run: LoadedRun): Proposal {
  const proposed = propose(run, [{ record: createdRecord(run.created) }], {
    ...contextOf(core, run),
    adoptEvidence: false,
    keepsOwnership: false,
    ownsStream: false,
    isUnbegun: () => false,
  });
  if ("quarantine" in proposed) raise("definition.invalid", "The run cannot start", [proposed.quarantine]);
  if (proposed.refused !== undefined) {
    const { code, message, findings } = proposed.refused;
    throw new SwlError(code, message, { findings });
  }
  return proposed;
}

function checkStartKey(key: string | undefined): void {
  if (key === undefined || (key !== "" && key.length <= 256 && !key.includes("\0"))) return;
  throw new SwlError("request.invalid", "A start key has 1..256 characters without NUL.");
}

function jsonOrThrow(value: unknown): Json {
  const outcome = toJson(value);
  return outcome.ok ? outcome.value : raise("input.invalid", "The input is not JSON", outcome.findings);
}

function sameRun(receipt: Receipt, digest: string): string {
  if (receipt.digest !== digest) throw conflict(receipt.request, receipt.stream);
  return receipt.stream;
}

/** Of a start that lost against another one under its key. */
async function conflicting({ store }: HostCore, key: ReceiptInput | undefined): Promise<SwlError> {
  const first = key && (await store.receipt(key.scope, key.request));
  return conflict(key?.request, first?.stream);
}

function conflict(key = "", run?: string): SwlError {
  const who = run === undefined ? "" : `: run ${run} has it`;
  const message = `Start key ${JSON.stringify(key)} was used before with other content${who}.`;
  return new SwlError("request.conflict", message, {
    ...(run !== undefined && { details: { run } }),
    hint: "Look at that run. The same workflow and input as before give it again; a new run needs a new start key.",
  });
}

function create(served: Served, context: StartContext, input: Json): CreatedDocument {
  const { model, requirements } = served;
  const bound = resolveBindings(requirements.actions, context.bindings, context.grants);
  if (!bound.ok) {
    raise(
      bound.findings[0]?.code ?? "binding.missing",
      `Workflow ${requirements.workflow} cannot be bound here`,
      bound.findings,
    );
  }
  return {
    ...pinsOf(requirements),
    model: model.id,
    semantics: model.semantics.writes,
    bindings: Object.fromEntries([...bound.value].map(([action, provider]) => [action, provider.id])),
    input,
  };
}

function unborn(id: string, created: CreatedDocument, served: Served): LoadedRun {
  return {
    id,
    created,
    served,
    state: undefined,
    head: undefined,
    position: 0,
    owner: undefined,
    hold: undefined,
    holdReason: undefined,
    closed: false,
    work: new Map(),
    dues: new Map(),
    unapplied: [],
    traces: noTraces,
    behind: false,
    released: false,
    terminated: undefined,
    facets: {},
    createdAt: 0,
    boundLate: false,
  };
}
