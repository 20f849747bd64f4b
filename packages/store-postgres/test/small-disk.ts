/** A disk of a few megabytes for the tests' own server, where they may mount one (as root on Linux). */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nobody } from "./server.js";

export interface SmallDisk {
  readonly folder: string;
  /** Leaves less than a megabyte. */
  fill(): void;
  free(): void;
  remove(): void;
}

export function smallDisk(): SmallDisk | undefined {
  const { SWL_TEST_OWN_SERVER: own, SWL_TEST_DATABASE_URL: used } = process.env;
  if (process.platform !== "linux" || nobody.uid === undefined || own !== used) return undefined;
  const mount = mkdtempSync(join(tmpdir(), "swl-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", mount], { stdio: "ignore" });
  } catch {
    rmSync(mount, { recursive: true });
    return undefined;
  }
  const folder = join(mount, "space");
  const filler = join(mount, "filler");
  chmodSync(mount, 0o755);
  mkdirSync(folder);
  chownSync(folder, nobody.uid, nobody.gid);
  return {
    folder,
    fill() {
      const { bavail, bsize } = statfsSync(mount);
      writeFileSync(filler, Buffer.alloc(bavail * bsize - 900_000));
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      // A session of an older server may have a file of a dropped table open until it is asked something again.
      execFileSync("umount", ["--lazy", mount]);
      rmSync(mount, { recursive: true });
    },
  };
}
