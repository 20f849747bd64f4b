/**
 * What was really done in the world, written by the provider at the moment of doing it: the oracle of the crash
 * points. No host and no store has a part in it, so that it tells what they cannot know.
 */
import { canonicalize, type Json } from "@swl/base";
import type { Invocation, ProviderAnswer } from "@swl/invocation-control";

export interface Effect {
  readonly action: string;
  readonly invocation: string;
  readonly key: string;
  /** How often it was begun and not reported as failed. */
  times: number;
  /** What the provider had to say of it. */
  answer: ProviderAnswer;
  readonly input: string;
}

export class EffectLedger {
  readonly #effects = new Map<string, Effect>();
  readonly problems: string[] = [];
  /** Every attempt that reached the provider. */
  readonly attempts: { readonly invocation: string; readonly attempt: number; readonly effect: string }[] =
    [];
  /** Keys that a provider was asked to stop. */
  readonly stops: string[] = [];

  /** Called when an attempt reaches the provider. */
  reached({ invocation, attempt }: Invocation, effect: string): void {
    this.attempts.push({ invocation, attempt, effect });
  }

  /** Whether it may be done again without anybody's deciding so. */
  isRepeatable(invocation: string): boolean {
    const attempt = this.attempts.find((one) => one.invocation === invocation);
    return attempt !== undefined && !["unsafe", "reconcilable"].includes(attempt.effect);
  }

  /** Called at the moment of the effect. */
  write(call: Invocation, answer: ProviderAnswer): void {
    const input = canonicalize(call.input);
    const known = this.#effects.get(call.idempotencyKey);
    if (known === undefined) {
      const { action, invocation, idempotencyKey: key } = call;
      this.#effects.set(key, { action, invocation, key, times: 1, answer, input });
      return;
    }
    known.times += 1;
    known.answer = answer;
    if (known.input !== input) this.problems.push(`${call.action} is repeated with another input`);
    if (known.invocation !== call.invocation) this.problems.push(`${call.action} is repeated as another one`);
  }

  ofInvocation(invocation: string): Effect | undefined {
    return this.all.find((effect) => effect.invocation === invocation);
  }

  ofKey(key: string): Effect | undefined {
    return this.#effects.get(key);
  }

  get all(): readonly Effect[] {
    return [...this.#effects.values()];
  }

  /** Which effects there are, whatever the run is called. */
  names(run: string): readonly string[] {
    return this.all.map(({ key }) => key.split(run).join("")).sort();
  }
}

/** What a completed effect brought; undefined where the provider itself does not know. */
export function broughtBy(effect: Effect): { readonly outcome: string; readonly output: Json } | undefined {
  return effect.answer.kind === "completed" ? effect.answer : undefined;
}
