// Makes every call of `calls.mjs` on a file, says on stdout what was answered, and kills itself at one point.
// Arguments: file, point ("none" for none), "before" or "after". The points are the commits, in order; with the shim of
// sync-shim.c in the way it kills by itself and the point is "none".
import { writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { openSqliteStore } from "@swl/store-sqlite";
import { answerOf, calls, clock, dump } from "./calls.mjs";

const [file, point, when] = process.argv.slice(2);
const die = () => process.kill(process.pid, "SIGKILL");
let commits = 0;

const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  if (sql !== "COMMIT") return statement;
  return {
    run() {
      const here = String(commits) === point;
      commits += 1;
      if (here && when === "before") die();
      const result = statement.run();
      if (here) die();
      return result;
    },
  };
};

const said = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const store = await openSqliteStore({ file, clock });
said({ opened: true });
for (const call of calls) {
  const answer = await answerOf(store, call);
  said({ answer });
  if (point === "none" && when === "states") said({ state: await dump(store) });
}
await store.close();
said({ commits });
