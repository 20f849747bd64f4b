/** A server on a loopback socket over a control service that remembers what it was asked, and raw sockets to talk to it. */
import { connect, type Socket } from "node:net";
import { SwlError } from "@swl/base";
import type { Authorize, ControlService } from "@swl/invocation-control";
import { afterEach } from "vitest";
import { type ServeOptions, type Server, serve } from "../src/index.js";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

export function closing(close: () => Promise<void>): void {
  open.push(close);
}

export interface Asked {
  readonly operation: string;
  readonly arguments: readonly unknown[];
}

/** Answers of operations by name; what is not there is `accepted` at position 2. */
export type Script = { readonly [operation: string]: (...given: never[]) => unknown };

export function scripted(script: Script = {}): { readonly control: ControlService; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const made = (authorize: Authorize | undefined): ControlService =>
    new Proxy({} as ControlService, {
      get(_target, operation: string) {
        if (operation === "as") return (next: Authorize) => made(next);
        return async (...given: never[]) => {
          const [first] = given as unknown as readonly [{ readonly run?: string } | string | undefined];
          const run = typeof first === "string" ? first : first?.run;
          const dryRun = operation === "dryRun";
          const reveal = (given[1] as { readonly reveal?: boolean } | undefined)?.reveal === true;
          const access = { operation: dryRun ? (first as never) : (operation as never), dryRun, reveal };
          const may =
            authorize === undefined ||
            operation === "bulk" ||
            (await authorize({ ...access, ...(run !== undefined && { run }) }));
          if (!may) throw new SwlError("request.unauthorized", "no");
          asked.push({ operation, arguments: given });
          const answer = Object.hasOwn(script, operation) ? script[operation] : accepted;
          return answer!(...given);
        };
      },
    });
  return { control: made(undefined), asked };
}

function accepted(request: {
  readonly run?: string;
  readonly requestId?: string;
  readonly messageId?: string;
}) {
  const { run = "run-1", requestId, messageId } = request ?? {};
  return { kind: "accepted", run, requestId: requestId ?? messageId ?? "key", position: 2, repeated: false };
}

export async function server(options: Partial<ServeOptions> & { readonly script?: Script } = {}) {
  const { script, ...rest } = options;
  const { control, asked } = scripted(script);
  const served: Server = await serve({ control, ...rest });
  closing(() => served.close({ drain: 0 }));
  const call = (path: string, init: RequestInit = {}) => fetch(`${served.url}${path}`, init);
  const post = (path: string, body: unknown, headers: { readonly [name: string]: string } = {}) =>
    call(path, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
  /** The host is healthy when it still answers. */
  const healthy = async () => (await call("/health")).status === 200;
  return { ...served, url: served.url, port: served.port, served, asked, call, post, healthy };
}

/** Status and code of a problem. */
export async function refusal(response: Promise<Response>): Promise<readonly [number, unknown]> {
  const answer = await response;
  return [answer.status, ((await answer.json()) as { readonly code?: unknown }).code];
}

/** Bytes as they are, and everything that comes back until the server closes the connection or falls silent. */
export function raw(port: number, send: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => send(socket));
    let text = "";
    socket.on("data", (part) => {
      text += part.toString("latin1");
    });
    socket.on("close", () => resolve(text));
    // A server that cuts a sender off resets the connection: what came before counts.
    socket.on("error", (error) => (text === "" ? reject(error) : resolve(text)));
  });
}
