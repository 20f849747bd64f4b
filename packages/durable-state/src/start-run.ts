/**
 * Starting a run: prepared, bound and its input checked before anything is written; then created, pinned and moved to
 * its first node in one item. Spec: DUR-pinning, DUR-start-key.
 */
import { contentDigest, type Json, raise, SwlError, toJson } from "@swl/base";
import { type BindingSet, resolveBindings } from "@swl/invocation-control";
import type { Receipt } from "@swl/store-provider";
import type { Served } from "./definitions.js";
import { type CreatedDocument, createdRecord, pinsOf } from "./formats.js";
import type { HostCore } from "./host-core.js";
import type { StartOptions } from "./host-types.js";
import type { LoadedRun } from "./loaded-run.js";
import { propose } from "./proposal.js";

export interface StartContext {
  readonly core: HostCore;
  readonly bindings: readonly BindingSet[];
  readonly grants: readonly string[];
}

/** The new run's ID, or that of the run that the same start key gave before. */
export async function startRun(
  context: StartContext,
  definition: unknown,
  options: StartOptions,
): Promise<string> {
  const { core } = context;
  const document = jsonOrThrow(definition, "definition.invalid", "The definition is not JSON");
  const input = jsonOrThrow(
    options.input === undefined ? null : options.input,
    "input.invalid",
    "The input is not JSON",
  );
  const digest = contentDigest({ definition: document, input });
  if (options.startKey !== undefined) {
    const first = await core.store.receipt("start", options.startKey);
    if (first !== undefined) return sameRun(first, digest);
  }
  const served = core.definitions.prepare(document);
  const created = create(served, context, input);
  const id = `run-${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 20)}`;
  refuseInvalidInput(served, id, input, core.storeClock.estimate());
  for (;;) {
    const run = unborn(id, created, served);
    const proposal = propose(run, [{ record: createdRecord(created) }], {
      commit: core.newId(),
      holder: core.lease.holder,
      stamp: core.storeClock.estimate(),
      adoptEvidence: false,
      newEventId: core.newId,
      reserve: (action) => core.dispatcher.reserve(action),
      keepsOwnership: false,
      ownsStream: false,
      notTakeable: new Set(),
    });
    if ("quarantine" in proposal) raise("definition.invalid", "The run cannot start", [proposal.quarantine]);
    const item = {
      ...proposal.item,
      facets: {
        ...proposal.item.facets,
        workflow: created.workflow,
        ...(options.startKey !== undefined && { key: options.startKey }),
      },
      blobs: [{ digest: created.definition, document }],
      ...(options.startKey !== undefined && {
        receipts: [{ scope: "start", request: options.startKey, digest }],
      }),
    };
    const release = (): void => {
      for (const command of proposal.begin) core.dispatcher.release(command.action);
    };
    const answer = await core.committer.submit(item).catch((error: unknown) => {
      release();
      throw error;
    });
    if (answer.kind === "accepted") {
      core.actor(id).created(run, { ...proposal, item }, answer.last);
      return id;
    }
    release();
    if (answer.kind === "receipt") return sameRun(answer.receipt, digest);
    const { failure } = answer;
    if (failure.kind === "clock-ahead" && failure.now !== undefined) core.storeClock.correct(failure.now);
    else if (failure.kind === "conflict") throw conflict(options.startKey);
    else if (failure.kind !== "lease-lost") throw new SwlError(`store.${failure.kind}`, failure.message);
  }
}

function jsonOrThrow(value: unknown, code: "definition.invalid" | "input.invalid", summary: string): Json {
  const outcome = toJson(value);
  return outcome.ok ? outcome.value : raise(code, summary, outcome.findings);
}

function sameRun(receipt: Receipt, digest: string): string {
  if (receipt.digest !== digest) throw conflict(receipt.request);
  return receipt.stream;
}

function conflict(key: string | undefined): SwlError {
  return new SwlError(
    "request.conflict",
    `Start key ${JSON.stringify(key ?? "")} was used before with other content.`,
    {
      hint: "A new run needs a new start key.",
    },
  );
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

function refuseInvalidInput({ model, prepared }: Served, run: string, input: Json, at: number): void {
  const step = model.transition(prepared, undefined, {
    type: "start",
    run,
    input,
    id: "dry",
    position: 1,
    at,
  });
  if ("error" in step) raise("definition.invalid", "The run cannot start", [step.error]);
  if (step.effect.kind === "none" && step.effect.refuse) {
    throw new SwlError(step.effect.code, step.effect.message, { findings: step.diagnostics });
  }
}

function unborn(id: string, created: CreatedDocument, served: Served): LoadedRun {
  return {
    id,
    created,
    served,
    state: undefined,
    position: 0,
    owner: undefined,
    hold: undefined,
    holdReason: undefined,
    closed: false,
    work: new Map(),
    dues: new Map(),
    unapplied: [],
    behind: false,
    facets: {},
    createdAt: 0,
  };
}
