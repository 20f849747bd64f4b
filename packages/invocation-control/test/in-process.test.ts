import type { Json } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ActionContext, inProcess, type LogEntry, ok } from "../src/in-process.js";
import { call, effects, invocationOf, repeatable, unrepeatable } from "./call.js";

describe("inProcess", () => {
  it("completes with the outcome and output that the function returns [INV-four-answers]", async () => {
    expect(await call(async () => ({ outcome: "approved", output: { limit: 5 } }), "read-only")).toEqual({
      kind: "completed",
      outcome: "approved",
      output: { limit: 5 },
    });
    expect(await call(() => ok([1]), "unsafe")).toEqual({ kind: "completed", outcome: "ok", output: [1] });
    expect(await call(() => ok(), "unsafe")).toMatchObject({ outcome: "ok", output: null });
    expect(await call(() => ({ outcome: "done" }), "pure")).toMatchObject({ outcome: "done", output: null });
  });

  it("hands on the trace that the run was started in", async () => {
    const seen: unknown[] = [];
    const provider = inProcess({
      act: (_, context) => {
        seen.push(context.traceparent);
        return ok();
      },
    });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const { signal } = new AbortController();
    await provider.invoke({ ...invocationOf("act"), traceparent }, { effect: "pure" }, { signal });
    await provider.invoke(invocationOf("act"), { effect: "pure" }, { signal });
    expect(seen).toEqual([traceparent, undefined]);
  });

  it("has exactly the actions of its table, whatever their names [INV-in-process]", async () => {
    const table = JSON.parse('{"__proto__": 1, "constructor": 1}') as { [action: string]: unknown };
    const provider = inProcess(
      Object.fromEntries(Object.keys(table).map((action) => [action, () => ok(action)])),
    );
    expect(["__proto__", "constructor", "toString", "hasOwnProperty"].map(provider.has)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const signal = new AbortController().signal;
    expect(await provider.invoke(invocationOf("__proto__"), { effect: "pure" }, { signal })).toMatchObject({
      output: "__proto__",
    });
    expect(await provider.invoke(invocationOf("toString"), { effect: "unsafe" }, { signal })).toMatchObject({
      kind: "failed",
      retryable: false,
      error: { code: "binding.missing" },
    });
  });

  it("refuses a table with entries that are no functions, all named [INV-in-process]", () => {
    const table = { good: () => ok(), text: "run", late: { run: () => ok(), begins: "later" } };
    expect(() => inProcess(table as never)).toThrowError(
      expect.objectContaining({ code: "binding.invalid", details: { actions: ["text", "late"] } }),
    );
  });

  it("reads its table once [INV-in-process]", async () => {
    const table = { act: () => ok("first") };
    const provider = inProcess(table);
    table.act = () => ok("second");
    expect(await call(() => ok(), "pure", { provider })).toMatchObject({ output: "first" });
  });

  it("gives every call its own copy of input and parameters [INV-own-copy]", async () => {
    const invocation = invocationOf("act", { items: [{ sku: "a" }] });
    const seen: Json[] = [];
    const provider = inProcess({
      act(input: { items: { sku: string }[] }, context) {
        seen.push(structuredClone(input), structuredClone(context.parameters));
        input.items[0]!.sku = "changed";
        input.items.push({ sku: "b" });
        (context.parameters as { currency: string }).currency = "changed";
        return ok();
      },
    });
    const signal = new AbortController().signal;
    await provider.invoke(invocation, { effect: "pure" }, { signal });
    await provider.invoke(invocation, { effect: "pure" }, { signal });
    expect(invocation).toEqual(invocationOf("act", { items: [{ sku: "a" }] }));
    expect(seen[2]).toEqual(seen[0]);
  });

  it("copies any JSON exactly, `__proto__` keys too [INV-own-copy]", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: "binary" }), async (value) => {
        const input = JSON.parse(JSON.stringify(value)) as Json;
        const answer = await call((given) => ok(given), "pure", { input });
        expect(answer).toEqual({ kind: "completed", outcome: "ok", output: input });
        if (typeof input === "object" && input !== null) {
          expect(answer.kind === "completed" && answer.output).not.toBe(input);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("keeps nothing in common with an output that changes later [INV-own-copy]", async () => {
    const output = { total: 1 };
    const answer = await call(() => ok(output), "pure");
    output.total = 2;
    expect(answer).toMatchObject({ output: { total: 1 } });
  });

  it("tells the attempt that the call serves", async () => {
    let seen: ActionContext | undefined;
    const controller = new AbortController();
    await call(
      (_, context) => {
        seen = context;
        controller.abort("enough");
        return ok();
      },
      "pure",
      { signal: controller.signal },
    );
    expect(seen).toMatchObject({
      run: "r1",
      invocation: "r1/act#1",
      activation: "act#1",
      action: "act",
      attempt: 1,
      idempotencyKey: "r1/act/1",
      parameters: { currency: "EUR" },
    });
    expect(seen?.signal).toMatchObject({ aborted: true, reason: "enough" });
  });

  it("hands log lines to the host, and survives a log that fails", async () => {
    const lines: LogEntry[] = [];
    const act = (_: unknown, { log }: ActionContext) => {
      log("charging", { cents: 12 });
      log("x".repeat(5_000), () => {});
      return ok();
    };
    await call(act, "pure", { provider: inProcess({ act }, { log: (entry) => lines.push(entry) }) });
    expect(lines[0]).toEqual({
      run: "r1",
      invocation: "r1/act#1",
      action: "act",
      attempt: 1,
      message: "charging",
      data: { cents: 12 },
    });
    expect([lines[1]?.message.length, lines[1]?.data]).toEqual([1_000, null]);
    const broken = inProcess(
      { act },
      {
        log() {
          throw new Error("disk full");
        },
      },
    );
    expect(await call(act, "pure", { provider: broken })).toMatchObject({ kind: "completed" });
  });
});

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

describe("a result that is none", () => {
  const broken: readonly (readonly [string, unknown, RegExp])[] = [
    ["nothing", undefined, /undefined is not JSON/],
    ["a plain value", 12, /no object with an outcome/],
    ["an array", ["ok"], /no object with an outcome/],
    ["no outcome", { output: 1 }, /outcome must be a string/],
    ["an empty outcome", { outcome: "", output: 1 }, /outcome must be a string/],
    ["an outcome that never ends", { outcome: "x".repeat(65) }, /outcome must be a string/],
    ["an undefined output", ok(undefined), /undefined is not JSON at \/output/],
    ["a member that nobody reads", { outcome: "ok", result: 1 }, /it has a member "result"/],
    ["a date", ok({ at: new Date(0) }), /\/output\/at/],
    ["a BigInt and a function", ok([1n, () => 1]), /\/output\/0 \(and 1 more\)/],
    ["a cycle", ok(cyclic), /contains itself/],
    ["half a surrogate pair", ok("\ud800"), /surrogate/],
    [
      "a getter that throws",
      ok({
        get secret() {
          throw new Error("no");
        },
      }),
      /reading the value threw/,
    ],
  ];

  it.each(broken)(
    "%s is a final failure where the action may be repeated [INV-result-checked]",
    async (...row) => {
      const [, result, message] = row;
      for (const effect of repeatable) {
        expect(await call(() => result as never, effect)).toEqual({
          kind: "failed",
          retryable: false,
          error: {
            code: "provider.result-invalid",
            message: expect.stringMatching(message) as string,
            details: null,
          },
        });
      }
    },
  );

  it.each(broken)(
    "%s is unknown where the action may not be repeated [INV-result-checked]",
    async (...row) => {
      const [, result, message] = row;
      for (const effect of [...unrepeatable, "no-such-effect"]) {
        expect(await call(async () => result as never, effect)).toEqual({
          kind: "unknown",
          reason: "ack-lost",
          message: expect.stringMatching(message) as string,
        });
      }
    },
  );

  it("leaves the judgement of the outcome's name to the model", async () => {
    for (const effect of effects) {
      expect(await call(() => ({ outcome: "No Such" }), effect)).toMatchObject({ outcome: "No Such" });
    }
  });
});
