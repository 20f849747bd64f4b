import { describe, expect, it } from "vitest";
import { accepted, fail, inProcess, ok } from "../src/in-process.js";
import type { Operation } from "../src/index.js";
import { call, invocationOf, repeatable, unrepeatable } from "./call.js";

const signal = new AbortController().signal;
const operation = (handle?: string): Operation => {
  const { input: _input, parameters: _parameters, ...of } = invocationOf("act");
  return { ...of, ...(handle !== undefined && { handle }) };
};
const run = () => accepted("op-1");

describe("accepted", () => {
  it("answers with the handle [INV-four-answers]", async () => {
    expect(await call(() => accepted("op-1"), "unsafe")).toEqual({ kind: "accepted", handle: "op-1" });
  });

  it.each(["", "x".repeat(1_025)])(
    "with a handle that no state keeps is no result [INV-result-checked]",
    async (handle) => {
      for (const effect of repeatable) {
        expect(await call(() => accepted(handle), effect)).toMatchObject({
          kind: "failed",
          error: { code: "provider.result-invalid" },
        });
      }
      for (const effect of unrepeatable) {
        expect(await call(() => accepted(handle), effect)).toMatchObject({
          kind: "unknown",
          reason: "ack-lost",
        });
      }
    },
  );

  it("stands alone [INV-result-checked]", async () => {
    const both = () => ({ accepted: "op-1", outcome: "ok" });
    expect(await call(both, "pure")).toMatchObject({
      error: { message: expect.stringContaining("stands alone") },
    });
  });
});

describe("inspect", () => {
  const answer = (inspect: () => never) =>
    inProcess({ act: { run, inspect } }).inspect!(operation(), { signal });

  it.each(["running", "not-found", "unknown"] as const)(
    "says %s as the action does [INV-inspect]",
    async (word) => {
      expect(await answer((() => word) as () => never)).toEqual({ kind: word });
    },
  );

  it("says the result, or the failure that was thrown [INV-inspect]", async () => {
    expect(await answer((() => ok(1)) as () => never)).toEqual({
      kind: "completed",
      outcome: "ok",
      output: 1,
    });
    const refused = () => {
      throw fail("card.stolen", { retryable: false, message: "stolen" });
    };
    expect(await answer(refused)).toEqual({
      kind: "failed",
      error: { code: "card.stolen", message: "stolen", details: null },
    });
  });

  it("is unknown without a function, and where it returns what is none of the words [INV-inspect]", async () => {
    expect(await inProcess({ act: run }).inspect!(operation(), { signal })).toEqual({ kind: "unknown" });
    expect(await answer((() => "perhaps") as () => never)).toEqual({ kind: "unknown" });
  });

  it("can be asked again when the function throws [INV-inspect]", async () => {
    const thrown = () => {
      throw new TypeError("no route");
    };
    expect(await answer(thrown)).toMatchObject({ kind: "unavailable" });
  });
});

describe("cancel", () => {
  it("aborts the call that runs, whose answer still counts [INV-cancel-request]", async () => {
    const provider = inProcess({
      act: (_input: unknown, context) =>
        new Promise((resolve) => {
          context.signal.addEventListener("abort", () => resolve(ok("stopped")));
        }),
    });
    const running = call(run, "unsafe", { provider });
    expect(await provider.cancel!(operation(), { signal })).toEqual({ kind: "acknowledged" });
    expect(await running).toMatchObject({ kind: "completed", output: "stopped" });
    expect(await provider.cancel!(operation(), { signal })).toEqual({ kind: "unavailable" });
  });

  it("asks the action about its handle, and acknowledges when that returns [INV-cancel-request]", async () => {
    const asked: unknown[] = [];
    let broken = true;
    const cancel = ({ handle }: Operation) => {
      asked.push(handle);
      if (broken) throw new Error("no route");
    };
    const provider = inProcess({ act: { run, cancel } });
    expect(await provider.cancel!(operation("op-1"), { signal })).toEqual({ kind: "unavailable" });
    broken = false;
    expect(await provider.cancel!(operation("op-1"), { signal })).toEqual({ kind: "acknowledged" });
    expect(asked).toEqual(["op-1", "op-1"]);
  });

  it("is not possible for an operation whose action cannot cancel [INV-cancel-request]", async () => {
    const provider = inProcess({ act: run });
    expect(await provider.cancel!(operation("op-1"), { signal })).toEqual({ kind: "unsupported" });
  });
});

describe("the signal of a call", () => {
  it("carries the host's reason, also when it was aborted before [INV-in-process]", async () => {
    const reason = new DOMException("late", "TimeoutError");
    const told = (_input: unknown, context: { readonly signal: AbortSignal }) =>
      ok(String(context.signal.reason));
    const answer = await call(told, "pure", { signal: AbortSignal.abort(reason) });
    expect(answer).toMatchObject({ output: "TimeoutError: late" });
  });
});
