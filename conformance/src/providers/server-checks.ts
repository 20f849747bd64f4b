/**
 * Checks of a provider that calls servers over HTTP. The kit brings the server; how it is bound is the subject's.
 *
 *  1. every attempt of an invocation has the same idempotency key, and the input (INV-call-request)
 *  2. data stay in the part of the request that they are for (INV-call-templates)
 *  3. before a request left nothing happened, after it nobody knows until there is a response (INV-call-sent)
 *  4. a status is the server's word, a 5xx none about the effect (INV-call-status)
 *  5. an accepted operation has a handle, or nobody knows what became of it (INV-call-accepted)
 *  6. a body that cannot be read, or is too large, is never passed on (INV-call-body)
 *  7. an address that is not public is not reached unless it is allowed (INV-call-guard)
 *  8. a redirect is not followed unless that is allowed (INV-call-redirects)
 *  9. a value of the environment does not come back in an answer (INV-secret-references)
 */
import type { Socket } from "node:net";
import type { Provider } from "@swl/invocation-control";
import { openKitServer, respond, withServer } from "./kit-server.js";
import {
  ask,
  asThrown,
  asUnreadable,
  effects,
  expectWords,
  type SubjectCheck,
  same,
  type Word,
  wordOf,
} from "./subject.js";

export interface ServerHarness {
  readonly name: string;
  /** A provider whose action `act` sends its input as JSON to the server, as POST. */
  provide(server: BoundServer): Provider;
}

export interface BoundServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** The address may be reached although it is not public. */
  readonly allowed: boolean;
  /** `input.value` is one part of the path (`/kit/VALUE/end`) and of the query (`?value=VALUE&end=1`). */
  readonly part?: true;
  /** A value of the environment that is sent as header `x-kit-secret`. */
  readonly secret?: string;
  /** Bytes that a response may have. */
  readonly maxResponseBytes?: number;
}

const allowed = true;

function at(harness: ServerHarness, answer: Parameters<typeof withServer>[0]) {
  return async (what: string, expected: { readonly repeatable: Word; readonly unrepeatable: Word }) =>
    withServer(answer, ({ origin }) =>
      expectWords(() => harness.provide({ origin, allowed }), what, expected),
    );
}

