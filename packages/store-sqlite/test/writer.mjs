// A process that appends until it is killed or has done its share, and says on stdout what was acknowledged.
// Arguments: file, name, number of streams, number of batches (0: for ever), "race" to share positions with others.
import { writeSync } from "node:fs";
import { openSqliteStore } from "@swl/store-sqlite";

const [file, name, streamCount, batches, mode] = process.argv.slice(2);
const store = await openSqliteStore({ file });
const streams = Array.from({ length: Number(streamCount) }, (_, n) => `run-${n}`);
const said = (line) => writeSync(1, `${JSON.stringify(line)}\n`);

async function positionOf(stream) {
  return (await store.head(stream))?.position ?? 0;
}

for (let batch = 1; batches === "0" || batch <= Number(batches); batch += 1) {
  const items = [];
  for (const stream of streams) {
    const commit = `${name}-${batch}`;
    const expect = await positionOf(stream);
    // The other process gets its chance to come between.
    if (mode === "race") await new Promise((resolve) => setTimeout(resolve, Math.random() * 2));
    items.push({
      stream,
      commit,
      expect,
      applies: true,
      records: [1, 2, 3].map((part) => ({ kind: "part", document: { commit, part } })),
      slots: [1, 2].map((key) => ({ key: `s${key}`, document: commit })),
      stamp: Date.now(),
    });
  }
  const answers = await store.append(items);
  for (const [index, answer] of answers.entries()) {
    const { stream, commit } = items[index];
    said({ stream, commit, first: answer.first, refused: answer.failure?.kind });
  }
}
await store.close();
