import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type OpenedStore, type OpenOptions, storeSuite } from "@swl/conformance/store";
import type { Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/index.js";
import { asFormat1 } from "./format-1.js";

storeSuite({ describe, it, expect }, { name: "sqlite", open: openNew, openOlder });

async function openNew(options: OpenOptions): Promise<OpenedStore> {
  const folder = await mkdtemp(join(tmpdir(), "swl-suite-"));
  const file = join(folder, "runs.db");
  const handles: Store[] = [];
  const open = async () => {
    const store = await openSqliteStore({ ...options, file });
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
    // The old handles are never used again.
    crash: open,
    async damage(stream) {
      const database = new DatabaseSync(file);
      const sid = "(SELECT sid FROM streams WHERE stream = ?)";
      database.prepare(`DELETE FROM log WHERE position = 2 AND sid = ${sid}`).run(stream);
      database.close();
    },
    async dispose() {
      await closeAll();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openOlder(options: OpenOptions): Promise<OpenedStore> {
  const folder = await mkdtemp(join(tmpdir(), "swl-suite-"));
  const file = join(folder, "runs.db");
  await asFormat1(file, options);
  const store = await openSqliteStore({ ...options, file });
  return {
    store,
    async dispose() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
