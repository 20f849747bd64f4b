// Lines that other processes append to one file, as they come.
import { existsSync, readFileSync, rmSync } from "node:fs";

/**
 * Begins with a file that is not there; tells `say` each whole line. The answer ends it: what is left is told, and the
 * file is removed.
 */
export function followLines(file, say) {
  let told = 0;
  const look = () => {
    if (!existsSync(file)) return;
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    for (const line of lines.slice(told)) say(line);
    told = lines.length;
  };
  rmSync(file, { force: true });
  const looking = setInterval(look, 1_000);
  return () => {
    clearInterval(looking);
    look();
    rmSync(file, { force: true });
  };
}
