import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeSuite } from "@swl/conformance/store";
import { describe, it } from "vitest";
import { openJsonStore } from "../src/json-store.ts";

async function open(options: object) {
  const folder = await mkdtemp(join(tmpdir(), "own-store-"));
  const handle = async () => openJsonStore({ ...options, file: join(folder, "runs.json") });
  const dispose = () => rm(folder, { recursive: true });
  return { store: await handle(), openPeer: handle, reopen: handle, crash: handle, dispose };
}

storeSuite({ describe, it }, { name: "json", open });
