// Holds a lock on a file until its input ends. Arguments: file, "write" or "exclusive" (nobody else may even read).
import { writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const [file, mode] = process.argv.slice(2);
const database = new DatabaseSync(file, { timeout: 5_000 });
if (mode === "exclusive") database.exec("PRAGMA locking_mode = EXCLUSIVE");
database.exec("BEGIN IMMEDIATE");
writeSync(1, "locked\n");
process.stdin.resume().on("end", () => {
  database.exec("ROLLBACK");
  database.close();
});
