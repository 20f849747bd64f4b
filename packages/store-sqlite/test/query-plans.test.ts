/** Every query that is asked again and again finds its rows by an index: none walks over a table that grows with the runs. */

import { createDocuments, plainCodec } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import * as blobs from "../src/blobs.js";
import { type Database, loadDriver } from "../src/driver.js";
import * as dues from "../src/dues.js";
import * as holders from "../src/holders.js";
import { commitAt, readLog } from "../src/log.js";
import { openFile } from "../src/open-file.js";
import * as prune from "../src/prune.js";
import * as streams from "../src/streams.js";
import * as work from "../src/work.js";
import { temporaryFile } from "./temporary.js";

const documents = createDocuments(plainCodec, 1_000);

const queries: readonly (readonly [string, (database: Database) => unknown])[] = [
  ["a stream", (d) => streams.findStream(d, "s")],
  ["a list", (d) => streams.listStreams(d, {}, 9, 9)],
  ["a list by labels", (d) => streams.listStreams(d, { a: "b", c: "d" }, 9, 9)],
  ["the log", (d) => readLog(d, 1, 1, 9, documents)],
  ["an item's records", (d) => commitAt(d, 1, 1)],
  ["unapplied streams", (d) => streams.unappliedStreams(d, 9, "")],
  ["orphaned streams", (d) => holders.orphanedStreams(d, 1, 9, "")],
  ["abandoned work", (d) => work.abandonedWork(d, 1, 9, "", documents)],
  ["due entries", (d) => dues.dueNow(d, 1, 9, 0)],
  ["claimable work", (d) => work.claimable(d, "q", 1, 9)],
  ["queues", (d) => work.claimableQueues(d, 1, 9)],
  ["held work", (d) => work.workOfHolder(d, "h", documents)],
  ["what to prune", (d) => prune.hasPrunable(d, 1)],
  ["the portion to prune", (d) => prune.prune(d, 1, 9)],
  ["whether a blob is there", (d) => blobs.hasBlob(d, "d")],
  ["a stream's pins", (d) => blobs.unpin(d, 1)],
  ["a stream's work", (d) => work.workOfStream(d, 1, documents)],
];

describe("the query for", () => {
  it.each(queries)("%s uses an index [STO-host-queries]", async (_what, query) => {
    const database = await openFile({
      driver: await loadDriver(),
      path: await temporaryFile(),
      busyTimeout: 5,
      patience: { name: "s", lockWait: 100 },
    });
    // A closed stream, so that pruning gets as far as its deletions.
    database.exec("INSERT INTO streams VALUES (1, 's', 0, NULL, 0, NULL, NULL, 1, 0, 0)");
    database.exec("INSERT INTO pins VALUES (1, 'd')");
    const plans: string[] = [];
    const explain = (sql: string, values: readonly unknown[]) => {
      for (const row of database.all(`EXPLAIN QUERY PLAN ${sql}`, ...(values as never[]))) {
        plans.push(row["detail"] as string);
      }
    };
    query({
      ...database,
      run(sql, ...values) {
        explain(sql, values);
        return database.run(sql, ...values);
      },
      get(sql, ...values) {
        explain(sql, values);
        return database.get(sql, ...values);
      },
      all(sql, ...values) {
        explain(sql, values);
        return database.all(sql, ...values);
      },
    });
    database.close();
    expect(plans.length).toBeGreaterThan(0);
    const tables =
      /^SCAN (?:streams|log|slots|facets|dues|work|receipts|notes|pins|blobs|s|w|d|f)\b(?! USING)/;
    expect(plans.filter((plan) => tables.test(plan))).toEqual([]);
  });
});
