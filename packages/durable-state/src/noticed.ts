/**
 * The notices of one run that no commit has taken in yet. Each is judged anew against every state that is read, and
 * dropped when nothing follows from it any more. Spec: DUR-recovery.
 */
import type { Work } from "@swl/store-provider";
import type { OwnInput } from "./inputs.js";
import { type Judge, judged, keyOf, lostAttempts, type Notice } from "./notices.js";

export class Noticed {
  readonly #notices = new Map<string, Notice>();
  /** Those that the commit under way takes in. */
  readonly #taken = new Set<string>();

  get size(): number {
    return this.#notices.size;
  }

  /** False: it was there. */
  add(notice: Notice): boolean {
    const key = keyOf(notice);
    if (this.#notices.has(key)) return false;
    this.#notices.set(key, notice);
    return true;
  }

  clear(): void {
    this.#notices.clear();
  }

  /** A new proposal begins. */
  begin(): void {
    this.#taken.clear();
  }

  /** What follows from those that are wanted. Claimed work waits until nothing else is open. */
  derived(judge: Judge, wanted: (notice: Notice) => boolean = () => true): readonly OwnInput[] {
    const derived: OwnInput[] = [];
    for (const [key, notice] of this.#notices) {
      if (notice.kind === "claimed" || !wanted(notice)) continue;
      const inputs = judged(notice, judge);
      if (inputs.length === 0) this.#notices.delete(key);
      else this.#taken.add(key);
      derived.push(...inputs);
    }
    return derived;
  }

  /** What follows from them, and, where the stream is this host's, from attempts that it should be running but is not. */
  follows(judge: Judge, isMine: boolean, settlements: readonly OwnInput[]): readonly OwnInput[] {
    // What this host knows not to have begun comes first, and alone: everything else is judged after it.
    const handbacks = this.derived(judge, (notice) => notice.kind === "handback");
    if (handbacks.length > 0) return handbacks;
    const derived = this.derived(judge);
    return isMine ? [...derived, ...lostAttempts(judge, [...settlements, ...derived])] : derived;
  }

  /** The commit was accepted. */
  committed(): void {
    for (const key of this.#taken) this.#notices.delete(key);
  }

  /** What a precondition refused is out of date; the patrol finds again what still holds. */
  refused(why: string): void {
    for (const [key, { kind }] of this.#notices) {
      const kept = kind === "claimed" || kind === "handback";
      // A deadline that lost against a claim is judged again: if it was this host's own, nothing has begun yet.
      if (!kept && !(kind === "due" && why === "claimed")) this.#notices.delete(key);
    }
  }

  forgetDues(): void {
    for (const [key, notice] of this.#notices) if (notice.kind === "due") this.#notices.delete(key);
  }

  /** Work claimed and not begun. */
  get claimed(): readonly Work[] {
    return [...this.#notices.values()].flatMap((notice) => (notice.kind === "claimed" ? [notice.work] : []));
  }

  isClaimed(work: Work): boolean {
    return this.#notices.has(keyOf({ kind: "claimed", work }));
  }

  /** The same as `claimed`, and forgotten: it begins now. */
  takeClaimed(): readonly Work[] {
    const claimed = this.claimed;
    for (const work of claimed) this.#notices.delete(keyOf({ kind: "claimed", work }));
    return claimed;
  }
}
