import { type OpenOptions, storeSuite } from "@swl/conformance/store";
import type { Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { openPostgresStore } from "../src/index.js";
import { noServer, scratchName, sql, url } from "./scratch.js";

describe.skipIf(noServer)("the store suite", () => {
  storeSuite(
    { describe, it, expect },
    {
      name: "postgres",
      async open(options: OpenOptions) {
        const schema = scratchName();
        const handles: Store[] = [];
        const open = async () => {
          const store = await openPostgresStore({ ...options, url: url(), schema, connections: 2 });
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
            await sql(`DROP SCHEMA "${schema}" CASCADE`);
          },
        };
      },
    },
  );
});
