/**
 * What goes into each route, as zod: the body and the query. The same schemas check requests, make the OpenAPI document
 * and type the client. Unknown members are refused: a misspelt option is never ignored.
 */
import type { Json } from "@swl/base";
import { z } from "zod";

/** JSON of any form: it was read strictly before, and is handed on as it is. */
const json = () => z.custom<Json>(() => true).meta({ description: "any JSON" });

const id = (what: string) => z.string().min(1).max(256).meta({ description: what });
const name = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, "must be 1 to 64 of the characters A-Z a-z 0-9 _ . -");
const outcome = z.string().min(1).max(64);
const who = z.string().max(256).meta({ description: "who asks, for people" });

const requestError = z.strictObject({
  code: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{0,63}$/,
      "must be 1 to 64 of the characters a-z 0-9 . -, beginning with a letter or digit",
    ),
  message: z.string().max(10_000),
  details: json().optional(),
});

const message = z.strictObject({ name, outcome: outcome.optional(), payload: json().optional() });

const decision = {
  decision: z.enum(["complete", "fail", "retry", "reattach"]),
  outcome: outcome.optional(),
  output: json().optional(),
  error: requestError.optional(),
  fromEvidence: z.int().min(1).optional(),
  by: who.optional(),
};

const operationEnd = {
  outcome: outcome.optional(),
  output: json().optional(),
  error: requestError.optional(),
  retryable: z.boolean().optional(),
};

const bulkCommon = {
  filter: z.strictObject({
    workflow: z.string().max(64).optional(),
    action: z.string().max(64).optional(),
    reason: z.string().max(64).optional(),
    olderThan: z.int().min(0).optional(),
  }),
  apply: z.boolean().optional().meta({ description: "nothing is written unless this is true" }),
  limit: z.int().min(1).max(1_000).optional(),
  after: z.string().max(1_024).optional(),
};

const worker = z
  .string()
  .regex(/^[\x21-\x7e]{1,60}$/, "must be 1 to 60 printable ASCII characters without spaces")
  .meta({ description: "the name under which a worker holds its claims, also after its restart" });
const lease = z
  .int()
  .min(1_000)
  .max(3_600_000)
  .optional()
  .meta({ description: "milliseconds; default 30,000" });
const tasks = z.array(id("a task")).max(1_000);
const claim = {
  actions: z.array(z.string().min(1).max(64)).min(1).max(1_000),
  limit: z.int().min(1).max(100).optional(),
  lease,
  wait: z
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .meta({ description: "milliseconds to wait for work; default 0" }),
};

const errorReport = z.strictObject({ code: z.string(), message: z.string(), details: json() });

const providerAnswer = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("completed"), outcome, output: json() }),
  z.strictObject({ kind: z.literal("accepted"), handle: z.string().min(1).max(1_024) }),
  z.strictObject({ kind: z.literal("failed"), error: errorReport, retryable: z.boolean() }),
  z.strictObject({
    kind: z.literal("unknown"),
    reason: z.enum(["crash", "attempt-timeout", "ack-lost"]),
    message: z.string().max(10_000).optional(),
  }),
]);

/** The body of each route that has one. */
export const bodies = {
  start: z.strictObject({
    definition: json().optional(),
    name: z.string().max(64).optional().meta({ description: "a published name, instead of a definition" }),
    input: json().optional(),
  }),
  signal: message,
  update: message,
  complete: z.strictObject({
    invocation: id("the invocation").optional(),
    handle: z.string().min(1).max(1_024).optional(),
    attempt: z.int().min(1).optional().meta({ description: "refused once a later attempt was begun" }),
    ...operationEnd,
  }),
  callback: z.strictObject(operationEnd),
  resolve: z.strictObject({ invocation: id("the only parked one if absent").optional(), ...decision }),
  cancel: z.strictObject({ reason: z.string().max(1_000).optional() }),
  terminate: z.strictObject({ reason: z.string().max(1_000).optional(), by: who.optional() }),
  redrive: z.strictObject({ by: who.optional() }),
  release: z.strictObject({ by: who.optional() }),
  bulk: z.discriminatedUnion("operation", [
    z.strictObject({ operation: z.literal("resolve"), ...bulkCommon, decision: z.strictObject(decision) }),
    z.strictObject({
      operation: z.literal("cancel"),
      ...bulkCommon,
      reason: z.string().max(1_000).optional(),
    }),
    z.strictObject({ operation: z.literal("redrive"), ...bulkCommon, by: who.optional() }),
  ]),
  publish: z.strictObject({
    name: z.string().max(64).optional().meta({ description: "the workflow's own ID if absent" }),
    definition: json(),
    by: who.optional(),
  }),
  workClaim: z.strictObject({ worker, ...claim }),
  workHeartbeat: z.strictObject({ worker, tasks, lease }),
  workSettle: z.strictObject({
    worker,
    settlements: z
      .array(z.strictObject({ run: id("a run"), task: id("a task"), answer: providerAnswer }))
      .max(100),
    claim: z.strictObject(claim).optional(),
  }),
  workHeld: z.strictObject({ worker, lease }),
  workRelease: z.strictObject({ worker, tasks }),
} as const;

const flag = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .optional();
const whole = (least: number, most: number) => {
  const wanted = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,15})$/, wanted)
    .transform(Number)
    .pipe(z.int(wanted).min(least, wanted).max(most, wanted))
    .optional();
};
const position = whole(0, Number.MAX_SAFE_INTEGER);

const dryRun = flag.meta({ description: "writes nothing and says what would happen" });
const reveal = flag.meta({ description: "marked values too; needs the scope operate" });
const until = z.enum(["applied", "finished"]).optional();
const changing = { dryRun, until };

/** The query of each route that has one: texts in, values out. */
export const queries = {
  start: z.strictObject(changing),
  signal: z.strictObject(changing),
  update: z.strictObject(changing),
  complete: z.strictObject(changing),
  resolve: z.strictObject(changing),
  cancel: z.strictObject(changing),
  terminate: z.strictObject({ dryRun }),
  redrive: z.strictObject(changing),
  release: z.strictObject(changing),
  publish: z.strictObject({ dryRun }),
  list: z.strictObject({
    status: z.string().max(64).optional(),
    workflow: z.string().max(64).optional(),
    after: z.string().max(1_024).optional(),
    limit: whole(1, 1_000),
  }),
  status: z.strictObject({ reveal }),
  result: z.strictObject({ reveal, whenParked: z.enum(["wait", "throw"]).optional() }),
  history: z.strictObject({ reveal, after: position, limit: whole(1, 1_000) }),
  why: z.strictObject({ reveal }),
  verify: z.strictObject({ reveal, position }),
  runEvents: z.strictObject({ after: position, reveal }),
  listEvents: z.strictObject({ workflow: z.string().max(64).optional() }),
} as const;

export type Bodies = { readonly [O in keyof typeof bodies]: z.infer<(typeof bodies)[O]> };
export type Queries = { readonly [O in keyof typeof queries]: z.infer<(typeof queries)[O]> };
