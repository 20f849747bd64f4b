/**
 * Words of the command line that end up in a store or a log, checked before anything is opened: what can be no run, no
 * key, no signal is `request.invalid`, whatever the store would say to it.
 */
import { type Code, isSwlError, nearest, SwlError } from "@swl/base";

/** What a store takes as the name of anything. */
const longestId = 256;

/** Throws `cli.usage` for a file without a name, which would be the current folder. */
export function checkFileName(option: string, file: string | undefined, hint?: string): void {
  if (file === "")
    throw new SwlError("cli.usage", `${option} names no file`, hint === undefined ? {} : { hint });
}

/** Throws `request.invalid` unless the text is 1 to 256 characters of well-formed text without NUL. */
export function checkId(what: string, text: string | undefined): void {
  if (text === undefined) return;
  const fault =
    text === ""
      ? "is empty"
      : text.length > longestId
        ? `has ${text.length} characters; ${longestId} are the most`
        : /[\0\p{Surrogate}]/u.test(text)
          ? "is no well-formed text without NUL"
          : undefined;
  if (fault !== undefined) throw new SwlError("request.invalid", `${what} ${fault}`);
}

/** Throws `request.invalid` for what no workflow can wait for. */
export function checkSignalName(name: string): void {
  if (/^[A-Za-z0-9_.-]{1,64}$/.test(name)) return;
  throw new SwlError("request.invalid", `${JSON.stringify(name.slice(0, 80))} is no name of a signal`, {
    hint: "a name has 1 to 64 letters, digits, _, . or -",
  });
}

/** Throws `request.invalid` for what no error of a run can have as its code. */
export function checkErrorCode(code: string | undefined): void {
  if (code === undefined || /^[a-z0-9][a-z0-9.-]{0,63}$/.test(code)) return;
  throw new SwlError("request.invalid", `${JSON.stringify(code.slice(0, 80))} is no code of an error`, {
    hint: "a code has 1 to 64 lower-case letters, digits, . or -, and begins with a letter or digit",
  });
}

/** Every status that a run of a store can be listed under. */
export const statuses = [
  "created",
  "running",
  "waiting",
  "needs-intervention",
  "quarantined",
  "completed",
  "failed",
  "canceled",
] as const;

export function checkStatus(status: string | undefined): void {
  if (status === undefined || (statuses as readonly string[]).includes(status)) return;
  const near = nearest(status, statuses);
  const meant = near === undefined ? "" : `did you mean ${near}? `;
  throw new SwlError("request.invalid", `there is no status ${JSON.stringify(status.slice(0, 80))}`, {
    hint: `${meant}a run is ${statuses.join(", ")}`,
  });
}

/** Runs a query whose cursor only the store can read; one that it cannot is told as the option that it came with. */
export async function withCursor<T>(cursor: string | undefined, query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (cause) {
    const refused: Code = "request.invalid";
    if (cursor === undefined || !isSwlError(cause)) throw cause;
    if (cause.code !== refused || cause.pointer !== "/after") throw cause;
    throw new SwlError(
      "request.invalid",
      `--after ${JSON.stringify(cursor.slice(0, 80))} is no place in this list`,
      {
        hint: "give the cursor that the page before ended with",
        cause,
      },
    );
  }
}
