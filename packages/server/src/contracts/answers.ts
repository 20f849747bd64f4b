/**
 * What comes out of each route, as zod. The OpenAPI document is made of it, and the tests hold every answer to it; at
 * run time answers are written as they are.
 */

import { codes } from "@swl/base";
import { z } from "zod";

const json = z.unknown().meta({ description: "any JSON" });
const count = z.int().min(0);
const instant = z.number().meta({ description: "milliseconds since the epoch" });
const code = z.enum(codes).meta({ id: "Code", description: "each has a page under docs/errors" });

const errorView = z
  .strictObject({ code: z.string(), message: z.string(), details: json })
  .meta({ id: "ErrorView" });

const result = z
  .discriminatedUnion("status", [
    z.strictObject({ status: z.literal("completed"), output: json }),
    z.strictObject({ status: z.literal("failed"), error: errorView }),
    z.strictObject({ status: z.literal("canceled"), error: errorView.optional() }),
  ])
  .meta({ id: "RunResult" });

const pending = z.strictObject({ status: z.literal("pending") }).meta({ id: "Pending" });

/** A start without `Idempotency-Key` has no request ID. */
const of = { run: z.string(), requestId: z.string().optional() };
const receipt = { ...of, position: count, repeated: z.boolean() };
const said = { code, message: z.string() };

/** Accepted or better; what was refused or had no effect is a problem that carries the answer. */
const accepted = z
  .union([
    z.strictObject({ kind: z.literal("accepted"), ...receipt }),
    z.strictObject({ kind: z.literal("applied"), effect: z.enum(["moved", "buffered"]), ...receipt }),
    z.strictObject({ kind: z.literal("applied"), effect: z.literal("none"), ...said, ...receipt }),
    z.strictObject({ kind: z.literal("finished"), result, ...receipt }),
    z.strictObject({ kind: z.literal("received"), ...of, ...said }),
    z.strictObject({ kind: z.literal("refused"), ...of, ...said }),
  ])
  .meta({ id: "ControlAnswer" });

const edge = z
  .strictObject({ node: z.string(), route: z.string(), target: z.string(), visit: count })
  .meta({ id: "Edge" });
const view = z.looseObject({ workflow: z.string(), status: z.string() }).meta({ id: "RunView" });

const dryRun = z
  .strictObject({
    operation: z.string(),
    run: z.string(),
    effect: z.enum(["moved", "buffered", "none", "refused", "unknown"]),
    code: code.optional(),
    message: z.string().optional(),
    before: z.string().optional(),
    after: z.string().optional(),
    edges: z.array(edge),
    commands: z.array(json),
    view: view.optional(),
    revision: count.optional(),
  })
  .meta({ id: "DryRun" });

const publication = {
  name: z.string(),
  revision: count,
  definition: z.string(),
  workflow: z.string(),
  at: instant,
  by: z.string().optional(),
};

const summary = z
  .strictObject({
    run: z.string(),
    workflow: z.string(),
    status: z.string(),
    startKey: z.string().optional(),
    position: count,
    createdAt: instant,
    closed: z.boolean(),
    hold: z.string().optional(),
  })
  .meta({ id: "RunSummary" });

const status = z
  .looseObject({
    run: z.string(),
    workflow: z.string(),
    definition: z.string(),
    status: z.string(),
    position: count,
    unapplied: count,
    closed: z.boolean(),
    createdAt: instant,
    view: view.optional(),
  })
  .meta({ id: "RunStatus" });

const explanation = z
  .strictObject({
    run: z.string(),
    status: z.string(),
    summary: z.string(),
    blockers: z.array(z.looseObject({ kind: z.string(), message: z.string(), options: z.array(z.string()) })),
  })
  .meta({ id: "Explanation" });

const entry = z
  .strictObject({
    position: count,
    at: instant,
    kind: z.string(),
    event: z.looseObject({ type: z.string(), id: z.string() }).optional(),
    edges: z.array(edge).optional(),
    answers: z
      .array(z.strictObject({ position: count, effect: z.string(), code: code.optional() }))
      .optional(),
  })
  .meta({ id: "HistoryEntry" });

