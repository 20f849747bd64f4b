/** What a host owes those who ask it and those whom it calls: the real host, and hosts that are broken on purpose. */
import { controlChecks } from "@swl/conformance";
import type { HostOptions } from "@swl/durable-state";
import type { ExecutionModel } from "@swl/execution/model";
import { describe, expect, it } from "vitest";
import { hostHarness, type Sabotage } from "./host-harness.js";

async function problemsOf(rule: string, sabotage?: Sabotage): Promise<string> {
  const check = controlChecks.find((candidate) => candidate.rule === rule)!;
  return (await check.run(hostHarness("durable-state", sabotage))).join("\n");
}

function withOptions(change: (options: HostOptions) => Partial<HostOptions>): Sabotage {
  return { options: (options) => ({ ...options, ...change(options) }) };
}

describe.concurrent("the durable host", () => {
  it("says of every request how far it got, and no further [INV-answers]", async () => {
    expect(await problemsOf("INV-answers")).toBe("");
  });

  it("tells an attempt out of time to stop, and hears it for the grace [INV-attempt-timeout]", async () => {
    expect(await problemsOf("INV-attempt-timeout")).toBe("");
  });
});

describe.concurrent("the control plane", () => {
  for (const { rule, title } of controlChecks.slice(0, -2)) {
    it(`${title} [${rule}]`, async () => {
      expect(await problemsOf(rule)).toBe("");
    });
  }
});

describe.concurrent("a broken host", () => {
  it("is caught when it tells a sender that everything moved the run [INV-answers]", async () => {
    const flattering = (real: ExecutionModel): ExecutionModel =>
      Object.assign(Object.create(real) as ExecutionModel, {
        transition(...given: Parameters<ExecutionModel["transition"]>) {
          const step = real.transition(...given);
          return "error" in step ? step : { ...step, effect: { kind: "applied" } };
        },
      });
    const problems = await problemsOf(
      "INV-answers",
      withOptions(({ models }) => ({ models: models.map(flattering) })),
    );
    expect(problems).toMatch(
      /an unmatched signal: expected applied,none,signal.unmatched, found applied,moved/,
    );
  });

  it("is caught when it does not hear an attempt that it stopped [INV-attempt-timeout]", async () => {
    const deaf = withOptions(() => ({ grace: 0 }));
    expect(await problemsOf("INV-attempt-timeout", deaf)).toMatch(/within the grace leaves the run/);
  });

  it("is caught when it never stops an attempt [INV-attempt-timeout]", async () => {
    const endless = (real: ExecutionModel): ExecutionModel =>
      Object.assign(Object.create(real) as ExecutionModel, {
        requirements(prepared: unknown) {
          const needs = real.requirements(prepared);
          return { ...needs, actions: needs.actions.map(({ attemptMs: _, ...action }) => action) };
        },
      });
    const patient = withOptions(({ models }) => ({ models: models.map(endless) }));
    expect(await problemsOf("INV-attempt-timeout", patient)).toMatch(/is not told to stop/);
  });
});
