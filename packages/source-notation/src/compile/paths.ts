/**
 * Names of files in a source folder: relative, `/` separated, inside it, and the same file on every file system.
 * Decided from the name alone; what symbolic links do is for whoever touches the disk. Spec: DOT-source-files.
 */
import { quote } from "../dot/finding.js";

/** Devices of Windows, which it finds in every folder, with any extension. */
const DEVICE =
  /^(con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$) *(\.|$)/i;

/** Why a declared file name is not accepted, or undefined when it is. */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "a file name cannot be empty";
  if (path.includes("\\")) return `${quote(path)} has a backslash; folders are separated by "/"`;
  if (/^[A-Za-z]:/.test(path))
    return `${quote(path)} names a drive; a declared file lies inside the source folder`;
  if (path.startsWith("/"))
    return `${quote(path)} is absolute; a declared file lies inside the source folder`;
  if (/\p{Cc}/u.test(path)) return `${quote(path)} has a control character`;
  const segments = path.split("/");
  if (segments.includes("..")) return `${quote(path)} leads out of the source folder`;
  if (segments.includes("") || segments.includes(".")) return `${quote(path)} has an empty or "." segment`;
  const elsewhere = segments.find(
    (segment) => /[<>:"|?*]/.test(segment) || /[. ]$/.test(segment) || DEVICE.test(segment),
  );
  if (elsewhere !== undefined)
    return `${quote(elsewhere)} is no name of a file on Windows, or that of another one`;
  return undefined;
}

/** What two names share when a file system that ignores case or composes characters takes them for one file. */
export function foldPath(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
