/**
 * What the rules of the control plane over HTTP ask, as checks over a function that answers requests: the real server
 * passes all of them, and each of the servers that are broken on purpose is caught by the check of its rule.
 */
import { createApp } from "../src/index.js";
import { operations } from "../src/routes.js";
import { type Script, scripted } from "./lab.js";

export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

export interface Subject {
  readonly ask: Ask;
  readonly asked: readonly { readonly operation: string; readonly arguments: readonly unknown[] }[];
}

export function subject(options: object = {}, script: Script = {}): Subject {
  const { control, asked } = scripted(script);
  const app = createApp({ control, ...options });
  const ask: Ask = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has("host")) headers.set("host", "localhost");
    return app.fetch(new Request(`http://localhost${path}`, { ...init, headers }));
  };
  return { ask, asked };
}

/** A POST of JSON, or of text as it is. */
export function posted(body: unknown, headers: object = {}): RequestInit {
  return {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  };
}

type Check = (subject: Subject) => Promise<string[]>;

async function expecting(
  ask: Ask,
  table: readonly (readonly [string, RequestInit | undefined, number, string?])[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const [path, init, status, code] of table) {
    const answer = await ask(path, init);
    const body = code === undefined ? {} : ((await answer.json()) as { readonly code?: string });
    const found = `${answer.status} ${(body as { readonly code?: string }).code ?? ""}`.trim();
    const wanted = `${status} ${code ?? ""}`.trim();
    if (found !== wanted)
      problems.push(`${init?.method ?? "GET"} ${path}: expected ${wanted}, found ${found}`);
  }
  return problems;
}

export const checks: { readonly [rule: string]: Check } = {
  "INV-http-routes": ({ ask }) =>
    expecting(ask, [
      ["/nothing", undefined, 404, "server.route-unknown"],
      ["/runs/r", { method: "DELETE" }, 405, "server.method-refused"],
      ["/runs?limit=1&limit=2", undefined, 400, "request.invalid"],
    ]),
  "INV-http-guard": ({ ask }) =>
    expecting(ask, [
      ["/runs", { headers: { host: "evil.test" } }, 403, "server.host-refused"],
      ["/runs", { headers: { origin: "https://evil.test" } }, 403, "server.origin-refused"],
      ["/runs/%ff", undefined, 400, "request.invalid"],
    ]),
  "INV-http-body": async ({ ask, asked }) => {
    const problems = await expecting(ask, [
      ["/runs/r/signals", posted('{"name":"a","name":"b"}'), 400, "json.duplicate-key"],
      ["/runs/r/signals", posted({ name: "a", extra: 1 }), 400, "request.invalid"],
      ["/runs/r/signals", posted({ name: "a", payload: "x".repeat(1_048_576) }), 413, "server.too-large"],
    ]);
    return asked.length === 0 ? problems : [...problems, "a refused request reached the service"];
  },
  "INV-http-problems": async ({ ask }) => {
    const answer = await ask("/runs/r");
    const text = await answer.text();
    return text.includes("hunter2") ? ["the message of a stranger's error is told"] : [];
  },
  "INV-http-answers": ({ ask }) =>
    expecting(ask, [["/runs/r/signals", posted({ name: "go" }), 409, "signal.unmatched"]]),
  "INV-http-openapi": async ({ ask }) => {
    const { paths } = (await (await ask("/openapi.json")).json()) as { paths: { [path: string]: object } };
    const said = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }: { operationId: string }) => operationId),
    );
    return operations
      .filter((operation) => !said.includes(operation))
      .map((operation) => `${operation} is not said`);
  },
};
