/** This store as the suite wants it: every handle behind a wire of its own, which a crash cuts. */
import type { OpenedStore, OpenOptions, StoreHarness } from "@swl/conformance/store";
import type { Store } from "@swl/store-provider";
import { openPostgresStore, type PostgresStoreOptions } from "../src/index.js";
import { makeFormat1 } from "./format-1.js";
import { openProxy, type Wire } from "./proxy.js";
import { scratchName, sql, url } from "./scratch.js";

/** @param address what the handles connect to */
export function postgresHarness(
  name: string,
  address: () => string = url,
  more: Partial<PostgresStoreOptions> = {},
): StoreHarness {
  async function openIn(schema: string, options: OpenOptions): Promise<OpenedStore> {
    const handles: Store[] = [];
    let wire: Wire = await openProxy(address());
    const open = async () => {
      const store = await openPostgresStore({ ...options, connections: 2, ...more, url: wire.url, schema });
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
      async crash() {
        wire.sever();
        wire = await openProxy(address());
        return open();
      },
      async damage(stream) {
        await sql(
          `DELETE FROM "${schema}".log WHERE position = 2
            AND sid = (SELECT sid FROM "${schema}".streams WHERE stream = $1)`,
          [stream],
        );
      },
      async dispose() {
        await closeAll();
        await sql(`DROP SCHEMA "${schema}" CASCADE`);
      },
    };
  }
  return {
    name,
    open: (options) => openIn(scratchName(), options),
    async openOlder(options) {
      const schema = scratchName();
      await makeFormat1(schema);
      return openIn(schema, options);
    },
  };
}
