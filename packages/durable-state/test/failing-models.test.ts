/** A control plane whose engine fails at a run: nobody hears of that in the engine's own words. */
import { defineWorkflow } from "@swl/definition";
import type { ExecutionModel } from "@swl/execution/model";
import { afterEach, describe, expect, it } from "vitest";
import { createControl } from "../src/index.js";
import { completed, core, Lab, until } from "./lab.js";

let lab = new Lab();
afterEach(async () => {
  await lab.end();
  lab = new Lab();
});

const asks = defineWorkflow({
  id: "asks",
  start: "ask",
  actions: {},
  nodes: {
    ask: { kind: "await-signal", signal: "go", routes: { received: "done" } },
    done: { kind: "complete", output: "ended" },
  },
});

const fail = (): never => {
  throw new TypeError("words of the engine");
};

const failing = {
  view: { view: fail },
  disposition: { disposition: fail },
  transition: { transition: fail },
} satisfies { readonly [what: string]: Partial<ExecutionModel> };

describe("an engine that throws", () => {
  it.each(Object.keys(failing) as (keyof typeof failing)[])(
    "in %s is shown as a run that cannot be read, and its host takes the signal all the same [DUR-quarantine]",
    async (what) => {
      const host = await lab.host(() => completed());
      const { id } = await host.start(asks);
      expect(await until(async () => (await host.control.status(id)).status === "waiting")).toBe(true);
      const model: ExecutionModel = Object.assign(Object.create(core) as ExecutionModel, failing[what]);
      const control = createControl({ store: lab.store(), models: [model] });
      expect((await control.status(id)).status).toBe("waiting");
      expect((await control.why(id)).run).toBe(id);
      const sent = await control.signal({ run: id, messageId: "m", name: "go", payload: null }, { wait: 0 });
      expect(["accepted", "applied", "finished"]).toContain(sent.kind);
      expect(await host.run(id).result({ timeout: 4_000 })).toEqual({ status: "completed", output: "ended" });
    },
  );
});
