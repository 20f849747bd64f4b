/**
 * An implementation in any language as a subject: a child process that reads requests and writes answers, one JSON line
 * each. It is believed in nothing: answers are checked for their shape, and what it does instead of answering is a
 * coded error of the request. Spec: CNF-stdio-subject.
 */
import { isJsonObject, type Json, type JsonObject, type Outcome, SwlError } from "@swl/base";
import { isClaimName } from "@swl/definition/claims";
import type { AcceptedEvent } from "@swl/execution/model";
import { findingProblems } from "../finding-shape.js";
import type { Subject } from "../subject.js";
import { type Answer, Child, type ChildOptions } from "./child.js";

export type StdioOptions = ChildOptions;

/** A subject with a process behind it: close it when it is not needed any more. */
export interface StdioSubject extends Subject {
  prepare(definition: Json): Promise<Outcome<null>>;
  trace(definition: Json, events: readonly AcceptedEvent[]): Promise<Outcome<readonly JsonObject[]>>;
  close(): Promise<void>;
}

/**
 * Starts the child and asks who it is. Throws `subject.start-failed`, `subject.ended`, `subject.timeout`,
 * `subject.answer-invalid` or `subject.failed`; so do its operations, after which the child is started anew.
 */
export async function stdioSubject(options: StdioOptions): Promise<StdioSubject> {
  const child = new Child(options);
  const ask = async (body: JsonObject) => checked(options.command, await child.request(body));
  let who: Who;
  try {
    who = whoOf(options.command, await ask({ do: "hello" }));
  } catch (error) {
    await child.close();
    throw error;
  }
  return {
    ...who,
    async prepare(definition) {
      const answer = await ask({ do: "prepare", definition });
      return answer.ok ? { ok: true, value: null, findings: [] } : answer;
    },
    async trace(definition, events) {
      const answer = await ask({ do: "trace", definition, events: events as unknown as Json });
      if (!answer.ok) return answer;
      return { ok: true, value: stepsOf(options.command, answer.value, events.length), findings: [] };
    },
    close: () => child.close(),
  };
}

type Who = Pick<Subject, "name" | "claims" | "keywords">;

/** An answer is a value, or the findings why there is none. */
function checked(command: string, answer: Answer): Outcome<Json> {
  const { ok, value, findings, error } = answer as { readonly [member: string]: Json | undefined };
  if (ok === true) return { ok: true, value: value ?? null, findings: [] };
  if (ok !== false) invalid(command, "an answer says ok, true or false");
  if (typeof error === "string") throw new SwlError("subject.failed", `the subject ${command}: ${error}`);
  if (!Array.isArray(findings) || findings.length === 0)
    invalid(command, "a refusal names findings or an error");
  const problem = findings.flatMap((finding) => findingProblems(finding, { placed: false }))[0];
  if (problem !== undefined) invalid(command, problem);
  return { ok: false, findings: findings as never };
}

function whoOf(command: string, answer: Outcome<Json>): Who {
  const said = answer.ok && isJsonObject(answer.value) ? answer.value : {};
  const { name, claims, keywords } = said as { readonly [member: string]: Json | undefined };
  if (typeof name !== "string" || name === "") invalid(command, "hello is answered with a name");
  if (!isTexts(claims)) invalid(command, "hello is answered with claims, a list of names");
  const strange = claims.find((claim) => !isClaimName(claim));
  if (strange !== undefined)
    invalid(command, `it claims ${JSON.stringify(strange)}, which no registry knows`);
  if (keywords === undefined) return { name, claims };
  if (!isTexts(keywords)) invalid(command, "keywords are a list of names");
  return { name, claims, keywords };
}

function stepsOf(command: string, value: Json, events: number): readonly JsonObject[] {
  if (!Array.isArray(value)) invalid(command, "a trace is a list of steps");
  if (value.length !== events) invalid(command, `a trace of ${events} events has ${value.length} steps`);
  if (!value.every(isJsonObject)) invalid(command, "a step is an object");
  return value as readonly JsonObject[];
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function invalid(command: string, why: string): never {
  throw new SwlError("subject.answer-invalid", `the subject ${command}: ${why}`);
}
