/**
 * Checks of an action provider that runs functions, one a promise of the chapter on invocation and control. Runner
 * and provider are the caller's: each check says what is broken, or nothing.
 *
 * 1. every call ends in one of four words, and never rejects (INV-four-answers)
 * 2. it has the actions it was given and no other, whatever they are called (INV-in-process)
 * 3. input, parameters and output are copies (INV-own-copy)
 * 4. a result that is none is never passed on, and is failed only where the action may be repeated (INV-result-checked)
 * 5. a thrown error is read as the effect class says, a branded failure as the action says (INV-thrown-error)
 * 6. an action that begins explicitly fails before its beginning and is unknown after it (INV-begins-explicit)
 * 7. no stack, no cause, no endless message leaves the provider (INV-nothing-leaks)
 */
import type { Json } from "@swl/base";
import type { Invocation, Provider, ProviderAnswer } from "@swl/invocation-control";

/** What an action under test is called with. */
export interface ProviderTestContext {
  readonly parameters: Json;
  begin(): void;
}

export type ProviderTestAction = (input: Json, context: ProviderTestContext) => unknown;

export interface ProviderHarness {
  readonly name: string;
  /** A provider whose action `act` runs the function. */
  provide(act: ProviderTestAction, begins?: "explicit"): Provider;
  /** What an action throws to report that nothing happened. */
  fail(code: string, retryable: boolean): unknown;
}

export interface ProviderCheck {
  readonly rule: string;
  readonly title: string;
  /** What is broken, in words; empty when nothing is. */
  run(harness: ProviderHarness): Promise<readonly string[]>;
}

const repeatable = ["pure", "read-only", "idempotent"] as const;
const unrepeatable = ["unsafe", "reconcilable"] as const;
const effects = [...repeatable, ...unrepeatable];

const words: ReadonlySet<string> = new Set(["completed", "accepted", "failed", "unknown"]);

function invocation(input: Json): Invocation {
  return {
    run: "kit",
    invocation: "kit/act#1",
    activation: "act#1",
    action: "act",
    attempt: 1,
    input,
    parameters: { shared: [1] },
    idempotencyKey: "kit/act/1",
  };
}

async function answerOf(
  provider: Provider,
  effect: string,
  of = invocation({}),
): Promise<ProviderAnswer | string> {
  try {
    const answer = await provider.invoke(of, { effect }, { signal: new AbortController().signal });
    return words.has(answer?.kind) ? answer : `answers with none of the four words for ${effect}`;
  } catch {
    return `rejects instead of answering for ${effect}`;
  }
}

/** Asks for every effect class given and collects what the test of the answer says. */
async function forEach(
  of: readonly string[],
  provider: () => Provider,
  problem: (answer: ProviderAnswer, effect: string) => string | undefined,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const effect of of) {
    const answer = await answerOf(provider(), effect);
    const found = typeof answer === "string" ? answer : problem(answer, effect);
    if (found !== undefined) problems.push(found);
  }
  return problems;
}

function expectKind(kind: ProviderAnswer["kind"], retryable?: boolean) {
  return (answer: ProviderAnswer, effect: string): string | undefined => {
    if (answer.kind !== kind) return `${effect}: expected ${kind}, found ${answer.kind}`;
    if (retryable === undefined || answer.kind !== "failed" || answer.retryable === retryable)
      return undefined;
    return `${effect}: expected ${retryable ? "a retryable" : "a final"} failure`;
  };
}

function throwing(value: unknown): ProviderTestAction {
  return () => {
    throw value;
  };
}

