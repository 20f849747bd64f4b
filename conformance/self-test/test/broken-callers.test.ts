/**
 * The checks of providers that call something outside the process, of bindings and of callback tokens: ours passes each,
 * and each catches the subject that it is about.
 */
import {
  type BindingsHarness,
  type BoundServer,
  bindingChecks,
  type KitProgram,
  type ProgramHarness,
  programChecks,
  type ServerHarness,
  type SubjectCheck,
  serverChecks,
  type TokenHarness,
  tokenChecks,
} from "@swl/conformance/providers";
import { type Provider, type ProviderAnswer, readBindings, remoteKind } from "@swl/invocation-control";
import { type ChildBinding, childProcess, childProcessKind } from "@swl/invocation-control/child-process";
import { type HttpBinding, http, httpKind } from "@swl/invocation-control/http";
import { signCallback, verifyCallback } from "@swl/invocation-control/tokens";
import { describe, expect, it } from "vitest";

function programs(more: (program: KitProgram) => Partial<ChildBinding> = () => ({})): ProgramHarness {
  return {
    name: "child-process",
    provide: (program) => {
      const { command, environment, maxOutputBytes, killAfterMs } = program;
      const binding = { command, maxOutputBytes, killAfterMs, pass: [], ...more(program) };
      return childProcess({ act: binding }, { environment });
    },
  };
}

function servers(more: (server: BoundServer) => Partial<HttpBinding> = () => ({})): ServerHarness {
  return {
    name: "http",
    provide: (server) => {
      const { origin, allowed, part, secret, maxResponseBytes } = server;
      const binding: HttpBinding = {
        url: part ? `${origin}/kit/{input.value}/end?value={input.value}&end=1` : origin,
        allow: allowed ? ["127.0.0.1"] : [],
        ...(secret !== undefined && { headers: { "x-kit-secret": { env: "KIT" } } }),
        ...(maxResponseBytes !== undefined && { maxResponseBytes }),
        ...more(server),
      };
      return http({ act: binding }, { environment: secret === undefined ? {} : { KIT: secret } });
    },
  };
}

/** What someone writes who has not read the chapter. */
const naive: ServerHarness = {
  name: "naive",
  provide: ({ origin, part }): Provider => ({
    id: "naive",
    has: () => true,
    async invoke({ input }): Promise<ProviderAnswer> {
      const { value } = input as { readonly value: string };
      try {
        const url = part ? `${origin}/kit/${value}/end?value=${value}&end=1` : origin;
        const response = await fetch(url, { method: "POST", body: JSON.stringify(input) });
        if (!response.ok) throw new Error(`status ${response.status}`);
        return { kind: "completed", outcome: "ok", output: null };
      } catch (error) {
        const message = (error as Error).message;
        return { kind: "failed", error: { code: "naive.failed", message, details: null }, retryable: true };
      }
    },
  }),
};

const bindings: BindingsHarness = {
  name: "bindings",
  read: (text, environment) =>
    readBindings(text, { file: "kit.json", kinds: [childProcessKind, httpKind, remoteKind], environment }),
};

const key = { id: "kit", secret: "a secret of the kit that is long enough" };
const tokens: TokenHarness = {
  name: "tokens",
  sign: (grant) => signCallback(grant, key),
  verify: (token, now) => {
    const verified = verifyCallback(token, [key], now);
    return verified.ok ? verified.value : undefined;
  },
};

async function problemsOf<Harness>(
  checks: readonly SubjectCheck<Harness>[],
  rule: string,
  harness: Harness,
): Promise<string> {
  return (await checks.find((check) => check.rule === rule)!.run(harness)).join("\n");
}

function passesAll<Harness>(checks: readonly SubjectCheck<Harness>[], harness: Harness): void {
  for (const { rule, title } of checks) {
    it(`${title} [${rule}]`, async () => {
      expect(await problemsOf(checks, rule, harness)).toBe("");
    }, 60_000);
  }
}

describe("the provider of programs", () => passesAll(programChecks, programs()));
describe("the provider of servers", () => passesAll(serverChecks, servers()));
describe("the bindings document", () => passesAll(bindingChecks, bindings));
describe("the callback token", () => passesAll(tokenChecks, tokens));

describe("a broken provider of programs", () => {
  const problems = (rule: string, harness: ProgramHarness) => problemsOf(programChecks, rule, harness);

  it("is caught when it passes on all of the environment [INV-child-process]", async () => {
    const open = programs(({ environment }) => ({ pass: Object.keys(environment) }));
    expect(await problems("INV-child-process", open)).toMatch(/a variable that nobody passed on/);
  }, 60_000);

  it("is caught when it uses a shell [INV-child-process]", async () => {
    const shell = programs(({ command }) => {
      const [node, flag, script, ...rest] = command;
      return { command: ["/bin/sh", "-c", `exec "$0" "$1" "$2" ${rest.join(" ")}`, node!, flag!, script!] };
    });
    expect(await problems("INV-child-process", shell)).toMatch(/did not reach the program as it is/);
  }, 60_000);

  it("is caught when it calls a crash a failure [INV-child-answer]", async () => {
    const optimist = programs(() => ({ exitCodes: { 1: { failed: "retryable" } } }));
    expect(await problems("INV-child-answer", optimist)).toMatch(
      /exit code 1, unsafe: expected unknown, found failed retryable/,
    );
  }, 60_000);

  it("is caught when it reads no answer documents [INV-answer-document]", async () => {
    const plain = programs(() => ({ answer: "output" }));
    expect(await problems("INV-answer-document", plain)).toMatch(/is no completion/);
  }, 60_000);
});

