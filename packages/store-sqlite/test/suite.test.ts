import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenOptions, storeSuite } from "@swl/conformance/store";
import type { Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/index.js";

storeSuite(
  { describe, it, expect },
  {
    name: "sqlite",
    async open(options: OpenOptions) {
      const folder = await mkdtemp(join(tmpdir(), "swl-suite-"));
      const handles: Store[] = [];
      const open = async () => {
        const store = await openSqliteStore({ ...options, file: join(folder, "runs.db") });
        handles.push(store);
        return store;
      };
      const closeAll = () => Promise.all(handles.map((store) => store.close()));
      return {
        store: await open(),
        openPeer: open,
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