export const providerChecks: readonly ProviderCheck[] = [
  {
    rule: "INV-four-answers",
    title: "every call ends in one of four words, whatever the action does",
    async run(harness) {
      const actions: ProviderTestAction[] = [
        () => ({ outcome: "ok", output: 1 }),
        async () => ({ outcome: "ok" }),
        () => undefined,
        throwing(undefined),
        throwing(new Error("kit")),
        () => Promise.reject(null),
        throwing(harness.fail("kit.refused", false)),
      ];
      const found: string[] = [];
      for (const act of actions)
        found.push(
          ...(await forEach(
            effects,
            () => harness.provide(act),
            () => undefined,
          )),
        );
      return found;
    },
  },
  {
    rule: "INV-in-process",
    title: "it has the actions it was given, and no other",
    async run(harness) {
      const provider = harness.provide(() => ({ outcome: "ok" }));
      const found = provider.has("act") ? [] : ["it does not have act"];
      for (const action of ["Act", "toString", "constructor", "__proto__"]) {
        if (provider.has(action)) found.push(`it says that it has ${action}`);
        const answer = await answerOf(provider, "pure", { ...invocation({}), action });
        const refused = typeof answer !== "string" && answer.kind === "failed" && !answer.retryable;
        if (!refused) found.push(`a call for ${action} is no final failure`);
      }
      return found;
    },
  },
  {
    rule: "INV-own-copy",
    title: "what an action changes stays its own",
    async run(harness) {
      const output = { total: [1] };
      const given = invocation({ items: [1] });
      const provider = harness.provide((input, context) => {
        (input as { items: number[] }).items.push(2);
        (context.parameters as { shared: number[] }).shared.push(2);
        return { outcome: "ok", output };
      });
      const answer = await answerOf(provider, "pure", given);
      output.total.push(2);
      const found: string[] = [];
      if (JSON.stringify(given.input) !== '{"items":[1]}')
        found.push("the action changed the invocation's input");
      if (JSON.stringify(given.parameters) !== '{"shared":[1]}')
        found.push("the action changed the parameters");
      if (JSON.stringify(answer) !== '{"kind":"completed","outcome":"ok","output":{"total":[1]}}') {
        found.push("the answer changed after it was given");
      }
      return found;
    },
  },
  {
    rule: "INV-result-checked",
    title: "a result that is none is never passed on",
    async run(harness) {
      const cyclic: { self?: unknown } = {};
      cyclic.self = cyclic;
      const results = [
        undefined,
        1,
        { output: 1 },
        { outcome: "ok", output: cyclic },
        { outcome: "ok", output: new Date(0) },
      ];
      const found: string[] = [];
      for (const result of results) {
        const provider = () => harness.provide(() => result);
        found.push(...(await forEach(repeatable, provider, expectKind("failed", false))));
        found.push(...(await forEach(unrepeatable, provider, expectKind("unknown"))));
      }
      return found;
    },
  },
  {
    rule: "INV-thrown-error",
    title: "a thrown error is read by effect class, a branded failure as it says",
    async run(harness) {
      const thrown = () => harness.provide(throwing(new Error("kit")));
      const found = [
        ...(await forEach(repeatable, thrown, expectKind("failed", true))),
        ...(await forEach([...unrepeatable, "no-such-effect"], thrown, expectKind("unknown"))),
      ];
      for (const retryable of [true, false]) {
        const reported = () => harness.provide(throwing(harness.fail("kit.refused", retryable)));
        found.push(...(await forEach(effects, reported, expectKind("failed", retryable))));
        found.push(...(await forEach(effects, reported, expectCode("kit.refused"))));
      }
      return found;
    },
  },
  {
    rule: "INV-begins-explicit",
    title: "before an explicit beginning nothing happened, after it nobody knows",
    async run(harness) {
      const before = () => harness.provide(throwing(new Error("kit")), "explicit");
      const after = () =>
        harness.provide((_, context) => {
          context.begin();
          throw new Error("kit");
        }, "explicit");
      return [
        ...(await forEach(unrepeatable, before, expectKind("failed", true))),
        ...(await forEach(unrepeatable, after, expectKind("unknown"))),
      ];
    },
  },
  {
    rule: "INV-nothing-leaks",
    title: "no stack, no cause and no endless message leaves the provider",
    async run(harness) {
      const error = new Error(`kit\n    at secret (/kit/secret.ts:1:1)${"x".repeat(5_000)}`, {
        cause: "kit-cause",
      });
      return forEach(
        effects,
        () => harness.provide(throwing(error)),
        (answer, effect) => {
          const text = JSON.stringify(answer);
          if (/secret\.ts/.test(text)) return `${effect}: the answer holds a stack frame`;
          if (text.includes("kit-cause")) return `${effect}: the answer holds the cause`;
          return text.length > 1_500 ? `${effect}: the message has no end` : undefined;
        },
      );
    },
  },
];

function expectCode(code: string) {
  return (answer: ProviderAnswer, effect: string): string | undefined =>
    answer.kind === "failed" && answer.error.code !== code
      ? `${effect}: the code is ${answer.error.code}`
      : undefined;
}
