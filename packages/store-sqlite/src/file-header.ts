/**
 * Whose file is it? Told from the first bytes of the file, without opening it as a database, so that a file that is
 * not ours gets no log beside it either. Spec: STO-version-gate.
 */
import { open, stat } from "node:fs/promises";
import { storeError } from "@swl/store-provider";
import { applicationId, migrations } from "./schema.js";

/** What a database says about itself. */
export interface FileMarks {
  readonly application: number;
  readonly version: number;
  /** Nothing has been made in it. */
  readonly empty: boolean;
}

const magic = "SQLite format 3\0";
/** The header of the file and of its first page. */
const headerBytes = 108;

/** Throws `store.corrupt` when it is not the header of an SQLite database. */
export async function readMarks(path: string): Promise<FileMarks> {
  const header = Buffer.alloc(headerBytes);
  const file = await open(path, "r");
  try {
    await file.read(header, 0, headerBytes, 0);
  } finally {
    await file.close();
  }
  if (header.toString("latin1", 0, magic.length) !== magic) {
    throw storeError("corrupt", `${path} is not an SQLite database; it was left as it is.`);
  }
  const pageSize = header.readUInt16BE(16);
  const isPageSize = pageSize === 1 || (pageSize >= 512 && (pageSize & (pageSize - 1)) === 0);
  if (!isPageSize) throw storeError("corrupt", `${path} is damaged; it was left as it is.`);
  return {
    application: header.readUInt32BE(68),
    version: header.readUInt32BE(60),
    // The first page is the root of the list of tables: a leaf without any cell.
    empty: header[100] === 0x0d && header.readUInt16BE(103) === 0,
  };
}

/** True when the newest state may be in the log beside the file: it is in use, or its last user was killed. */
export async function hasLog(path: string): Promise<boolean> {
  return stat(`${path}-wal`).then(
    ({ size }) => size > 0,
    () => false,
  );
}

/** The version of a file of ours, 0 for one in which nothing was made. Throws `store.incompatible` for every other one. */
export function checkMarks({ application, version, empty }: FileMarks, path: string): number {
  if (application === applicationId) {
    if (version <= migrations.length) return version;
    throw storeError(
      "incompatible",
      `${path} was written by a newer version (format ${version}; this one reads up to ${migrations.length}).`,
    );
  }
  if (application === 0 && version === 0 && empty) return 0;
  throw storeError("incompatible", `${path} is a database of another application; it was left as it is.`);
}
