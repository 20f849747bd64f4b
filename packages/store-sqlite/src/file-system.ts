/**
 * Is the file on a network file system? There SQLite's locks and shared memory do not work between machines, and files
 * get damaged. Known on Linux, by what `statfs` says; for FUSE by the name of the mount. Where nothing can be known the
 * file is taken for a local one.
 */
import { readFile, realpath, statfs } from "node:fs/promises";

/** What this module asks the system; replaced in tests. */
export interface FileSystems {
  /** Number of the file system's type. */
  typeOf(folder: string): Promise<number>;
  /** Text of `/proc/self/mountinfo`. */
  mounts(): Promise<string>;
}

export const systemFileSystems: FileSystems = {
  async typeOf(folder) {
    return (await statfs(folder)).type;
  },
  mounts: () => readFile("/proc/self/mountinfo", "utf8"),
};

const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB2"],
  [0xff534d42, "CIFS"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
]);
const fuse = 0x65735546;
const networkFuse = /^fuse\.(sshfs|s3fs|rclone|glusterfs|ceph-fuse|gcsfuse|davfs2?|goofys|blobfuse2?|mfs)\b/;

/** The name of the network file system that the folder is on; undefined when it is on none that is known. */
export async function networkFileSystem(
  folder: string,
  systems: FileSystems = systemFileSystems,
): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    // Signed on some systems.
    const type = (await systems.typeOf(folder)) >>> 0;
    if (type !== fuse) return networkTypes.get(type);
    const mount = mountOf(await realpath(folder), await systems.mounts());
    return mount?.match(networkFuse)?.[1];
  } catch {
    return undefined;
  }
}

/** The type of the mount that a path is under: the one with the longest point. */
function mountOf(path: string, mounts: string): string | undefined {
  let longest = -1;
  let found: string | undefined;
  for (const line of mounts.split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const point = (before.split(" ")[4] ?? "").replace(/\\040/g, " ");
    const under = path === point || path.startsWith(point.endsWith("/") ? point : `${point}/`);
    if (point === "" || !under || point.length < longest) continue;
    longest = point.length;
    found = after.split(" ")[0];
  }
  return found;
}
