/**
 * The processes of one call as a group: started without a shell, ended together. On POSIX the child leads a process
 * group of its own, which its children belong to unless they leave it; on Windows the tree below it is ended. What is
 * under way when the host's own process exits is ended with it.
 */
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export interface ProcessPlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly environment: { readonly [name: string]: string };
}

const windows = process.platform === "win32";
const underWay = new Set<Child>();

/** Throws what `spawn` throws for what it cannot even try. */
export function startGroup({ command, args, cwd, environment }: ProcessPlan): Child {
  const child = spawn(command, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...environment },
    stdio: ["pipe", "pipe", "pipe"],
    shell: false,
    windowsHide: true,
    detached: !windows,
  });
  if (underWay.size === 0) process.on("exit", endAll);
  underWay.add(child);
  return child;
}

/** The child has ended, and its group with it: there is nothing left to end when the host exits. */
export function forget(child: Child): void {
  underWay.delete(child);
  if (underWay.size === 0) process.off("exit", endAll);
}

export function signalGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  if (windows) {
    endTree(child.pid, signal === "SIGKILL");
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

/** Windows knows no groups of this kind and no SIGTERM: `taskkill` walks the tree. */
function endTree(pid: number, hard: boolean): void {
  const args = ["/PID", String(pid), "/T", ...(hard ? ["/F"] : [])];
  spawn("taskkill", args, { stdio: "ignore", windowsHide: true, shell: false }).on("error", () => undefined);
}

function endAll(): void {
  for (const child of underWay) signalGroup(child, "SIGKILL");
}
