/** What a stranger has to write: less than 300 lines, their SQL among them. The whole suite passes. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenOptions, storeSuite } from "@swl/conformance/store";
import type { Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { openPlainStore } from "./plain-store.js";

storeSuite(
  { describe, it, expect },
  {
    name: "plain",
    async open(options: OpenOptions) {
      const folder = await mkdtemp(join(tmpdir(), "swl-plain-"));
      const handles: Store[] = [];
      const open = async () => {
        const store = openPlainStore({ ...options, file: join(folder, "runs.db") });
        handles.push(store);
        return store;
      };
      const closeAll = () => Promise.all(handles.map((store) => store.close()));
      return {
        store: await open(),
        openPeer: open,
        // The old handles are never used again.
        crash: open,
        async reopen() {
          await closeAll();
          return open();
        },
        async dispose() {
          await closeAll();
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
  },
);

describe("the stranger's store", () => {
  it("is less than 300 lines, with its SQL", async () => {
    const source = await readFile(new URL("plain-store.ts", import.meta.url), "utf8");
    const code = source.split("\n").filter((line) => line.trim() !== "" && !/^\s*(?:\/?\*|\/\/)/.test(line));
    expect(code.length).toBeLessThan(300);
  });
});
