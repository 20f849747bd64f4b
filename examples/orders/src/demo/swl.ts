/** Runs `swl` the way a user does: as a process of its own, with the very arguments that are shown. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nodeFlags } from "../node-flags.ts";
import { root } from "./stage.ts";

const bin = fileURLToPath(new URL("dist/bin.js", import.meta.resolve("@swl/cli/package.json")));

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const running = new Set<ChildProcess>();

export function swl(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: "1" };
    const child = spawn(process.execPath, [...nodeFlags, bin, ...args], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    const text = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text.out += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      text.err += chunk;
    });
    child.on("error", (error) => resolve({ code: 1, out: text.out, err: error.message }));
    child.on("close", (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, ...text });
    });
  });
}

/** The command line as it can be typed in the root of the clone. */
export function typed(args: readonly string[]): string {
  return `npx swl ${args.map(shellWord).join(" ")}`;
}

/** For when the demo is interrupted. */
export function stopAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

function shellWord(word: string): string {
  if (/^[A-Za-z0-9_./:=@%+,#-]+$/.test(word)) return word;
  return process.platform === "win32"
    ? `"${word.replaceAll('"', '\\"')}"`
    : `'${word.replaceAll("'", "'\\''")}'`;
}
