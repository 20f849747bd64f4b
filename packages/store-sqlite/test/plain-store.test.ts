/** What a stranger has to write: SQL, and less than 300 lines beyond it. The whole suite passes. */
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
  it("is less than 300 lines beyond its SQL", async () => {
    const source = await readFile(new URL("plain-store.ts", import.meta.url), "utf8");
    const beyond = source
      .replace(/`[^`]*\b(?:SELECT|INSERT|UPDATE|CREATE)\b[^`]*`/g, "``")
      .split("\n")
      .filter((line) => line.trim() !== "" && !/^\s*(?:\/?\*|\/\/)/.test(line));
    expect(beyond.length).toBeLessThan(300);
  });
});
