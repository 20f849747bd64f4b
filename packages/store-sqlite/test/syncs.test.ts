/** What reaches the disk, counted where the process asks for it. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileShim, noShim, runScript } from "./child.js";
import { temporaryFolder } from "./temporary.js";

describe("an append", () => {
  it("is on the disk before it is answered, and a batch is there at once [STO-durable-settings]", async ({
    skip,
  }) => {
    skip(noShim !== undefined, noShim);
    const folder = await temporaryFolder();
    const count = join(folder, "count");
    const { code, said, complained } = await runScript("syncer.mjs", [join(folder, "runs.db"), count], {
      env: { LD_PRELOAD: await compileShim(), SWL_SYNC_COUNT: count },
    });
    expect([code, complained]).toEqual([0, ""]);
    const { lone, batches } = JSON.parse(said) as { lone: readonly number[]; batches: readonly number[] };
    expect([lone.length, batches.length]).toEqual([20, 5]);
    for (const syncs of lone) expect(syncs).toBeGreaterThanOrEqual(1);
    for (const syncs of batches) {
      expect(syncs).toBeGreaterThanOrEqual(1);
      expect(syncs).toBeLessThan(8);
    }
  });
});