export const serverChecks: readonly SubjectCheck<ServerHarness>[] = [
  {
    rule: "INV-call-request",
    title: "every attempt has the same key, and the input",
    run: (harness) =>
      withServer(respond(200, "1"), async ({ origin, requests }) => {
        const provider = harness.provide({ origin, allowed });
        for (let attempt = 1; attempt <= 2; attempt++) await ask(provider, "idempotent");
        const keys = requests.map((request) => /^idempotency-key: *(\S+)/im.exec(request)?.[1]);
        const found =
          keys[0] === "kit/act/1" && keys[1] === keys[0] ? [] : ["attempts lack the idempotency key"];
        if (!requests.every((request) => request.endsWith('{"value":"kit"}')))
          found.push("the input was not sent");
        return found;
      }),
  },
  {
    rule: "INV-call-templates",
    title: "data stay in the part that they are for",
    run: (harness) =>
      withServer(respond(200, "1"), async ({ origin, requests }) => {
        const found: string[] = [];
        const provider = harness.provide({ origin, allowed, part: true });
        for (const value of ["../../admin", "a/b?c=d&end=2#e", "%2e%2e%2fadmin", "\r\nx-kit: 1", "..", "."]) {
          const before = requests.length;
          const answer = await ask(provider, "unsafe", { input: { value } });
          const request = requests[before];
          if (request === undefined) {
            const refused = typeof answer !== "string" && wordOf(answer) === "failed final";
            if (!refused)
              found.push(`a value that cannot be sent is no final failure: ${JSON.stringify(value)}`);
            continue;
          }
          const url = new URL(request.split(" ", 2)[1] ?? "", origin);
          const [, kit, part, end, ...rest] = url.pathname.split("/").map(decodeURIComponent);
          const whole = kit === "kit" && part === value && end === "end" && rest.length === 0;
          const query = url.searchParams.get("value") === value && url.searchParams.get("end") === "1";
          if (!whole || !query || /^x-kit: 1/m.test(request))
            found.push(`a value left its part: ${JSON.stringify(value)}`);
        }
        return found;
      }),
  },
  {
    rule: "INV-call-sent",
    title: "before a request left nothing happened, after it nobody knows",
    async run(harness) {
      const closed = await openKitServer(() => undefined);
      await closed.close();
      const nobody = () => harness.provide({ origin: closed.origin, allowed });
      const cut = (_: string, connection: { destroy(): void }): void => connection.destroy();
      const half = "HTTP/1.1 200 Kit\r\ncontent-length: 9\r\n\r\n1";
      return [
        ...(await expectWords(nobody, "nobody listens", same("failed retryable"))),
        ...(await at(harness, cut)("the connection is cut", same("unknown"))),
        ...(await at(harness, (_, connection) => connection.end(half))(
          "the response is cut",
          same("unknown"),
        )),
      ];
    },
  },
  {
    rule: "INV-call-status",
    title: "a status is the server's word, a 5xx none about the effect",
    async run(harness) {
      const expected: readonly [number, { readonly repeatable: Word; readonly unrepeatable: Word }][] = [
        [200, same("completed")],
        [400, same("failed final")],
        [409, same("failed final")],
        [408, same("failed retryable")],
        [425, same("failed retryable")],
        [429, same("failed retryable")],
        [503, same("failed retryable")],
        [500, asThrown],
        [502, asThrown],
        [504, asThrown],
      ];
      const found: string[] = [];
      for (const [status, words] of expected) {
        found.push(...(await at(harness, respond(status, "1"))(`status ${status}`, words)));
      }
      return found;
    },
  },
  {
    rule: "INV-call-accepted",
    title: "an accepted operation has a handle, or nobody knows",
    async run(harness) {
      const named = respond(202, '{"handle": "op-7"}');
      return [
        ...(await at(harness, named)("202 with a handle", same("accepted"))),
        ...(await at(harness, respond(202, "{}"))("202 without a handle", same("unknown"))),
      ];
    },
  },
  {
    rule: "INV-call-body",
    title: "a body that cannot be read, or is too large, is never passed on",
    async run(harness) {
      const large = respond(200, JSON.stringify("x".repeat(50_000)));
      const limited = await withServer(large, ({ origin }) =>
        expectWords(
          () => harness.provide({ origin, allowed, maxResponseBytes: 1_000 }),
          "a body over the limit",
          asUnreadable,
        ),
      );
      return [
        ...(await at(harness, respond(200, "<html>"))("a body that is no JSON", asUnreadable)),
        ...(await at(harness, respond(200, '{"a": 1, "a": 2}'))("a body with a key twice", asUnreadable)),
        ...limited,
      ];
    },
  },
  {
    rule: "INV-call-guard",
    title: "an address that is not public is not reached unless it is allowed",
    run: (harness) =>
      withServer(respond(200, "1"), async ({ origin, requests }) => {
        const port = new URL(origin).port;
        for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"]) {
          await refusing(harness, `http://${host}:${port}`);
        }
        return requests.length === 0 ? [] : ["a request went to an address that is not public"];
      }),
  },
  {
    rule: "INV-call-redirects",
    title: "a redirect is not followed unless that is allowed",
    run: (harness) =>
      withServer(respond(200, "1"), (target) =>
        withServer(respond(307, "", [`location: ${target.origin}/`]), async ({ origin }) => {
          for (const effect of effects) await ask(harness.provide({ origin, allowed }), effect);
          return target.requests.length === 0 ? [] : ["a redirect was followed"];
        }),
      ),
  },
  {
    rule: "INV-secret-references",
    title: "a value of the environment does not come back in an answer",
    async run(harness) {
      const secret = "kit-secret/0123456789";
      const echo = (status: number) => (request: string, connection: Socket) => {
        const sent = /^x-kit-secret: *(.+?)\r$/im.exec(request)?.[1] ?? "";
        respond(status, JSON.stringify({ title: `said ${sent}`, [sent]: sent }))(request, connection);
      };
      const found: string[] = [];
      for (const status of [200, 409, 500]) {
        await withServer(echo(status), async ({ origin, requests }) => {
          const provider = harness.provide({ origin, allowed, secret });
          for (const effect of ["pure", "unsafe"]) {
            const answer = JSON.stringify(await ask(provider, effect));
            if (answer.includes(secret))
              found.push(`status ${status}, ${effect}: the answer holds the secret`);
          }
          if (!requests.every((request) => request.includes(secret))) found.push("the header was not sent");
        });
      }
      return found;
    },
  },
];

/** It may refuse the binding, or the call. */
async function refusing(harness: ServerHarness, origin: string): Promise<void> {
  let provider: Provider;
  try {
    provider = harness.provide({ origin, allowed: false });
  } catch {
    return;
  }
  await ask(provider, "unsafe");
}
