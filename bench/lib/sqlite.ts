/** Stores on SQLite in a folder of their own, and raw connections beside them with the same settings. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import type { Written } from "./store-flat.ts";
import { took } from "./store-visits.ts";
import { demand, type WaitingPlace } from "./store-waiting.ts";

export interface Place {
  /** The same name again: another handle on the same file. */
  store(name: string): Promise<Store>;
  /** One row of 200 bytes and its commit. */
  raw(): () => void;
  /** What has been written to the file of that name since the first call; then one is due every 1,000 pages of log. */
  meter(name: string): () => Written;
  /** With all that was opened. */
  close(): Promise<void>;
}

export function openPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "swl-bench-"));
  const open: { close(): unknown }[] = [];
  const database = (name: string) => {
    const opened = new DatabaseSync(join(folder, name));
    open.push(opened);
    return opened;
  };
  return {
    async store(name) {
      const store = await openSqliteStore({ file: join(folder, `${name}.db`) });
      open.push(store);
      return store;
    },
    raw() {
      const opened = database("raw.db");
      opened.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      opened.exec("CREATE TABLE row (id INTEGER PRIMARY KEY, body BLOB)");
      const insert = opened.prepare("INSERT INTO row (body) VALUES (?)");
      const body = new Uint8Array(200).fill(120);
      return () => void insert.run(body);
    },
    meter(name) {
      const opened = database(`${name}.db`);
      const number = (pragma: string) =>
        Number(Object.values(opened.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
      let log: number | undefined;
      return () => {
        // The log begins anew each time it is asked for, before it would do so by itself and hide what was in it.
        const { size } = statSync(join(folder, `${name}.db-wal`));
        if (log !== undefined && size >= 1_000 * number("page_size")) {
          throw new Error("the log has begun anew by itself");
        }
        log = log === undefined ? 0 : log + size;
        if (number("wal_checkpoint(TRUNCATE)") !== 0) throw new Error("the log could not be emptied");
        return { log, file: number("page_count") * number("page_size") };
      };
    },
    async close() {
      for (const one of open) await one.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Wake-ups do not leave the process (`capabilities.wakeUps`): a host of another one looks. Timed is the look of another
 * handle that begins with the answer to what was sent; how long a host pauses between looks is its own setting.
 */
export async function openWaiting(
  place: Place,
  name: string,
): Promise<WaitingPlace & { readonly heard: { readonly of: number; readonly early: number } }> {
  const [store, other] = [await place.store(name), await place.store(name)];
  const heard = { of: 0, early: 0 };
  return {
    store,
    heard,
    async wakeUp(stream, send) {
      let early = false;
      const unwatch = other.watch((wakes) => {
        early ||= wakes.some(({ kind, name: of }) => kind === "records" && of === stream);
      });
      await send();
      unwatch();
      heard.of += 1;
      if (early) heard.early += 1;
      const { answer, ms } = await took(() => other.unapplied(200));
      demand(answer[0], stream);
      return ms;
    },
  };
}