const task = z
  .strictObject({
    task: z.string(),
    run: z.string(),
    invocation: z.string(),
    activation: z.string(),
    action: z.string(),
    attempt: count,
    input: json,
    parameters: json,
    idempotencyKey: z.string(),
    traceparent: z.string().optional().meta({ description: "W3C trace context that the run keeps" }),
    effect: z.string(),
    attemptMs: count.optional(),
    lease: count,
  })
  .meta({ id: "Task" });

const settled = z
  .union([
    z.strictObject({
      kind: z.enum(["applied", "evidence"]),
      task: z.string(),
      position: count.optional(),
      repeated: z.boolean(),
    }),
    z.strictObject({ kind: z.literal("refused"), task: z.string(), ...said }),
  ])
  .meta({ id: "Settlement" });

const names = z.array(z.string());

export const problem = z
  .strictObject({
    type: z.string().meta({ description: "urn:swl:error: and the code" }),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    code,
    docs: z.string().meta({ description: "the page of the code, relative to the project" }),
    pointer: z.string().optional(),
    place: z.looseObject({}).optional(),
    findings: z.array(z.looseObject({ code: z.string(), message: z.string() })).optional(),
    details: z.looseObject({}).optional(),
    hint: z.string().optional(),
    answer: z.looseObject({ kind: z.string() }).optional(),
  })
  .meta({ id: "Problem" });

const changed = { 200: z.union([accepted, dryRun]), 202: accepted };

/** By operation and status. */
export const answers = {
  start: { 200: z.union([accepted, dryRun]), 201: accepted },
  list: { 200: z.strictObject({ items: z.array(summary), next: z.string().optional() }) },
  status: { 200: status },
  result: { 200: result, 202: pending },
  history: { 200: z.array(entry) },
  why: { 200: explanation },
  path: { 200: z.array(edge) },
  definition: { 200: json },
  verify: {
    200: z.strictObject({
      run: z.string(),
      position: count,
      compared: count,
      differing: z.array(count),
      view: view.optional(),
    }),
  },
  runEvents: { 200: entry, 204: undefined },
  listEvents: { 200: summary },
  signal: changed,
  update: changed,
  complete: changed,
  callback: { 200: accepted, 202: accepted },
  resolve: changed,
  cancel: changed,
  terminate: { 200: z.union([accepted, dryRun]), 202: accepted },
  redrive: { 200: z.union([accepted, dryRun]), 201: accepted },
  release: changed,
  bulk: {
    200: z.strictObject({
      items: z.array(
        z.strictObject({
          run: z.string(),
          workflow: z.string(),
          answer: z.looseObject({ kind: z.string() }),
        }),
      ),
      looked: count,
      next: z.string().optional(),
    }),
  },
  publish: {
    200: z.union([
      z.strictObject({
        kind: z.literal("applied"),
        requestId: z.string(),
        repeated: z.boolean(),
        ...publication,
      }),
      dryRun,
    ]),
  },
  published: { 200: z.strictObject(publication) },
  workClaim: { 200: z.strictObject({ tasks: z.array(task) }) },
  workHeartbeat: { 200: z.strictObject({ held: names, lost: names, stop: names }) },
  workSettle: { 200: z.strictObject({ settled: z.array(settled), tasks: z.array(task) }) },
  workHeld: { 200: z.strictObject({ tasks: z.array(task) }) },
  workRelease: { 204: undefined },
  index: {
    200: z.strictObject({
      service: z.string(),
      version: z.string(),
      document: z.string(),
      health: z.string(),
      runs: z.string(),
      events: z.string(),
    }),
  },
  openapi: { 200: z.looseObject({ openapi: z.string() }) },
  health: { 200: z.strictObject({ status: z.literal("ok") }) },
} as const;
