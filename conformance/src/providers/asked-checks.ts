/**
 * Checks of a provider that runs functions, about operations: what it says when it is asked what became of one, and
 * when it is asked to stop one.
 *
 * 1. it says what its action knows, and where it could not ask that it could not, not that nobody knows (INV-inspect)
 * 2. it says that a request to stop was heard only when it was (INV-cancel-request)
 */
import type { Json } from "@swl/base";
import type { AskOptions, Operation, Provider } from "@swl/invocation-control";
import { invocationOf, type SubjectCheck } from "./subject.js";

export interface AskedFunctions {
  readonly run: (input: Json, context: { readonly signal: AbortSignal }) => unknown;
  /** A result, one of the words `running`, `not-found`, `unknown`; or it throws. */
  readonly inspect?: (operation: Operation) => unknown;
  readonly cancel?: (operation: Operation) => void;
}

export interface AskedHarness {
  readonly name: string;
  /** A provider whose action `act` has these functions. */
  provide(functions: AskedFunctions): Provider;
  /** What a function throws to report that nothing happened. */
  fail(code: string): unknown;
}

const options: AskOptions = { signal: new AbortController().signal };
const run = () => ({ accepted: "op-1" });
const throwing = (value: unknown) => () => {
  throw value;
};

function operation(handle?: string): Operation {
  const { input: _input, parameters: _parameters, ...of } = invocationOf(null);
  return { ...of, ...(handle !== undefined && { handle }) };
}

async function said(ask: () => Promise<{ readonly kind: string }> | undefined): Promise<string> {
  try {
    return (await ask())?.kind ?? "nothing";
  } catch {
    return "a rejection";
  }
}

function unlike(what: string, expected: string, found: string): readonly string[] {
  return expected === found ? [] : [`${what}: expected ${expected}, found ${found}`];
}

export const askedChecks: readonly SubjectCheck<AskedHarness>[] = [
  {
    rule: "INV-inspect",
    title: "it says what became of an operation as far as its action knows",
    async run(harness) {
      const expected: readonly (readonly [string, AskedFunctions["inspect"], string])[] = [
        ["running", () => "running", "running"],
        ["not found", () => "not-found", "not-found"],
        ["a word that nobody knows", () => "perhaps", "unknown"],
        ["a result", () => ({ outcome: "ok", output: 1 }), "completed"],
        ["a reported failure", throwing(harness.fail("kit.refused")), "failed"],
        ["a thrown error", throwing(new Error("no route")), "unavailable"],
        ["no function", undefined, "unknown"],
      ];
      const problems: string[] = [];
      for (const [what, inspect, word] of expected) {
        const provider = harness.provide({ run, ...(inspect && { inspect }) });
        problems.push(
          ...unlike(what, word, await said(() => provider.inspect?.(operation("op-1"), options))),
        );
      }
      return problems;
    },
  },
  {
    rule: "INV-cancel-request",
    title: "it says that a request to stop was heard when it was, and not before",
    async run(harness) {
      const problems: string[] = [];
      let stopped = false;
      const waiting = harness.provide({
        run: (_input, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              stopped = true;
              resolve({ outcome: "ok", output: "stopped" });
            });
          }),
      });
      const call = waiting.invoke(invocationOf(null), { effect: "unsafe" }, options);
      problems.push(
        ...unlike(
          "a call that runs",
          "acknowledged",
          await said(() => waiting.cancel?.(operation(), options)),
        ),
      );
      if (!stopped) return [...problems, "a call that runs is not told to stop"];
      problems.push(...unlike("its answer", "completed", (await call).kind));
      let heard = 0;
      const told = harness.provide({ run, cancel: () => void heard++ });
      const broken = harness.provide({ run, cancel: throwing(new Error("no route")) });
      const deaf = harness.provide({ run });
      const answers: readonly (readonly [string, Provider, string])[] = [
        ["an operation that is told", told, "acknowledged"],
        ["one that cannot be reached", broken, "unavailable"],
        ["one that cannot be told", deaf, "unsupported"],
      ];
      for (const [what, provider, word] of answers) {
        problems.push(...unlike(what, word, await said(() => provider.cancel?.(operation("op-1"), options))));
      }
      return heard === 1 ? problems : [...problems, "a request is acknowledged that the action never heard"];
    },
  },
];
