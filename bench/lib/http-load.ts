/**
 * The client of `server`: a thread of its own with so many connections, each sending one request after the other as bytes
 * and reading the answer by its length. As little of its own as can be, so that the server is what is measured.
 */
import { connect, type Socket } from "node:net";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly runs: number;
}

/** One round: every run is started and its result waited for. Rejects when an answer is not what it should be. */
export async function loaded(worker: Worker, load: Load): Promise<void> {
  const ended = new Promise<string | undefined>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  worker.postMessage(load);
  const wrong = await ended;
  if (wrong !== undefined) throw new Error(wrong);
}

export function loadThread(): Worker {
  return new Worker(new URL(import.meta.url));
}

const body = JSON.stringify({ name: "adding", input: { order: 1 } });
const start = Buffer.from(
  `POST /runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
);
const result = (run: string) =>
  `GET /runs/${run}/result HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=10\r\n\r\n`;

class Connection {
  readonly #socket: Socket;
  #text = "";
  #answered: (answer: string) => void = () => undefined;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1").setNoDelay(true).setEncoding("latin1");
    this.#socket.on("data", (part: string) => {
      this.#text += part;
      const head = this.#text.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = /content-length: (\d+)/i.exec(this.#text)?.[1];
      const end = length === undefined ? this.#chunked(head) : head + 4 + Number(length);
      if (end < 0 || this.#text.length < end) return;
      const answer = this.#text.slice(0, end);
      this.#text = this.#text.slice(end);
      this.#answered(answer);
    });
  }

  ask(request: Buffer | string): Promise<string> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #chunked(head: number): number {
    const last = this.#text.indexOf("0\r\n\r\n", head);
    return last < 0 ? -1 : last + 5;
  }
}

async function load({ port, connections, runs }: Load): Promise<string | undefined> {
  let left = runs;
  let wrong: string | undefined;
  const one = async (): Promise<void> => {
    const connection = new Connection(port);
    while (left-- > 0 && wrong === undefined) {
      const run = /"run":"([^"]+)"/.exec(await connection.ask(start))?.[1];
      const answer = run === undefined ? "no run" : await connection.ask(result(run));
      if (!answer.includes('"completed"')) wrong = `unexpected: ${answer.slice(0, 500)}`;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, one));
  return wrong;
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  port.on("message", (given: Load) => void load(given).then((wrong) => port.postMessage(wrong)));
}
