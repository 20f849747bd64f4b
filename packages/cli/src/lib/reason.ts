/** Why the system refused a file, in words: what an error's number means to the person who named the file. */

const words: ReadonlyMap<unknown, string> = new Map([
  ["EEXIST", "something else is there"],
  ["ENOTDIR", "a part of its path is not a folder"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "this user may not"],
  ["EPERM", "this user may not"],
  ["EROFS", "its disk can only be read"],
  ["ENOSPC", "no space is left"],
  ["EDQUOT", "no space is left to this user"],
  ["ENAMETOOLONG", "its name is too long"],
  ["ELOOP", "its links lead in a circle"],
  ["EFBIG", "it is too large"],
  ["ERR_FS_FILE_TOO_LARGE", "it is too large"],
]);

/** Nothing is where a file was to be read, and no folder where one was to be written. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === "ENOENT") return "its folder is not there";
  return words.get(code) ?? (typeof code === "string" ? code : "the system does not say why");
}

/** Nothing is at the path, as opposed to: something is there and cannot be used. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** `ENOENT`, `ERR_…`: undefined where there is none, or where even looking for it throws. */
export function codeOf(error: unknown): unknown {
  try {
    return (error as { readonly code?: unknown } | null | undefined)?.code;
  } catch {
    return undefined;
  }
}
