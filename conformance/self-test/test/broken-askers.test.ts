/** What providers say of operations: the in-process one passes its checks, and each catches the one that it is about. */
import { type AskedHarness, askedChecks } from "@swl/conformance/providers";
import type { Provider } from "@swl/invocation-control";
import { fail, inProcess } from "@swl/invocation-control/in-process";
import { describe, expect, it } from "vitest";

const sound: AskedHarness = {
  name: "in-process",
  provide: (functions) => inProcess({ act: functions as { run: () => never } }),
  fail: (code) => fail(code, { retryable: false }),
};

async function problemsOf(rule: string, harness: AskedHarness): Promise<string> {
  const check = askedChecks.find((candidate) => candidate.rule === rule)!;
  return (await check.run(harness)).join("\n");
}

const changed = (change: (real: Provider) => Partial<Provider>): AskedHarness => ({
  ...sound,
  provide: (functions) => {
    const real = sound.provide(functions);
    return { ...real, ...change(real) };
  },
});

describe("the in-process provider", () => {
  for (const { rule, title } of askedChecks) {
    it(`${title} [${rule}]`, async () => {
      expect(await problemsOf(rule, sound)).toBe("");
    });
  }
});

describe("a broken provider", () => {
  it("is caught when it takes what it could not ask for unknown [INV-inspect]", async () => {
    const hasty = changed(({ inspect }) => ({
      inspect: async (operation, options) => {
        const answer = await inspect!(operation, options);
        return answer.kind === "unavailable" ? { kind: "unknown" } : answer;
      },
    }));
    expect(await problemsOf("INV-inspect", hasty)).toBe(
      "a thrown error: expected unavailable, found unknown",
    );
  });

  it("is caught when it rejects instead of saying so [INV-inspect]", async () => {
    const rejecting = changed(() => ({ inspect: () => Promise.reject(new Error("no route")) }));
    expect(await problemsOf("INV-inspect", rejecting)).toMatch(/found a rejection/);
  });

  it("is caught when it acknowledges what nobody heard [INV-cancel-request]", async () => {
    const polite = changed(() => ({ cancel: async () => ({ kind: "acknowledged" }) }));
    expect(await problemsOf("INV-cancel-request", polite)).toBe("a call that runs is not told to stop");
  });
});
