// Appends until the store refuses, says what was acknowledged and what came then, and reads. Arguments: file.
import { writeSync } from "node:fs";
import { openSqliteStore } from "@swl/store-sqlite";

const [file] = process.argv.slice(2);
const store = await openSqliteStore({ file });
let acknowledged = 0;
let code;
while (code === undefined && acknowledged < 1_000) {
  const item = {
    stream: "run",
    commit: `c${acknowledged}`,
    expect: acknowledged,
    records: [{ kind: "event", document: "x".repeat(10_000) }],
    applies: true,
    stamp: Date.now(),
  };
  const [answer] = await store.append([item]).catch((error) => {
    code = error.code;
    return [];
  });
  if (answer?.kind === "accepted") acknowledged += 1;
}
const head = await store.head("run");
writeSync(1, JSON.stringify({ acknowledged, code, position: head?.position }));
process.exit();
