/**
 * Checks of whatever reads bindings documents, and of callback tokens.
 *
 * 1. a document says who serves which action (INV-bindings-document)
 * 2. everything that is wrong is found in one pass, by pointer, and no value of the environment told (INV-bindings-strict)
 * 3. a token grants what it was made for, until it expires, and nothing when it was changed (INV-callback-token)
 */
import type { Outcome } from "@swl/base";
import type { BindingSet } from "@swl/invocation-control";
import type { SubjectCheck } from "./subject.js";

export interface BindingsHarness {
  readonly name: string;
  read(text: string, environment: { readonly [name: string]: string }): Outcome<readonly BindingSet[]>;
}

export const bindingChecks: readonly SubjectCheck<BindingsHarness>[] = [
  {
    rule: "INV-bindings-document",
    title: "a document says who serves which action",
    async run(harness) {
      const bindings = {
        a: { provider: "http", url: "https://kit.example/", version: "2", grants: ["mail"] },
        b: { provider: "child-process", command: ["kit"] },
      };
      const read = harness.read(JSON.stringify({ bindings }), {});
      if (!read.ok) return ["a sound document is refused"];
      const found: string[] = [];
      for (const action of ["a", "b"]) {
        const serving = read.value.filter(
          ({ provider, actions }) => actions?.includes(action) && provider.has(action),
        );
        if (serving.length !== 1) found.push(`action ${action} is served by ${serving.length}`);
      }
      const [set] = read.value.filter(({ actions }) => actions?.includes("a"));
      if (set?.version !== "2" || set.grants?.[0] !== "mail") found.push("version and grants are not kept");
      return found;
    },
  },
  {
    rule: "INV-bindings-strict",
    title: "everything that is wrong is found in one pass, and no secret told",
    async run(harness) {
      const bindings = {
        a: { provider: "htpp" },
        b: { provider: "http", url: "https://kit.example/", unread: 1 },
        c: { provider: "http", url: { env: "SWL_KIT_NOT_SET" } },
        d: { provider: "http", url: { env: "SWL_KIT_SET" } },
      };
      const read = harness.read(JSON.stringify({ bindings }), { SWL_KIT_SET: "kit-secret-value" });
      if (read.ok) return ["a document with four faults is read"];
      const pointers = read.findings.map(({ pointer }) => pointer);
      const found = Object.keys(bindings)
        .filter((action) => !pointers.some((pointer) => pointer.startsWith(`/bindings/${action}`)))
        .map((action) => `what is wrong with ${action} is not told`);
      const codes = read.findings.map(({ code }) => code);
      if (!codes.includes("binding.secret-missing"))
        found.push("a variable that is not set is not named as such");
      if (JSON.stringify(read.findings).includes("kit-secret-value")) found.push("a finding tells a secret");
      const twice = harness.read('{"bindings": {}, "bindings": {}}', {});
      if (twice.ok) found.push("a document that says a member twice is read");
      return found;
    },
  },
];

export interface TokenHarness {
  readonly name: string;
  sign(grant: KitGrant): string;
  /** Milliseconds since the epoch. Undefined: refused. */
  verify(token: string, now: number): KitGrant | undefined;
}

export interface KitGrant {
  readonly run: string;
  readonly invocation: string;
  readonly attempt: number;
  readonly expires: number;
}

export const tokenChecks: readonly SubjectCheck<TokenHarness>[] = [
  {
    rule: "INV-callback-token",
    title: "a token grants what it was made for, until it expires, and nothing when it was changed",
    async run(harness) {
      const grant = { run: "kit", invocation: "kit/act#1", attempt: 2, expires: 1_000 };
      const token = harness.sign(grant);
      const found: string[] = [];
      const read = harness.verify(token, 999);
      if (JSON.stringify(read && order(read)) !== JSON.stringify(grant))
        found.push("a token does not grant what it is for");
      if (harness.verify(token, 1_000) !== undefined) found.push("a token is good after its time");
      for (let at = 0; at < token.length; at++) {
        const changed = `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
        if (harness.verify(changed, 0) !== undefined)
          found.push(`a token is good when its character ${at} was changed`);
      }
      if (harness.verify("", 0) !== undefined) found.push("no token is good");
      return found;
    },
  },
];

function order({ run, invocation, attempt, expires }: KitGrant): KitGrant {
  return { run, invocation, attempt, expires };
}
