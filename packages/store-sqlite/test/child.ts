/** Scripts of this folder as processes of their own, and the shim that counts their syncs. */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "./temporary.js";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly said: string;
  readonly complained: string;
}

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A shell's limits, set before the script begins: `ulimit -f 100`. */
  readonly limits?: string;
  readonly uid?: number;
  /** To be told of what the script says, as it comes. */
  readonly heard?: (text: string) => void;
  /** Ends the script's input, for which it waits. */
  readonly release?: Promise<unknown>;
}

export function runScript(
  name: string,
  args: readonly string[],
  { env = {}, limits, uid, heard, release }: ChildOptions = {},
): Promise<Ended> {
  const command = [process.execPath, "--disable-warning=ExperimentalWarning", here(name), ...args];
  const [program = "", ...rest] =
    limits === undefined ? command : ["sh", "-c", `${limits} && exec "$0" "$@"`, ...command];
  const child = spawn(program, rest, {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const said: string[] = [];
  const complained: string[] = [];
  child.stdout.on("data", (data) => {
    said.push(String(data));
    heard?.(String(data));
  });
  child.stderr.on("data", (data) => complained.push(String(data)));
  void (release ?? Promise.resolve()).then(() => child.stdin.end());
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ code, signal, said: said.join(""), complained: complained.join("") }),
    );
  });
}

/** Somebody whom permissions stop: nobody, when this process is root. */
export const somebody: { readonly uid?: number } = process.getuid?.() === 0 ? { uid: 65_534 } : {};

/** Why scripts cannot be run as somebody whom permissions stop; undefined when they can. */
export function noSomebody(): string | undefined {
  if (process.platform === "win32") return "Windows has other permissions";
  if (somebody.uid === undefined) return undefined;
  const command = ["--check", here("opener.mjs")];
  const { status } = spawnSync(process.execPath, command, { uid: somebody.uid, gid: somebody.uid });
  return status === 0 ? undefined : "nobody may not read this folder";
}

/** Why syncs cannot be counted here; undefined when they can. */
export const noShim: string | undefined =
  process.platform !== "linux"
    ? "only Linux preloads the shim"
    : spawnSync("cc", ["--version"]).status === 0
      ? undefined
      : "there is no C compiler";

/** The path of the compiled shim, for `LD_PRELOAD`. */
export async function compileShim(): Promise<string> {
  const shim = join(await temporaryFolder(), "sync-shim.so");
  const { status, stderr } = spawnSync("cc", [
    "-shared",
    "-fPIC",
    "-O1",
    "-o",
    shim,
    here("sync-shim.c"),
    "-ldl",
  ]);
  if (status !== 0) throw new TypeError(`cc: ${String(stderr)}`);
  return shim;
}
