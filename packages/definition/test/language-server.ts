/** What an editor offers while one types: the language server of the compiler, asked over its standard streams. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { tsc } from "./compile.js";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly items?: readonly { readonly label: string }[] };
}

/** For each source the names offered where `@` stands in it, as they are listed. */
export async function completionsAt(sources: readonly string[]): Promise<readonly (readonly string[])[]> {
  const folder = mkdtempSync(join(import.meta.dirname, ".compiled-"));
  const names = sources.map((_, index) => `source-${index}.ts`);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: "../../../../tsconfig.base.json",
      compilerOptions: { noEmit: true, paths: { "@swl/definition": ["../../src/index.ts"] } },
      files: names,
    }),
  );
  sources.forEach((source, index) => {
    writeFileSync(join(folder, names[index]!), source.replace("@@", ""));
  });
  const server = new Server(folder);
  try {
    await server.ask("initialize", {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: { textDocument: { completion: { completionItem: {} } } },
    });
    server.tell("initialized", {});
    const found: (readonly string[])[] = [];
    for (const [index, source] of sources.entries()) {
      const uri = pathToFileURL(join(folder, names[index]!)).href;
      const text = source.replace("@@", "");
      server.tell("textDocument/didOpen", {
        textDocument: { uri, languageId: "typescript", version: 1, text },
      });
      const before = source.slice(0, source.indexOf("@@")).split("\n");
      const position = { line: before.length - 1, character: before.at(-1)!.length };
      const { result } = await server.ask("textDocument/completion", { textDocument: { uri }, position });
      found.push((result?.items ?? []).map(({ label }) => label));
    }
    return found;
  } finally {
    server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Server {
  readonly #process;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #read = Buffer.alloc(0);
  #asked = 0;

  constructor(cwd: string) {
    this.#process = spawn(process.execPath, [tsc(), "--lsp", "--stdio"], { cwd, stdio: "pipe" });
    this.#process.stdout.on("data", (chunk: Buffer) => {
      this.#read = Buffer.concat([this.#read, chunk]);
      for (let message = this.#next(); message; message = this.#next()) this.#receive(message);
    });
  }

  ask(method: string, params: object): Promise<Message> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  tell(method: string, params: object): void {
    this.#send({ method, params });
  }

  end(): void {
    this.#process.kill();
  }

  #receive({ id, method, ...rest }: Message): void {
    if (id === undefined) return;
    // The server asks for settings too: there are none.
    if (method !== undefined) this.#send({ id, result: method === "workspace/configuration" ? [] : null });
    else this.#waiting.get(id)?.(rest);
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #next(): Message | undefined {
    const head = this.#read.indexOf("\r\n\r\n");
    const [, length] =
      /Content-Length: (\d+)/.exec(this.#read.subarray(0, Math.max(0, head)).toString()) ?? [];
    const end = head + 4 + Number(length);
    if (head < 0 || length === undefined || this.#read.length < end) return undefined;
    const message = JSON.parse(this.#read.subarray(head + 4, end).toString()) as Message;
    this.#read = this.#read.subarray(end);
    return message;
  }
}
