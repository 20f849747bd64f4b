/** The checks of providers: the in-process provider passes each, and each catches the provider that it is about. */
import { type ProviderHarness, providerChecks } from "@swl/conformance";
import type { Provider, ProviderAnswer } from "@swl/invocation-control";
import { fail, inProcess } from "@swl/invocation-control/in-process";
import { describe, expect, it } from "vitest";

const sound: ProviderHarness = {
  name: "in-process",
  provide: (act, begins) =>
    inProcess({ act: begins === undefined ? (act as () => never) : { run: act as () => never, begins } }),
  fail: (code, retryable) => fail(code, { retryable }),
};

async function problemsOf(rule: string, harness: ProviderHarness): Promise<string> {
  const check = providerChecks.find((candidate) => candidate.rule === rule)!;
  return (await check.run(harness)).join("\n");
}

/** A provider made of a bare function: what someone writes who has not read the chapter. */
function naive(answer: (run: () => unknown, effect: string) => Promise<ProviderAnswer>): ProviderHarness {
  return {
    ...sound,
    provide: (act): Provider => ({
      id: "naive",
      has: () => true,
      invoke: ({ input, parameters }, { effect }) =>
        answer(() => act(input, { parameters, begin: () => {} }), effect),
    }),
  };
}

const passing = (result: unknown): ProviderAnswer => ({
  kind: "completed",
  ...(result as { outcome: string; output: null }),
});

describe("the in-process provider", () => {
  for (const { rule, title } of providerChecks) {
    it(`${title} [${rule}]`, async () => {
      expect(await problemsOf(rule, sound)).toBe("");
    });
  }
});

describe("a broken provider", () => {
  it("is caught when it rejects [INV-four-answers]", async () => {
    const rejecting = naive(async (run) => passing(await run()));
    expect(await problemsOf("INV-four-answers", rejecting)).toMatch(/rejects instead of answering/);
  });

  it("is caught when it answers in a fifth word [INV-four-answers]", async () => {
    const odd = naive(async () => ({ kind: "retry" }) as never);
    expect(await problemsOf("INV-four-answers", odd)).toMatch(/none of the four words/);
  });

  it("is caught when it has what it was not given [INV-in-process]", async () => {
    const table: object = { act: () => ({ outcome: "ok" }) };
    const reaching: ProviderHarness = {
      ...sound,
      provide: () => ({
        id: "reaching",
        has: (action) => action in table,
        invoke: async () => reported(true),
      }),
    };
    expect(await problemsOf("INV-in-process", reaching)).toMatch(/it says that it has toString/);
    expect(await problemsOf("INV-in-process", reaching)).toMatch(/a call for Act is no final failure/);
  });

  it("is caught when it shares its data with the action [INV-own-copy]", async () => {
    const sharing = naive(async (run) => passing(await run()));
    expect(await problemsOf("INV-own-copy", sharing)).toBe(
      [
        "the action changed the invocation's input",
        "the action changed the parameters",
        "the answer changed after it was given",
      ].join("\n"),
    );
  });

  it("is caught when it passes on what is no result [INV-result-checked]", async () => {
    const trusting = naive(async (run) => passing(await run()));
    expect(await problemsOf("INV-result-checked", trusting)).toMatch(
      /pure: expected failed, found completed/,
    );
  });

  it("is caught when it calls work that was done failed [INV-result-checked]", async () => {
    const failing = naive(async () => reported(false));
    expect(await problemsOf("INV-result-checked", failing)).toMatch(/unsafe: expected unknown, found failed/);
  });

  it("is caught when it calls an unsafe error a failure [INV-thrown-error]", async () => {
    const optimist = naive(async () => reported(true));
    expect(await problemsOf("INV-thrown-error", optimist)).toMatch(/unsafe: expected unknown, found failed/);
  });

  it("is caught when it does not know a reported failure [INV-thrown-error]", async () => {
    const pessimist = naive(async (_, effect) =>
      effect === "unsafe" ? { kind: "unknown", reason: "crash" } : reported(true),
    );
    expect(await problemsOf("INV-thrown-error", pessimist)).toMatch(/unsafe: expected failed, found unknown/);
  });

  it("is caught when it does not look at begin [INV-begins-explicit]", async () => {
    const ignoring: ProviderHarness = { ...sound, provide: (act) => sound.provide(act) };
    expect(await problemsOf("INV-begins-explicit", ignoring)).toMatch(/expected failed, found unknown/);
    const careless = naive(async () => reported(true));
    expect(await problemsOf("INV-begins-explicit", careless)).toMatch(/expected unknown, found failed/);
  });

  it("is caught when it keeps the stack [INV-nothing-leaks]", async () => {
    const leaking = naive(async (run) => {
      try {
        return passing(await run());
      } catch (error) {
        const { stack = "", cause } = error as Error;
        return { kind: "unknown", reason: "crash", message: `${stack} ${cause}` };
      }
    });
    const problems = await problemsOf("INV-nothing-leaks", leaking);
    expect(problems).toMatch(/the answer holds a stack frame/);
    const causing = naive(async (run) => {
      try {
        return passing(await run());
      } catch (error) {
        return { kind: "unknown", reason: "crash", message: String((error as Error).cause) };
      }
    });
    expect(await problemsOf("INV-nothing-leaks", causing)).toMatch(/the answer holds the cause/);
  });
});

function reported(retryable: boolean): ProviderAnswer {
  return { kind: "failed", error: { code: "kit.refused", message: "no", details: null }, retryable };
}
