/**
 * The control service: every operation of the control plane on a port. Asks for the right first, looks for the receipt
 * then, judges against the run where its state is known, appends once, and tells how far that got; what it shows is
 * masked on the way out. Spec: INV-operations, INV-answers, INV-authorization, INV-masking.
 */
import { contentDigest, isSwlError, type Json, SwlError } from "@swl/base";
import type { ControlService } from "./control.js";
import type { Access, Authorize } from "./control-access.js";
import type {
  BulkAnswer,
  ControlAnswer,
  DryRun,
  Publication,
  PublishAnswer,
  Refused,
} from "./control-answers.js";
import { bulkOf } from "./control-bulk.js";
import { changeOf, checkRequestId, judge, type RunOperation, type RunRequests } from "./control-changes.js";
import { dryChange, dryPublish, dryStart, dryStep, refusedDry } from "./control-dry-run.js";
import { type HistoryRange, historyOf, pathOf } from "./control-history.js";
import {
  checkName,
  checkStart,
  definitionOf,
  idOf,
  isOtherScope,
  newRun,
  placed,
  publish,
  redriveContent,
  redrivePlan,
  refuseOther,
  refuseOtherStart,
  startDigest,
  startScope,
} from "./control-new-runs.js";
import type { Appended, AppliedAnswer, ControlPort, ControlReceipt, Look } from "./control-port.js";
import type {
  BulkRequest,
  ChangingOperation,
  ControlRequests,
  ListRequest,
  PublishRequest,
  ReadOptions,
  RedriveRequest,
  ResultOptions,
  StartRequest,
  WaitOptions,
} from "./control-requests.js";
import { type Mask, Masks } from "./control-secrets.js";
import type {
  ControlPage,
  EdgeView,
  Explanation,
  HistoryEntry,
  RunResult,
  RunStatus,
  RunSummary,
  Verification,
} from "./control-views.js";
import { awaitAnswer, checkWait } from "./control-waiting.js";

export interface ControlServiceOptions {
  /** Default: everybody may do everything, and sees marked values when asking for them. */
  readonly authorize?: Authorize;
}

export function controlService(port: ControlPort, options: ControlServiceOptions = {}): ControlService {
  return new PortControl(port, options.authorize ?? (() => true), new Masks(port));
}

class PortControl implements ControlService {
  readonly #port: ControlPort;
  readonly #authorize: Authorize;
  readonly #masks: Masks;

  constructor(port: ControlPort, authorize: Authorize, masks: Masks) {
    this.#port = port;
    this.#authorize = authorize;
    this.#masks = masks;
  }

