/**
 * The form of accepted events: every type with its members, as the chapter on execution data lists them. A model is
 * only ever handed events of these forms; a file of events is checked before any of them is. Spec: EXE-transition.
 */
import { isJsonObject, type Json, type JsonObject, nearest, pointerTo, quoted } from "@swl/base";

interface Form {
  readonly what: string;
  readonly fits: (value: Json) => boolean;
}

type Members = { readonly [member: string]: Form | { readonly optional: Form } };

const any: Form = { what: "any JSON", fits: () => true };
const text: Form = { what: "a text", fits: (value) => typeof value === "string" };
const flag: Form = { what: "true or false", fits: (value) => typeof value === "boolean" };
const whole: Form = { what: "a whole number", fits: (value) => Number.isSafeInteger(value) };
const instant: Form = { what: "milliseconds since 1970", fits: (value) => Number.isFinite(value) };

function word(...words: readonly string[]): Form {
  return { what: `one of ${words.join(", ")}`, fits: (value) => words.includes(value as string) };
}

function shaped(what: string, members: { readonly [member: string]: Form }): Form {
  const names = Object.keys(members);
  return {
    what,
    fits: (value) =>
      isJsonObject(value) &&
      Object.keys(value).length === names.length &&
      names.every((name) => Object.hasOwn(value, name) && members[name]!.fits(value[name]!)),
  };
}

function either(one: Form, other: Form): Form {
  return { what: `${one.what}, or ${other.what}`, fits: (value) => one.fits(value) || other.fits(value) };
}

const code: Form = {
  what: "a code",
  fits: (value) => typeof value === "string" && /^[a-z0-9][a-z0-9.-]{0,63}$/.test(value),
};
const error = shaped("{code, message, details}", { code, message: text, details: any });
const outcome = shaped("{outcome, output}", { outcome: text, output: any });
const failure = shaped("{error, retryable}", { error, retryable: flag });
const attempt = { invocation: text, attempt: whole };
const message = { name: text, outcome: { optional: text }, payload: any };

const forms: { readonly [type: string]: Members } = {
  start: { run: text, input: any },
  result: { ...attempt, outcome: text, output: any },
  failure: { ...attempt, error, retryable: flag },
  accepted: { ...attempt, handle: text },
  unknown: {
    ...attempt,
    reason: word("crash", "lease-lost", "attempt-timeout", "ack-lost"),
    message: { optional: text },
  },
  withdrawn: attempt,
  completion: {
    invocation: text,
    handle: { optional: text },
    messageId: text,
    result: either(outcome, failure),
  },
  inspected: {
    ...attempt,
    status: word("running", "completed", "failed", "not-found", "unknown"),
    result: { optional: either(outcome, shaped("{error}", { error })) },
  },
  signal: { messageId: text, ...message },
  update: { requestId: text, ...message },
  cancel: { requestId: text, reason: { optional: text } },
  "cancel-acknowledged": { invocation: text },
  resolve: {
    requestId: text,
    invocation: text,
    decision: word("complete", "fail", "retry", "reattach"),
    outcome: { optional: text },
    output: { optional: any },
    error: { optional: error },
    fromEvidence: { optional: whole },
    by: { optional: text },
  },
  deadline: {
    kind: word("operation", "await", "timer"),
    key: text,
    generation: whole,
    unclaimed: { optional: flag },
  },
};

/** What a file may leave out: it is counted then. */
const stamp: Members = {
  type: text,
  id: { optional: text },
  position: { optional: whole },
  at: { optional: instant },
};

export interface EventProblem {
  readonly message: string;
  /** Into the event. */
  readonly pointer: string;
}

/** The first thing that is wrong with an event, its stamp aside; `undefined` when nothing is. */
export function eventProblem(event: Json): EventProblem | undefined {
  if (!isJsonObject(event)) return { message: "an event is an object", pointer: "" };
  const type = event["type"];
  const types = Object.keys(forms);
  if (typeof type !== "string" || !types.includes(type)) {
    const near = typeof type === "string" ? nearest(type, types) : undefined;
    const meant = near === undefined ? "" : `; did you mean ${near}?`;
    return { message: `type is one of ${types.join(", ")}${meant}`, pointer: "/type" };
  }
  return memberProblem(event, type, { ...stamp, ...forms[type]! });
}

function memberProblem(event: JsonObject, type: string, members: Members): EventProblem | undefined {
  for (const [name, said] of Object.entries(members)) {
    const form = "optional" in said ? said.optional : said;
    if (!Object.hasOwn(event, name)) {
      if (!("optional" in said)) return { message: `a ${type} event has ${name}, ${form.what}`, pointer: "" };
    } else if (!form.fits(event[name]!)) {
      return { message: `${name} is ${form.what}`, pointer: pointerTo("", name) };
    }
  }
  const strange = Object.keys(event).find((name) => !Object.hasOwn(members, name));
  if (strange === undefined) return undefined;
  return { message: `a ${type} event has no ${quoted(strange)}`, pointer: pointerTo("", strange) };
}
