/** A system that has no descriptors left: a child then comes back without a process and without streams. */
import { ChildProcess } from "node:child_process";
import { describe, expect, it, vi } from "vitest";
import { childProcess } from "../src/child-process.js";
import { invocationOf } from "./call.js";

vi.mock(import("node:child_process"), async (original) => ({
  ...(await original()),
  spawn: (() => {
    const child = new ChildProcess();
    const error = Object.assign(new Error("spawn x EMFILE"), { code: "EMFILE" });
    process.nextTick(() => child.emit("error", error));
    return child;
  }) as never,
}));

describe("a program for which there are no descriptors", () => {
  it("was not started: a retryable report, and nothing is thrown anywhere [INV-four-answers]", async () => {
    const provider = childProcess({ act: { command: ["x"], inspect: { command: ["x"] } } });
    const invocation = invocationOf("act");
    const { signal } = new AbortController();
    for (const effect of ["pure", "unsafe"]) {
      expect(await provider.invoke(invocation, { effect }, { signal })).toMatchObject({
        kind: "failed",
        error: { code: "provider.start-failed", details: { errno: "EMFILE" } },
        retryable: true,
      });
    }
    expect(await provider.inspect?.(invocation, { signal })).toMatchObject({ kind: "unavailable" });
  });
});
