/**
 * The operations that make something new: publishing a definition, creating a run, and making a run that goes on from a
 * failed one. Spec: INV-publish, INV-start, INV-redrive.
 */
import { contentDigest, isSwlError, type Json, raise, SwlError, toJson } from "@swl/base";
import type { ControlAnswer, Publication, PublishAnswer, Refused } from "./control-answers.js";
import { checkRequestId, jsonOf } from "./control-changes.js";
import type { Appended, ControlPort, ControlReceipt, NewRun, RedrivePlan } from "./control-port.js";
import type { PublishRequest, RedriveRequest, StartRequest } from "./control-requests.js";

const publishedName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

export function checkName(name: string): void {
  if (typeof name === "string" && publishedName.test(name)) return;
  throw new SwlError(
    "request.invalid",
    "A published name is an ID: 1..64 of A-Z a-z 0-9 _ -, no digit first.",
  );
}

/** Publications and runs share no request IDs. */
export function publicationScope(name: string): string {
  return `publish:${name}`;
}

/** Of starts, whatever they start. */
export const startScope = "start";

/** True for what receipts of starts, publications and settlements of workers are kept under: never a run. */
export function isOtherScope(scope: string): boolean {
  return scope === startScope || scope.startsWith("publish:") || scope.startsWith("work:");
}

export async function publish(port: ControlPort, request: PublishRequest): Promise<PublishAnswer> {
  checkRequestId(request.requestId);
  const definition = port.prepare(definitionOf(request));
  const { requestId, by, name = definition.workflow } = request;
  checkName(name);
  const digest = contentDigest([name, definition.digest]);
  for (;;) {
    const first = await port.receipt(publicationScope(name), requestId);
    const appended: Appended =
      first !== undefined
        ? { kind: "receipt", receipt: first }
        : await port.publish({ name, definition, ...(by !== undefined && { by }) }, { requestId, digest });
    if (appended.kind === "changed") continue;
    if (appended.kind === "lost") {
      const { code, message } = appended;
      return { kind: "received", name, requestId, code, message };
    }
    if (appended.kind === "receipt") refuseOther(appended.receipt, digest);
    const revision = appended.kind === "receipt" ? appended.receipt.position : appended.position;
    const repeated = appended.kind === "receipt" || appended.repeated;
    const made: Publication = {
      name,
      revision,
      definition: definition.digest,
      workflow: definition.workflow,
      at: port.now(),
      ...(by !== undefined && { by }),
    };
    return { kind: "applied", requestId, repeated, ...made };
  }
}

/** What a start stands for: compiled, its input tried. Throws `definition.invalid`, `input.invalid`, `name.not-found`. */
export async function newRun(port: ControlPort, request: StartRequest): Promise<NewRun> {
  const { traceparent } = request;
  const input = jsonOf("input", request.input);
  const given = { input, ...(traceparent !== undefined && { traceparent }) };
  if (request.name === undefined) return { preparation: port.prepare(definitionOf(request)), ...given };
  const publication = await port.publication(request.name);
  if (publication === undefined) {
    throw new SwlError("name.not-found", `Nothing was published under ${request.name}.`);
  }
  const { name, revision, definition } = publication;
  return { preparation: await port.prepareStored(definition), ...given, published: { name, revision } };
}

/** Throws `definition.invalid` for what is no JSON. */
export function definitionOf({ definition }: { readonly definition?: Json | object }): Json {
  const outcome = toJson(definition ?? null);
  return outcome.ok
    ? outcome.value
    : raise("definition.invalid", "The definition is not JSON", outcome.findings);
}

export function checkStart(request: StartRequest): void {
  if ((request.definition === undefined) === (request.name === undefined)) {
    throw new SwlError(
      "request.invalid",
      "A start names a published definition or carries one, and not both.",
    );
  }
  if (request.name !== undefined) checkName(request.name);
  if (request.startKey !== undefined) checkRequestId(request.startKey, 256, "start key");
}

/**
 * What makes two starts with one key the same. A start by name stands for the name, not for the revision that it took:
 * repeated after a further publication it is still the first run.
 */
export function startDigest(port: ControlPort, request: StartRequest): string {
  const input = jsonOf("input", request.input);
  if (request.name !== undefined) return contentDigest([{ name: request.name }, input]);
  return contentDigest([port.prepare(definitionOf(request)).digest, input]);
}

/** The plan, or why there is none. */
export async function redrivePlan(
  port: ControlPort,
  request: RedriveRequest,
): Promise<RedrivePlan | Refused> {
  try {
    return await port.planRedrive(request.run);
  } catch (error) {
    const refusals = ["run.not-failed", "run.unreadable", "store.quota"];
    if (!isSwlError(error) || !refusals.includes(error.code)) throw error;
    const { run, requestId } = request;
    return { kind: "refused", run, requestId, code: error.code, message: error.message };
  }
}

export function redriveContent({ by }: RedriveRequest): Json {
  return { type: "redrive", ...(by !== undefined && { by }) };
}

/** Throws `request.conflict`, with the start key by the name under which it was given, and the run that has it. */
export function refuseOtherStart({ requestId, run, digest: theirs }: ControlReceipt, digest: string): void {
  if (theirs === digest) return;
  const message = `Start key ${JSON.stringify(requestId)} was used before with other content: run ${run} has it.`;
  throw new SwlError("request.conflict", message, {
    details: { run },
    hint: "Look at that run. The same workflow and input as before give it again; a new run needs a new start key.",
  });
}

/** Throws `request.conflict`. */
export function refuseOther(receipt: ControlReceipt, digest: string): void {
  if (receipt.digest === digest) return;
  const message = `Request ID ${JSON.stringify(receipt.requestId)} was used before with other content.`;
  const hint = "A new request needs a new ID; a repeated one must be the same to the letter.";
  throw new SwlError("request.conflict", message, { hint });
}

/** An answer for what was appended, or undefined when it is to be tried anew. */
export function placed(
  appended: Exclude<Appended, { readonly kind: "changed" }>,
  run: string,
  requestId: string | undefined,
): Exclude<ControlAnswer, { readonly kind: "applied" | "finished" | "refused" }> {
  if (appended.kind === "lost") {
    return { kind: "received", run, ...idOf(requestId), code: appended.code, message: appended.message };
  }
  const { run: of, position } = appended.kind === "receipt" ? appended.receipt : appended;
  const repeated = appended.kind === "receipt" || appended.repeated;
  return { kind: "accepted", run: of, ...idOf(requestId), position, repeated };
}

/** What an answer says of its request's ID: nothing where there was none. */
export function idOf(requestId: string | undefined): { readonly requestId?: string } {
  return requestId === undefined ? {} : { requestId };
}