  as(authorize: Authorize): ControlService {
    return new PortControl(this.#port, authorize, this.#masks);
  }

  async publish(request: PublishRequest): Promise<PublishAnswer> {
    const { requestId, name = "" } = request;
    if (await this.#may({ operation: "publish", ...nameOf(request) })) return publish(this.#port, request);
    return { ...denied("publish", ""), kind: "refused", name, requestId };
  }

  async published(name: string): Promise<Publication | undefined> {
    await this.#read({ operation: "published", name });
    checkName(name);
    return this.#port.publication(name);
  }

  async start(request: StartRequest, options: WaitOptions = {}): Promise<ControlAnswer> {
    const { startKey } = request;
    if (!(await this.#may({ operation: "start", ...nameOf(request) }))) return denied("start", "", startKey);
    checkStart(request);
    checkWait("wait", options.wait);
    const port = this.#port;
    const key =
      startKey === undefined ? undefined : { requestId: startKey, digest: startDigest(port, request) };
    const first = key && (await port.receipt(startScope, key.requestId));
    let appended: Appended = { kind: "changed" };
    if (first !== undefined) appended = { kind: "receipt", receipt: first };
    while (appended.kind === "changed") {
      const made = await newRun(port, request);
      const { effect } = made.preparation.start(made.input);
      if (effect.kind === "none" && effect.refuse) {
        const mask = this.#masks.ofStart(made.preparation.definition, made.input);
        throw new SwlError(effect.code, mask({ message: effect.message }).message);
      }
      appended = await port.create(made, key);
      if (appended.kind === "accepted") this.#masks.created(appended.run, made.preparation.definition);
    }
    if (appended.kind === "receipt" && key !== undefined) refuseOtherStart(appended.receipt, key.digest);
    return this.#answer(placed(appended, "", startKey), { wait: 0, ...options });
  }

  signal(request: ControlRequests["signal"], options?: WaitOptions): Promise<ControlAnswer> {
    return this.#change("signal", request, options);
  }

  update(request: ControlRequests["update"], options?: WaitOptions): Promise<ControlAnswer> {
    return this.#change("update", request, options);
  }

  complete(request: ControlRequests["complete"], options?: WaitOptions): Promise<ControlAnswer> {
    return this.#change("complete", request, options);
  }

  resolve(request: ControlRequests["resolve"], options?: WaitOptions): Promise<ControlAnswer> {
    return this.#change("resolve", request, options);
  }

  cancel(request: ControlRequests["cancel"], options?: WaitOptions): Promise<ControlAnswer> {
    return this.#change("cancel", request, options);
  }

  release(request: ControlRequests["release"], options?: WaitOptions): Promise<ControlAnswer> {
    return this.#change("release", request, options);
  }

  async terminate(request: ControlRequests["terminate"]): Promise<ControlAnswer> {
    const answer = await this.#change("terminate", request, { wait: 0 });
    if (answer.kind === "refused" || answer.kind === "received") return answer;
    const { run, requestId, position, repeated } = answer;
    const result = await this.#port.result(run, {});
    const mask = await this.#masks.of(run);
    return { kind: "finished", run, ...idOf(requestId), position, repeated, result: mask(result) };
  }

  async redrive(request: RedriveRequest, options: WaitOptions = {}): Promise<ControlAnswer> {
    const { run, requestId, by } = request;
    if (!(await this.#may({ operation: "redrive", run }))) return denied("redrive", run, requestId);
    checkRequestId(requestId);
    checkWait("wait", options.wait);
    const digest = contentDigest(redriveContent(request));
    const first = await this.#receipt(run, requestId);
    let appended: Appended = first === undefined ? { kind: "changed" } : { kind: "receipt", receipt: first };
    while (appended.kind === "changed") {
      const plan = await redrivePlan(this.#port, request);
      if ("kind" in plan) return (await this.#masks.of(run))(plan);
      appended = await this.#port.redrive(plan, by, { requestId, digest });
    }
    if (appended.kind === "receipt") refuseOther(appended.receipt, digest);
    return this.#answer(placed(appended, run, requestId), { wait: 0, ...options });
  }

  async dryRun<O extends ChangingOperation>(operation: O, request: ControlRequests[O]): Promise<DryRun> {
    const { run = "" } = request as { readonly run?: string };
    const named = operation === "publish" || operation === "start";
    const name = named ? nameOf(request as StartRequest) : {};
    const access = { operation, dryRun: true, ...(run !== "" && { run }), ...name };
    if (!(await this.#may(access))) return refusedDry({ operation, run }, denied(operation, run));
    if (operation === "publish") {
      const asked = request as PublishRequest;
      const { workflow } = this.#port.prepare(definitionOf(asked));
      checkName(asked.name ?? workflow);
      return dryPublish(this.#port, asked.name ?? workflow);
    }
    if (operation === "start") {
      checkStart(request as StartRequest);
      const made = await newRun(this.#port, request as StartRequest);
      return this.#masks.ofStart(made.preparation.definition, made.input)(dryStart(made));
    }
    if (operation === "redrive") return this.#dryRedrive(request as RedriveRequest);
    const change = changeOf(operation as RunOperation, request as RunRequests[RunOperation]);
    const look = (await this.#port.look(run)) ?? raiseNotFound(run);
    const made = change.of(look);
    const mask = await this.#masks.of(run, "kind" in made && made.kind === "event" ? made.event : undefined);
    return mask(dryChange(operation, look, change));
  }

  async bulk(request: BulkRequest): Promise<BulkAnswer> {
    const { operation } = request;
    checkRequestId(request.requestId);
    const dryRun = request.apply !== true;
    await this.#read({ operation, dryRun });
    return bulkOf(this, this.#port, request, (run) => this.#may({ operation, run, dryRun }));
  }

  async status(run: string, options?: ReadOptions): Promise<RunStatus> {
    await this.#read({ operation: "status", run, ...options });
    const { status } = (await this.#port.look(run)) ?? raiseNotFound(run);
    return (await this.#maskOf(run, options))(status);
  }

  async why(run: string, options?: ReadOptions): Promise<Explanation> {
    await this.#read({ operation: "why", run, ...options });
    const look = (await this.#port.look(run)) ?? raiseNotFound(run);
    return (await this.#maskOf(run, options))(await look.explain());
  }

  async list(request: ListRequest = {}): Promise<ControlPage<RunSummary>> {
    await this.#read({ operation: "list" });
    const page = await this.#port.list(request);
    const items: RunSummary[] = [];
    for (const item of page.items) {
      if (await this.#may({ operation: "list", run: item.run })) items.push(item);
    }
    return { ...page, items };
  }

  async history(run: string, options: HistoryRange & ReadOptions = {}): Promise<readonly HistoryEntry[]> {
    const { after, limit, ...reading } = options;
    await this.#read({ operation: "history", run, ...reading });
    await this.#found(run);
    return (await this.#maskOf(run, reading))(await historyOf(this.#port, run, options));
  }

  async path(run: string): Promise<readonly EdgeView[]> {
    await this.#read({ operation: "path", run });
    await this.#found(run);
    return pathOf(this.#port, run);
  }

  async definition(run: string): Promise<Json> {
    await this.#read({ operation: "definition", run });
    return this.#port.definition(run);
  }

  async result(run: string, options: ResultOptions = {}): Promise<RunResult> {
    const { reveal, ...waiting } = options;
    await this.#read({ operation: "result", run, ...(reveal !== undefined && { reveal }) });
    try {
      const result = await this.#port.result(run, waiting);
      return (await this.#maskOf(run, options))(result);
    } catch (error) {
      if (!isSwlError(error) || error.code !== "run.parked") throw error;
      const said = (await this.#maskOf(run, options))({ message: error.message });
      const { details, hint } = error;
      throw new SwlError("run.parked", said.message, {
        ...(details && { details }),
        ...(hint !== undefined && { hint }),
      });
    }
  }

  async verify(
    run: string,
    options: { readonly position?: number } & ReadOptions = {},
  ): Promise<Verification> {
    const { position = Number.MAX_SAFE_INTEGER, reveal } = options;
    await this.#read({ operation: "verify", run, ...(reveal !== undefined && { reveal }) });
    if (!Number.isInteger(position) || position < 1) {
      throw new SwlError("request.invalid", "A position is a whole number from 1.");
    }
    return (await this.#maskOf(run, options))({ run, ...(await this.#port.fold(run, position)) });
  }

  async #change<O extends RunOperation>(
    operation: O,
    request: RunRequests[O],
    options: WaitOptions = {},
  ): Promise<ControlAnswer> {
    const given = request as {
      readonly run: string;
      readonly requestId?: string;
      readonly messageId?: string;
    };
    const said = given.requestId ?? given.messageId;
    if (!(await this.#may({ operation, run: given.run }))) return denied(operation, given.run, said);
    const change = changeOf(operation, request);
    checkWait("wait", options.wait);
    const { run, requestId } = change;
    const digest = contentDigest(change.content);
    const port = this.#port;
    const atOnce = change.event && (await port.appendApplied(change.event, { requestId, digest }));
    const message = operation === "signal" || operation === "update";
    const asked = atOnce === undefined ? this.#receipt(run, requestId) : undefined;
    // Nearly always there is no receipt: then what comes next is known when that is.
    let looking: Promise<Look | undefined> | undefined =
      message && asked !== undefined ? port.lookAhead(run) : undefined;
    looking?.catch(() => undefined);
    const first = await asked;
    let appended: Appended = first === undefined ? { kind: "changed" } : { kind: "receipt", receipt: first };
    if (atOnce !== undefined) appended = atOnce;
    while (appended.kind === "changed") {
      looking ??= message ? port.lookAhead(run) : port.look(run);
      const look = (await looking) ?? raiseNotFound(run);
      looking = undefined;
      const made = change.of(look);
      const refusal = "code" in made ? made : judge(look, made);
      if ("code" in made || refusal !== undefined) {
        const mask = await this.#masks.of(
          run,
          "kind" in made && made.kind === "event" ? made.event : undefined,
        );
        return mask({ kind: "refused", run, requestId, ...(refusal ?? (made as Refused)) });
      }
      appended = await port.append(made, { requestId, digest });
    }
    if (appended.kind === "receipt") refuseOther(appended.receipt, digest);
    const known = appended.kind === "accepted" ? appended.answer : undefined;
    return this.#answer(placed(appended, run, requestId), options, known);
  }

  /** `known`: how it fared, where that was said with its acceptance. */
  async #answer(answer: ControlAnswer, options: WaitOptions, known?: AppliedAnswer): Promise<ControlAnswer> {
    if (answer.kind !== "accepted") return answer;
    const { kind: _, ...accepted } = answer;
    const waited = await awaitAnswer(this.#port, accepted, options, known);
    const shows = "message" in waited || "result" in waited;
    return shows ? (await this.#masks.of(accepted.run))(waited) : waited;
  }

  async #dryRedrive(request: RedriveRequest): Promise<DryRun> {
    const of = { operation: "redrive", run: request.run };
    checkRequestId(request.requestId);
    const plan = await redrivePlan(this.#port, request);
    const mask = await this.#masks.of(request.run);
    return mask("kind" in plan ? refusedDry(of, plan) : dryStep({ ...of, before: "failed" }, plan.step));
  }

  async #maskOf(run: string, options: ReadOptions | undefined): Promise<Mask> {
    return options?.reveal === true ? (shown) => shown : this.#masks.of(run);
  }

  async #may(access: Pick<Access, "operation"> & Partial<Access>): Promise<boolean> {
    return await this.#authorize({ dryRun: false, reveal: false, ...access });
  }

  /** Throws `request.unauthorized`. */
  async #read(access: Pick<Access, "operation"> & Partial<Access>): Promise<void> {
    if (await this.#may(access)) return;
    const { code, message } = denied(access.operation, access.run ?? "");
    throw new SwlError(code, message);
  }

  /** Asked before the run is looked for: a name that receipts of something else are kept under is no run's. */
  #receipt(run: string, requestId: string): Promise<ControlReceipt | undefined> {
    return isOtherScope(run) ? raiseNotFound(run) : this.#port.receipt(run, requestId);
  }

  async #found(run: string): Promise<void> {
    if ((await this.#port.closed(run)) === undefined) raiseNotFound(run);
  }
}

/** The published name that a request is about. */
function nameOf(request: { readonly name?: string }): { readonly name?: string } {
  return request.name === undefined ? {} : { name: request.name };
}

function denied(operation: string, run: string, requestId?: string): Refused {
  const message = `Whoever asks has no right to ${operation}.`;
  return { kind: "refused", run, ...idOf(requestId), code: "request.unauthorized", message };
}

function raiseNotFound(run: string): never {
  throw new SwlError("run.not-found", `There is no run ${JSON.stringify(run)} in this store.`);
}
