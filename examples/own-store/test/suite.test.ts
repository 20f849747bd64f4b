import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { storeSuite } from "@swl/conformance/store";
import { describe, it } from "vitest";
import { openJsonStore } from "../src/json-store.ts";

async function open(options: object, file = `${tmpdir()}/own-store-${crypto.randomUUID()}.json`) {
  const db = async () => openJsonStore({ ...options, file });
  return { store: await db(), openPeer: db, reopen: db, crash: db, dispose: () => rm(file, { force: true }) };
}
storeSuite({ describe, it }, { name: "json", open });
