/**
 * The beginning of a run: its input is kept, its first node is entered. Spec: EXE-start.
 */
import { excerpt } from "@swl/base";
import type { Draft } from "./draft.js";
import { enterStart } from "./enter.js";
import type { EventBody } from "./model.js";

/** Longer run IDs would not leave room for node and visit in an idempotency key of 128 characters. */
export const maxRunIdLength = 54;

export function onStart(draft: Draft, event: Extract<EventBody, { readonly type: "start" }>): void {
  const { run, input } = event;
  if (typeof run !== "string" || !/^[\x21-\x7e]{1,54}$/.test(run)) {
    const allowed = `1 to ${maxRunIdLength} visible ASCII characters`;
    draft.impossible(`a run ID has ${allowed}, found ${excerpt(JSON.stringify(run) ?? "nothing", 80)}`);
    return;
  }
  const problems = draft.prepared.input(input);
  if (problems.length > 0) {
    const where = problems[0]?.pointer === "" ? "the input" : `the input at ${problems[0]?.pointer}`;
    draft.refuse("input.invalid", `${where} is not what inputSchema says: ${problems[0]?.message}`);
    return;
  }
  draft.head.run = run;
  draft.write("input", input);
  enterStart(draft);
}
