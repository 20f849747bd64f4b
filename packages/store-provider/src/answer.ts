/** From a decision to the answer that the caller gets: what every store does once `decide` has spoken. */
import { refused } from "./batch.js";
import type { Answer } from "./contract.js";
import type { Decision } from "./decide.js";

export type AcceptedItem = Extract<Decision, { readonly kind: "accepted" }>;

/** Writes an accepted item by what the store passes, and says what became of the item. What `write` throws is thrown. */
export function answerItem(decision: Decision, write: (accepted: AcceptedItem) => void): Answer {
  switch (decision.kind) {
    case "refused":
      return refused(decision.failure);
    case "receipt":
      return decision;
    case "repeated":
      return { ...decision, kind: "accepted", repeated: true };
    case "accepted": {
      write(decision);
      const { first, last, at } = decision;
      return { kind: "accepted", first, last, at, repeated: false };
    }
  }
}
