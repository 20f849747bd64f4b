/**
 * Whole documents, put together of the parts in `schemas.ts`: a definition with its nodes and actions, and settings.
 * For editors and for whoever composes them; validation reads part by part and does not load these.
 * Spec: docs/spec/definition.md, DOT-settings.
 */
import * as z from "zod/mini";
import { idRule } from "./grammar.js";
import { anyJson, anyText, byName, members, texts, word } from "./members.js";
import { dialects as dialectNames } from "./registry.js";
import {
  actionContract,
  activityNode,
  awaitSignalNode,
  awaitTimerNode,
  choiceNode,
  completeNode,
  dialects,
  failNode,
  frame,
  limits,
  retryShape,
} from "./schemas.js";

export const retryPolicy = members(retryShape);

/** One arm per kind. */
export const node = z.discriminatedUnion(
  "kind",
  [activityNode, awaitSignalNode, awaitTimerNode, choiceNode, completeNode, failNode],
  { error: "a node of a known kind" },
);

const oneOrMore = { min: 1, max: Number.MAX_SAFE_INTEGER, expected: "at least one node" };

/** A whole definition. `validate` reads nodes and actions one by one and says more about each. */
export const definition = members({
  ...frame.shape,
  nodes: byName(node, { names: idRule, count: oneOrMore }),
  actions: z._default(byName(actionContract, { names: idRule }), {}),
});

const failure = failNode.shape.error.shape;
const json = z.exactOptional(anyJson);

/** What the graph does not say of a node, of whatever kind the graph says it is. */
const nodeSettings = members({
  action: z.exactOptional(activityNode.shape.action),
  input: json,
  parameters: json,
  loopLimits: activityNode.shape.loopLimits,
  signal: z.exactOptional(awaitSignalNode.shape.signal),
  payloads: awaitSignalNode.shape.payloads,
  sensitive: awaitSignalNode.shape.sensitive,
  after: awaitTimerNode.shape.after,
  until: awaitTimerNode.shape.until,
  deadline: awaitSignalNode.shape.deadline,
  cases: z.exactOptional(choiceNode.shape.cases),
  otherwise: z.exactOptional(choiceNode.shape.otherwise),
  output: json,
  error: z.exactOptional(
    members({
      code: z.exactOptional(failure.code),
      message: z.exactOptional(failure.message),
      details: failure.details,
    }),
  ),
});

const { $schema, version, hints, inputSchema, outputSchema, sensitive, meta } = frame.shape;

/** `settings.json` beside a graph: everything that the graph does not say. */
export const settings = members({
  $schema,
  version,
  requires: z.exactOptional(texts(anyText)),
  hints,
  dialects: z.exactOptional(
    members({
      schema: z.exactOptional(z.nullable(word([dialectNames.schema]))),
      numbers: z.exactOptional(dialects.shape.numbers),
      expressions: z.exactOptional(dialects.shape.expressions),
    }),
  ),
  inputSchema,
  outputSchema,
  actions: z.exactOptional(byName(actionContract, { names: idRule })),
  nodes: z.exactOptional(byName(nodeSettings, { names: idRule })),
  limits: z.exactOptional(limits),
  sensitive,
  meta,
});
