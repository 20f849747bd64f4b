/** PgBouncer, when the machine has it, in front of the tests' server: each transaction gets any one of three sessions. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort, nobody } from "./server.js";

export const sessions = 3;

/** Undefined when there is none in the path, or in `/usr/sbin`, where Debian has it. */
export function findPgbouncer(): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, "pgbouncer")).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPooler(program: string, target: string): Promise<Pooler> {
  const address = new URL(target);
  const folder = mkdtempSync(join(tmpdir(), "swl-pooler-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const users = join(folder, "users");
  const settings = join(folder, "settings.ini");
  writeFileSync(users, `"${address.username}" "${decodeURIComponent(address.password)}"\n`);
  writeFileSync(
    settings,
    [
      "[databases]",
      `* = host=${address.hostname} port=${address.port || 5432}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = trust",
      `auth_file = ${users}`,
      "pool_mode = transaction",
      `default_pool_size = ${sessions}`,
      "max_client_conn = 500",
    ].join("\n"),
  );
  // It ends with this process: its input is a pipe from it, and the shell waits for that to end.
  const script =
    '"$0" "$1" >/dev/null 2>&1 </dev/null & pooler=$!; read -r line; kill -INT "$pooler"; wait "$pooler"';
  const child = spawn("/bin/sh", ["-c", script, program, settings], {
    ...nobody,
    cwd: folder,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  address.hostname = "127.0.0.1";
  address.port = String(port);
  const stop = async () => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answering(port, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: address.href, stop };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, "exit");
  child.stdin?.end("\n");
  await exit;
}

async function answering(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200 && child.exitCode === null; tries += 1) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      socket.destroy();
    }
  }
  throw new Error("the PgBouncer of the tests does not answer");
}
