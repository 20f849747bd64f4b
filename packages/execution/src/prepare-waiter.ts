/**
 * Compiles nodes that wait: for a signal, with or without a deadline, and for a time. Spec: EXE-prepare.
 */
import { type Json, type JsonObject, own, pointerTo } from "@swl/base";
import { parseDuration, parseInstant } from "@swl/definition/durations";
import { forms, most } from "./bounds.js";
import { schemaCheck } from "./checks.js";
import { mapping, routedOutcome, routing } from "./prepare-routes.js";
import type { Check, PreparedAwait, PreparedTime, PreparedTimer } from "./prepared.js";
import { nodeSlot } from "./slots.js";
import type { Reader } from "./structure.js";

export function prepareAwait(
  reader: Reader,
  id: string,
  node: JsonObject,
  at: string,
  nodes: JsonObject,
): PreparedAwait | undefined {
  const signal = reader.name(node, "signal", at, forms.signal);
  const routed = routing(reader, node, at, nodes);
  const payloads = new Map<string, Check>();
  for (const [outcome, schema] of reader.entries(node, "payloads", at)) {
    const place = pointerTo(at, "payloads", outcome);
    payloads.set(outcome, schemaCheck(reader.schema(schema, place)));
  }
  if ((routed?.routes.size ?? 0) > most.outcomes) {
    reader.fault(`${at}/routes`, `expected at most ${most.outcomes} routes`);
  }
  const deadline = prepareDeadline(reader, node, at, routed?.routes);
  if (signal === undefined || routed === undefined || deadline === undefined) return undefined;
  const outcomes = [...routed.routes.keys()]
    .filter((route) => route !== "failed" && route !== "exhausted")
    .sort();
  return { kind: "await-signal", id, slot: nodeSlot(id), signal, outcomes, payloads, deadline, ...routed };
}

/** Null when there is none. */
function prepareDeadline(
  reader: Reader,
  node: JsonObject,
  at: string,
  routes: ReadonlyMap<string, string> | undefined,
): PreparedAwait["deadline"] | undefined {
  if (own(node, "deadline") === undefined) return null;
  const place = `${at}/deadline`;
  reader.needs("timers", "a deadline", place);
  const deadline = reader.member(node, "deadline", at);
  if (deadline === undefined) return undefined;
  const outcome = routedOutcome(reader, deadline, "outcome", place, routes);
  const time = timeOf(reader, deadline, place);
  return outcome === undefined || time === undefined ? undefined : { time, outcome };
}

export function prepareTimer(
  reader: Reader,
  id: string,
  node: JsonObject,
  at: string,
  nodes: JsonObject,
): PreparedTimer | undefined {
  reader.needs("timers", "an await-timer node", `${at}/kind`);
  const routed = routing(reader, node, at, nodes);
  const time = timeOf(reader, node, at);
  if (routed === undefined || time === undefined) return undefined;
  if (!routed.routes.has("elapsed")) return reader.fault(`${at}/routes`, "outcome elapsed is not routed");
  return { kind: "await-timer", id, slot: nodeSlot(id), time, ...routed };
}

/** Exactly one of the two. */
function timeOf(reader: Reader, node: JsonObject, at: string): PreparedTime | undefined {
  const [after, until] = [own(node, "after"), own(node, "until")];
  if ((after === undefined) === (until === undefined))
    return reader.fault(at, "expected one of after and until");
  const kind = after === undefined ? "until" : "after";
  checkWritten(reader, kind, after ?? until, `${at}/${kind}`);
  const said = mapping(reader, after ?? until, `${at}/${kind}`);
  return said && { kind, mapping: said };
}

/** A time that is written out is judged now, one that a mapping yields when it is needed. */
function checkWritten(reader: Reader, kind: PreparedTime["kind"], said: Json | undefined, at: string): void {
  if (typeof said !== "string") return;
  const [finding] = (kind === "after" ? parseDuration : parseInstant)(said).findings;
  if (finding !== undefined) reader.fault(at, finding.message, finding.code);
}
