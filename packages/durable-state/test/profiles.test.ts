import { defineWorkflow } from "@swl/definition";
import type { ExecutionModel } from "@swl/execution/model";
import { expect, it } from "vitest";
import type { HostLogEntry } from "../src/index.js";
import { core, Lab, oneStep, until } from "./lab.js";

/** An engine that executes more than any host serves. */
const ahead: ExecutionModel = {
  ...(core as ExecutionModel),
  requirements: (prepared) => {
    const known = (core as ExecutionModel).requirements(prepared);
    return { ...known, profiles: [...known.profiles, "hard-stop"] };
  },
};

it("refuses by name, before a run exists, what the engine executes and the host does not serve [DEF-requires]", async () => {
  const lab = new Lab();
  const host = await lab.host(() => null, { models: [ahead] });
  await expect(host.start(oneStep("pure"))).rejects.toMatchObject({
    code: "definition.invalid",
    findings: [{ code: "definition.profile-unsupported", pointer: "/requires" }],
  });
  expect(lab.calls).toEqual([]);
  expect((await host.control.list()).items).toEqual([]);
  await lab.end();
});

it("only looks at a run that an abler host began, and names the profile [DEF-requires]", async () => {
  const lab = new Lab();
  const able = await lab.host(() => null);
  const nodes = {
    ask: { kind: "await-signal", signal: "go", routes: { go: "done" } },
    done: { kind: "complete" },
  } as const;
  const { id } = await able.start(defineWorkflow({ id: "paused", start: "ask", nodes }));
  await lab.end();
  const said: HostLogEntry[] = [];
  const host = await lab.host(() => null, { models: [ahead], log: (entry) => said.push(entry) });
  await host.control.signal({ run: id, messageId: "m1", name: "go" }, { wait: 0 });
  const named = () =>
    said.some(({ code, message }) => code === "host.model-unknown" && message.includes("hard-stop"));
  expect(await until(named)).toBe(true);
  expect(await host.control.status(id)).toMatchObject({ status: "waiting", unapplied: 1 });
  await lab.end();
});
