// Says how many syncs each append caused before its answer. Arguments: file, the file that the shim counts into.
import { existsSync, statSync } from "node:fs";
import { openSqliteStore } from "@swl/store-sqlite";

const [file, count] = process.argv.slice(2);
const syncs = () => (existsSync(count) ? statSync(count).size : 0);
const store = await openSqliteStore({ file });

async function syncsOf(items) {
  const before = syncs();
  const answers = await store.append(items);
  if (answers.some(({ kind }) => kind !== "accepted")) throw new TypeError("refused");
  return syncs() - before;
}

const item = (stream, expect) => ({
  stream,
  commit: `c${expect}`,
  expect,
  records: [{ kind: "event", document: { expect } }],
  slots: [{ key: "state", document: expect }],
  applies: true,
  stamp: Date.now(),
});

const lone = [];
for (let expect = 0; expect < 20; expect += 1) lone.push(await syncsOf([item("lone", expect)]));
const batches = [];
for (let expect = 0; expect < 5; expect += 1) {
  batches.push(await syncsOf(Array.from({ length: 32 }, (_, n) => item(`run ${n}`, expect))));
}
await store.close();
console.log(JSON.stringify({ lone, batches }));
