// The store suite under `node:test`, with a word on the command line on a store that has no head of anything.
import { describe, it } from "node:test";
import { storeSuite } from "@swl/conformance/store";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";

const broken = process.argv.length > 2 ? { head: async () => undefined } : {};

async function open(options, backing = createMemoryBacking()) {
  const handle = async () => ({ ...openMemoryStore({ ...options, backing }), ...broken });
  return { store: await handle(), openPeer: handle, async dispose() {} };
}
storeSuite({ describe, it }, { name: "memory", open });
