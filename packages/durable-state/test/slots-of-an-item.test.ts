/** One item may hold several transitions: a slot that they write and remove stands in it once, as the last left it. */
import type { Json } from "@swl/base";
import { defineWorkflow } from "@swl/definition";
import type { EventBody, ExecutionModel } from "@swl/execution/model";
import { openMemoryStore } from "@swl/store-memory";
import type { Item } from "@swl/store-provider";
import { expect, it } from "vitest";
import type { LoadedRun } from "../src/loaded-run.js";
import { type ProposalContext, propose } from "../src/proposal.js";
import { core } from "./lab.js";

const model = core as ExecutionModel;

/** Work, then a signal, for ever: what comes while the work is under way is kept. */
const definition = defineWorkflow({
  id: "kept",
  requires: ["core", "buffered-signals"],
  start: "work",
  actions: { work: { effect: "idempotent", outcomes: { ok: {} } } },
  nodes: {
    work: { kind: "activity", action: "work", routes: { ok: "wait" } },
    wait: { kind: "await-signal", signal: "go", routes: { went: "work", ended: "done" } },
    done: { kind: "complete", output: null },
  },
});

const signal = (messageId: string): EventBody => ({
  type: "signal",
  messageId,
  name: "go",
  outcome: "went",
  payload: messageId,
});
const result = (visit: number): EventBody => ({
  type: "result",
  invocation: `r/work#${visit}`,
  attempt: 1,
  outcome: "ok",
  output: visit,
});

const context: ProposalContext = {
  commit: "c",
  holder: "h",
  stamp: 1_000,
  adoptEvidence: false,
  newEventId: () => "e",
  reserve: () => false,
  keepsOwnership: false,
  ownsStream: false,
  isUnbegun: () => false,
  documentBytes: 16_777_216,
};

/** A run that is brought items of several events, and the store that takes them. */
function subject() {
  const prepared = model.prepare(definition as unknown as Json);
  if (!prepared.ok) throw new Error("the definition is not prepared");
  const store = openMemoryStore();
  const created = { actions: { work: "sha256:0" }, bindings: { work: "p" }, input: null };
  let run = {
    id: "r",
    created,
    served: { model, prepared: prepared.value },
    state: undefined,
    head: undefined,
    position: 0,
    work: new Map(),
    dues: new Map(),
    unapplied: [],
    facets: {},
  } as unknown as LoadedRun;
  return {
    /** The first one begins the run. */
    async item(...events: readonly EventBody[]): Promise<Item["slots"]> {
      const proposed = propose(
        run,
        events.map((event) => ({ event })),
        context,
      );
      if ("quarantine" in proposed) throw new Error(proposed.quarantine.message);
      const { item, state, head } = proposed;
      const [answer] = await store.append([{ ...item, commit: `c${run.position}` }]);
      expect(answer).toMatchObject({ kind: "accepted" });
      run = { ...run, state, head, position: run.position + item.records.length };
      return item.slots?.filter(({ key }) => key.startsWith("signal:"));
    },
    /** The slots of the store are those of the state. */
    async agree(): Promise<void> {
      const stored = await store.load("r");
      expect(Object.fromEntries(stored?.slots ?? [])).toEqual(model.toJSON(run.state).slots);
    },
  };
}

it("removes what was written in the same item [DUR-accepted-order]", async () => {
  const { item, agree } = subject();
  await item();
  expect(await item(signal("m1"), result(1))).toEqual([{ key: "signal:go#1" }]);
  await agree();
});

it("keeps what was written again after its removal in the same item [DUR-accepted-order]", async () => {
  const { item, agree } = subject();
  await item();
  await item(signal("m1"));
  await agree();
  const [written, ...others] = (await item(result(1), signal("m2"))) ?? [];
  expect(written).toMatchObject({ key: "signal:go#1", document: { messageId: "m2" } });
  expect(others).toEqual([]);
  await agree();
});

it("removes in one item what an earlier one wrote [DUR-accepted-order]", async () => {
  const { item, agree } = subject();
  await item();
  await item(signal("m1"), signal("m2"));
  expect(await item(result(1), result(2))).toEqual([{ key: "signal:go#1" }, { key: "signal:go#2" }]);
  await agree();
});
