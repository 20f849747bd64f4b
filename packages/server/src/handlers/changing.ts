/**
 * The changing operations: the request ID from `Idempotency-Key`, the answer as far as it got. What was refused or had
 * no effect is a problem that carries the answer. Spec: INV-http-answers.
 */
import { SwlError } from "@swl/base";
import type {
  BulkRequest,
  ChangingOperation,
  CompleteRequest,
  ControlAnswer,
  ControlRequests,
  PublishAnswer,
} from "@swl/invocation-control";
import { verifyCallback } from "@swl/invocation-control/tokens";
import { authorizeFor } from "../access.js";
import { type Call, type Handler, json, type Reply } from "../call.js";
import type { Bodies, Queries } from "../contracts/requests.js";
import { problemOf } from "../problem.js";
import { pathTo } from "../routes.js";

type Waiting = Exclude<ChangingOperation, "publish" | "terminate">;

export const start: Handler = (call) => {
  const request = {
    ...(call.body as Bodies["start"]),
    ...(call.key !== undefined && { startKey: call.key }),
    ...traceOf(call),
  };
  return change(call, "start", request as ControlRequests["start"]);
};

const traceContext = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** One that is none says nothing: what stands between caller and server may have put it there. */
function traceOf({ headers }: Call): { readonly traceparent?: string } {
  const traceparent = headers.get("traceparent");
  return traceparent !== null && traceContext.test(traceparent) ? { traceparent } : {};
}

export const signal: Handler = (call) =>
  change(call, "signal", of(call, { messageId: requestId(call) }) as ControlRequests["signal"]);

export const update: Handler = (call) => change(call, "update", of(call) as ControlRequests["update"]);
export const resolve: Handler = (call) => change(call, "resolve", of(call) as ControlRequests["resolve"]);
export const cancel: Handler = (call) => change(call, "cancel", of(call) as ControlRequests["cancel"]);
export const redrive: Handler = (call) => change(call, "redrive", of(call) as ControlRequests["redrive"]);
export const release: Handler = (call) => change(call, "release", of(call) as ControlRequests["release"]);

export const complete: Handler = (call) =>
  change(call, "complete", completion({ ...of(call, { messageId: requestId(call) }) }));

export const terminate: Handler = async (call) => {
  const request = of(call) as ControlRequests["terminate"];
  if ((call.query as Queries["terminate"]).dryRun)
    return json(200, await call.control.dryRun("terminate", request));
  return answered(await call.control.terminate(request));
};

/** The bearer of a callback token: one attempt of one operation, and nothing else. Its message ID is the attempt's own. */
export const callback: Handler = async (call) => {
  const { core, parameters, wait, gone } = call;
  const verified = verifyCallback(parameters["token"]!, core.callbackKeys, core.now());
  if (!verified.ok) {
    const { code, message } = verified.findings[0]!;
    throw new SwlError(code, message);
  }
  const { run, invocation, attempt } = verified.value;
  const control = core.control.as(authorizeFor({ id: "callback", scopes: new Set(["signal"]) }, undefined));
  const named = { run, invocation, attempt, messageId: `callback:${invocation}:${attempt}` };
  const request = completion({ ...named, ...traceOf(call), ...call.body });
  return answered(await control.complete(request, { wait, signal: gone }));
};

export const publish: Handler = async (call) => {
  const request = {
    ...(call.body as Bodies["publish"]),
    requestId: requestId(call),
  } as ControlRequests["publish"];
  if ((call.query as Queries["publish"]).dryRun)
    return json(200, await call.control.dryRun("publish", request));
  const answer: PublishAnswer = await call.control.publish(request);
  return answer.kind === "applied" ? json(200, answer) : refusal(answer);
};

export const bulk: Handler = async (call) => {
  const request = { ...(call.body as object), requestId: requestId(call), ...traceOf(call) } as BulkRequest;
  return json(200, await call.control.bulk(request));
};

async function change<O extends Waiting>(
  call: Call,
  operation: O,
  request: ControlRequests[O],
): Promise<Reply> {
  const { control, wait } = call;
  const { dryRun, until } = call.query as Queries["signal"];
  if (dryRun) return json(200, await control.dryRun(operation, request));
  const options = { wait, ...(wait > 0 && { signal: call.gone }), ...(until !== undefined && { until }) };
  const send = control[operation].bind(control) as (
    request: ControlRequests[O],
    options: object,
  ) => Promise<ControlAnswer>;
  const answer = await send(request, options);
  return answered(answer, operation === "start" || operation === "redrive");
}

/** `creates`: the answer's run is a new one, whose place is told. */
export function answered(answer: ControlAnswer, creates = false): Reply {
  if (answer.kind === "refused" || answer.kind === "received") return refusal(answer);
  if (answer.kind === "applied" && answer.effect === "none") return refusal(answer);
  if (creates) return json(201, answer, { location: pathTo("status", { run: answer.run }) });
  return json(answer.kind === "accepted" ? 202 : 200, answer);
}

/** `received`: the store's answer was lost; asking again under the same ID tells. */
function refusal(
  answer: { readonly kind: string; readonly code: ControlRefusal["code"]; readonly message: string } & object,
): Reply {
  const problem = problemOf(new SwlError(answer.code, answer.message), answer);
  const status = answer.kind === "received" ? 503 : problem.status < 500 ? problem.status : 409;
  return json(
    status,
    { ...problem.body, status },
    { ...problem.headers, "content-type": "application/problem+json" },
  );
}

type ControlRefusal = Extract<ControlAnswer, { kind: "refused" }>;

function of(call: Call, id: object = { requestId: requestId(call) }): object {
  return { ...call.body, ...id, ...traceOf(call), run: call.parameters["run"]! };
}

function requestId({ key }: Call): string {
  return key ?? `http-${globalThis.crypto.randomUUID()}`;
}

/** Either an outcome or an error. Throws `request.invalid`. */
function completion(given: object): CompleteRequest {
  const { outcome, error } = given as { readonly outcome?: unknown; readonly error?: unknown };
  if ((outcome === undefined) === (error === undefined)) {
    throw new SwlError("request.invalid", "A completion has exactly one of outcome and error.", {
      pointer: "",
    });
  }
  return given as CompleteRequest;
}
