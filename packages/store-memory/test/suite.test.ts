import { type OpenOptions, storeSuite } from "@swl/conformance/store";
import { describe, expect, it } from "vitest";
import { createMemoryBacking, openMemoryStore } from "../src/index.js";

storeSuite(
  { describe, it, expect },
  {
    name: "memory",
    async open(options: OpenOptions) {
      const open = async () => openMemoryStore({ ...options, backing });
      const backing = createMemoryBacking();
      return { store: await open(), openPeer: open, async dispose() {} };
    },
  },
);
