import { describe, expect, it } from "vitest";
import { inProcess, ok } from "../src/in-process.js";
import { type ActionNeed, type Provider, resolveBindings } from "../src/index.js";

const act = () => ok();
const need = (action: string, ...capabilities: string[]): ActionNeed => ({ action, capabilities });
const codes = (result: ReturnType<typeof resolveBindings>) => result.findings.map((finding) => finding.code);

describe("resolveBindings", () => {
  it("gives each action its provider [INV-bindings-resolved]", () => {
    const local = inProcess({ reserve: act, charge: act });
    const remote = inProcess({ charge: act, ship: act }, { id: "remote" });
    const result = resolveBindings(
      [need("reserve"), need("charge", "payments"), need("ship")],
      [{ provider: local, actions: ["reserve"] }, { provider: remote }],
      ["payments"],
    );
    if (!result.ok) throw new Error(JSON.stringify(result.findings));
    expect([...result.value].map(([action, provider]) => [action, provider.id])).toEqual([
      ["reserve", "in-process"],
      ["charge", "remote"],
      ["ship", "remote"],
    ]);
  });

  it("names every action that nobody serves, in one pass [INV-bindings-resolved]", () => {
    const result = resolveBindings(
      [need("reserve"), need("chagre"), need("toString")],
      [{ provider: inProcess({ charge: act, reserve: act }), actions: ["charge", "reserve"] }],
    );
    expect(result).toEqual({
      ok: false,
      findings: [
        {
          code: "binding.missing",
          severity: "error",
          message: "nobody serves action chagre",
          pointer: "/actions/chagre",
          hint: 'did you mean charge? the bindings have that; without a binding: chagre, toString; a function of its name in inProcess({ … }) binds one; a line of a bindings document that binds one: "chagre": { "provider": "child-process", "command": ["node", "chagre.mjs"] }',
        },
        {
          code: "binding.missing",
          severity: "error",
          message: "nobody serves action toString",
          pointer: "/actions/toString",
        },
      ],
    });
  });

  it("knows a misspelt name among those that a provider lists itself [INV-bindings-resolved]", () => {
    const hints = (provider: Provider) => resolveBindings([need("charge")], [{ provider }]).findings[0]?.hint;
    expect(hints(inProcess({ chrage: act }))).toContain("did you mean chrage?");
    const { names: _, ...silent } = inProcess({ chrage: act });
    for (const names of [undefined, "chrage", [7], null]) {
      expect(hints({ ...silent, names } as unknown as Provider)).not.toContain("did you mean");
    }
  });

  it("refuses an action that two providers serve [INV-bindings-resolved]", () => {
    const sets = [{ provider: inProcess({ a: act }) }, { provider: inProcess({ a: act }, { id: "b" }) }];
    expect(codes(resolveBindings([need("a")], sets))).toEqual(["binding.invalid"]);
  });

  it("refuses a set that names what its provider lacks, and one without a provider [INV-bindings-resolved]", () => {
    expect(codes(resolveBindings([], [{ provider: inProcess({ a: act }), actions: ["a", "b"] }]))).toEqual([
      "binding.invalid",
    ]);
    const broken = { id: "x", has: () => true } as unknown as Provider;
    expect(codes(resolveBindings([need("a")], [{ provider: broken }]))).toEqual([
      "binding.invalid",
      "binding.missing",
    ]);
  });

  it("refuses a capability that the host does not grant [INV-bindings-resolved]", () => {
    const sets = [{ provider: inProcess({ a: act }) }];
    const result = resolveBindings([need("a", "payments", "mail")], sets, ["mail"]);
    expect(result.findings).toMatchObject([
      {
        code: "binding.not-granted",
        pointer: "/actions/a/capabilities",
        message: "action a needs the capability payments, which this host does not grant",
      },
    ]);
  });
});
