/** What the checks of providers share: the call that is made, and what its answer has to be. */
import type { Json } from "@swl/base";
import type { Invocation, Provider, ProviderAnswer } from "@swl/invocation-control";

/** One promise of the chapter on invocation and control, put to a subject. */
export interface SubjectCheck<Harness> {
  readonly rule: string;
  readonly title: string;
  /** What is broken, in words; empty when nothing is. */
  run(harness: Harness): Promise<readonly string[]>;
}

export const repeatable = ["pure", "read-only", "idempotent"] as const;
export const unrepeatable = ["unsafe", "reconcilable"] as const;
export const effects: readonly string[] = [...repeatable, ...unrepeatable];

export function invocationOf(input: Json): Invocation {
  return {
    run: "kit",
    invocation: "kit/act#1",
    activation: "act#1",
    action: "act",
    attempt: 1,
    input,
    parameters: null,
    idempotencyKey: "kit/act/1",
  };
}

/** The answer, or what is wrong with there being none. */
export async function ask(
  provider: Provider,
  effect: string,
  options: { readonly input?: Json; readonly signal?: AbortSignal } = {},
): Promise<ProviderAnswer | string> {
  const { input = { value: "kit" }, signal = new AbortController().signal } = options;
  try {
    return await provider.invoke(invocationOf(input), { effect }, { signal });
  } catch {
    return `rejects instead of answering for ${effect}`;
  }
}

/** `completed`, `accepted`, `unknown`, `failed retryable`, `failed final`. */
export type Word = "completed" | "accepted" | "unknown" | "failed retryable" | "failed final";

export function wordOf(answer: ProviderAnswer): Word {
  if (answer.kind !== "failed") return answer.kind;
  return answer.retryable ? "failed retryable" : "failed final";
}

/** Starting a program is slow: one class of each kind tells a subject that confuses them. */
export const oneOfEach: readonly string[] = ["pure", "unsafe"];

/** Asks for every effect class; `expected` says the word for what may be repeated and for what may not. */
export async function expectWords(
  provide: () => Provider,
  what: string,
  expected: { readonly repeatable: Word; readonly unrepeatable: Word },
  of: readonly string[] = effects,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const effect of of) {
    const word = (unrepeatable as readonly string[]).includes(effect)
      ? expected.unrepeatable
      : expected.repeatable;
    const answer = await ask(provide(), effect);
    const found = typeof answer === "string" ? answer : wordOf(answer);
    if (found !== word) problems.push(`${what}, ${effect}: expected ${word}, found ${found}`);
  }
  return problems;
}

export function same(word: Word): { readonly repeatable: Word; readonly unrepeatable: Word } {
  return { repeatable: word, unrepeatable: word };
}

/** As a thrown error is read. */
export const asThrown = { repeatable: "failed retryable", unrepeatable: "unknown" } as const;
/** As a result that cannot be read. */
export const asUnreadable = { repeatable: "failed final", unrepeatable: "unknown" } as const;