describe("a broken provider of servers", () => {
  const problems = (rule: string, harness: ServerHarness) => problemsOf(serverChecks, rule, harness);

  it("is caught when it sends no key [INV-call-request]", async () => {
    const keyless = servers(() => ({ idempotencyHeader: null }));
    expect(await problems("INV-call-request", keyless)).toMatch(/lack the idempotency key/);
  });

  it("is caught when it pastes data into addresses [INV-call-templates]", async () => {
    expect(await problems("INV-call-templates", naive)).toMatch(/a value left its part: "..\/..\/admin"/);
  });

  it("is caught when it calls a lost request a failure [INV-call-sent]", async () => {
    expect(await problems("INV-call-sent", naive)).toMatch(
      /the connection is cut, unsafe: expected unknown, found failed retryable/,
    );
  });

  it("is caught when it takes a 5xx for the word that nothing happened [INV-call-status]", async () => {
    const optimist = servers(() => ({ statuses: { "5xx": { failed: "retryable" } } }));
    expect(await problems("INV-call-status", optimist)).toMatch(
      /status 500, unsafe: expected unknown, found failed retryable/,
    );
  });

  it("is caught when it takes acceptance for success [INV-call-accepted]", async () => {
    const hasty = servers(() => ({ statuses: { 202: { outcome: "ok" } } }));
    expect(await problems("INV-call-accepted", hasty)).toMatch(/expected accepted, found completed/);
  });

  it("is caught when it does not look at the body [INV-call-body]", async () => {
    expect(await problems("INV-call-body", naive)).toMatch(/a body that is no JSON, .*found completed/);
  });

  it("is caught when it reaches any address [INV-call-guard]", async () => {
    const open = servers(() => ({ allow: ["0.0.0.0/0", "::/0"] }));
    expect(await problems("INV-call-guard", open)).toMatch(/an address that is not public/);
  });

  it("is caught when it follows redirects [INV-call-redirects]", async () => {
    expect(await problems("INV-call-redirects", naive)).toMatch(/a redirect was followed/);
  });

  it("is caught when a secret comes back [INV-secret-references]", async () => {
    const written = servers(({ secret }) =>
      secret === undefined ? {} : { headers: { "x-kit-secret": secret } },
    );
    expect(await problems("INV-secret-references", written)).toMatch(/the answer holds the secret/);
  });
});

describe("a broken reader of bindings", () => {
  const problems = (rule: string, harness: BindingsHarness) => problemsOf(bindingChecks, rule, harness);

  it("is caught when it forgets what a binding is granted [INV-bindings-document]", async () => {
    const forgetful: BindingsHarness = {
      ...bindings,
      read: (text, environment) => {
        const read = bindings.read(text, environment);
        if (!read.ok) return read;
        return {
          ...read,
          value: read.value.map(({ provider, actions }) => ({ provider, actions: actions! })),
        };
      },
    };
    expect(await problems("INV-bindings-document", forgetful)).toMatch(/version and grants are not kept/);
  });

  it("is caught when it stops at the first fault [INV-bindings-strict]", async () => {
    const hasty: BindingsHarness = {
      ...bindings,
      read: (text, environment) => {
        const read = bindings.read(text, environment);
        return read.ok ? read : { ok: false, findings: read.findings.slice(0, 1) };
      },
    };
    expect(await problems("INV-bindings-strict", hasty)).toMatch(/what is wrong with b is not told/);
    const lenient: BindingsHarness = {
      ...bindings,
      read: (text, environment) => bindings.read(JSON.stringify(JSON.parse(text)), environment),
    };
    expect(await problems("INV-bindings-strict", lenient)).toMatch(/says a member twice is read/);
  });
});

describe("a broken token", () => {
  it("is caught when it never expires, or is not signed [INV-callback-token]", async () => {
    const endless: TokenHarness = { ...tokens, verify: (token) => tokens.verify(token, 0) };
    expect(await problemsOf(tokenChecks, "INV-callback-token", endless)).toMatch(/good after its time/);
    const unsigned: TokenHarness = {
      name: "unsigned",
      sign: (grant) => JSON.stringify(grant),
      verify: (token, now) => {
        try {
          const grant = JSON.parse(token);
          return now < grant.expires ? grant : undefined;
        } catch {
          return undefined;
        }
      },
    };
    expect(await problemsOf(tokenChecks, "INV-callback-token", unsigned)).toMatch(/was changed/);
  });
});
