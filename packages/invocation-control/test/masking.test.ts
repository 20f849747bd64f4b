/** Marks of a definition, where they go by its mappings, and what is masked in what is shown. */
import { excerpt, type Json } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasMarks, marksOf } from "../src/control-marks.js";
import { masked, maskView, Secrets } from "../src/control-masking.js";

const definition = {
  sensitive: { input: ["/card"] },
  actions: {
    charge: { sensitive: { input: ["/token", "/fixed"], outputs: { ok: ["/secret"] } } },
    look: {},
  },
  nodes: {
    look: { kind: "activity", action: "look", input: { $get: ["input"] }, routes: { ok: "charge" } },
    charge: {
      kind: "activity",
      action: "charge",
      input: {
        token: { $get: ["from", "output", "key"] },
        fixed: "written-here",
        of: { $get: ["input", "name"] },
      },
      routes: { ok: "ask" },
    },
    ask: {
      kind: "await-signal",
      signal: "go",
      sensitive: { payloads: { yes: ["/pin"] } },
      routes: { yes: "done" },
    },
    done: {
      kind: "complete",
      output: {
        whole: { $get: ["input"] },
        list: [{ $get: ["nodes", "charge", "output", "secret", "deep"] }, { $literal: { $get: ["input"] } }],
        signal: { $get: ["from", "output"] },
      },
    },
  },
} as unknown as Json;

describe("marks", () => {
  it("are followed through mappings to where they come from and go to [INV-masking]", () => {
    const marks = marksOf(definition);
    expect(marks.any).toBe(true);
    expect(marks.input).toEqual([["card"]]);
    expect([...(marks.results.get("look") ?? [])]).toEqual([["*", [["key"]]]]);
    expect([...(marks.results.get("charge") ?? [])]).toEqual([["ok", [["secret"]]]]);
    expect(marks.constants).toEqual(["written-here"]);
    expect(marks.waiters.get("go")).toEqual(["ask"]);
    expect(marks.output).toEqual([
      ["whole", "card"],
      ["list", 0],
      ["signal", "pin"],
    ]);
  });

  it("are none of a definition without, nor of what is no definition [INV-masking]", () => {
    for (const none of [
      null,
      7,
      [],
      {},
      { nodes: 1, actions: [] },
      { sensitive: { input: "x" } },
    ] as Json[]) {
      expect(hasMarks(none)).toBe(false);
    }
  });

  it("are read from any JSON without an error [INV-masking]", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (nodes, actions) => {
        marksOf({ nodes, actions, sensitive: nodes } as Json);
      }),
    );
  });
});

function secretsOf(...values: Json[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value);
  return secrets;
}

describe("masking", () => {
  const marks = marksOf(definition);

  it("takes values out of texts, data and the names of members [INV-masking]", () => {
    const secrets = secretsOf({ card: "4111-1111", of: [93417] });
    const shown = {
      kind: "failed",
      error: { message: "card 4111-1111 was 93417", details: { "4111-1111": 93417, open: 1 } },
      output: { plain: ["x4111-1111y", 12] },
    };
    expect(maskView(shown, marks, secrets)).toEqual({
      kind: "failed",
      error: { message: `card ${masked} was ${masked}`, details: { [masked]: masked, open: 1 } },
      output: { plain: [`x${masked}y`, 12] },
    });
  });

  it("masks short texts as words only, and none of the words that hosts and definitions made [INV-masking]", () => {
    const secrets = secretsOf("123", "running", true, null, "", " ");
    const shown = { status: "running", node: "running", message: "1234 is not 123, true", position: 123 };
    expect(maskView(shown, marks, secrets)).toEqual({ ...shown, message: `1234 is not ${masked}, true` });
  });

  it("masks marked places whatever stands there [INV-masking]", () => {
    const shown = { output: { whole: { card: true, name: "ann" }, signal: { pin: { a: false } } } };
    expect(maskView(shown, marks, secretsOf())).toEqual({
      output: { whole: { card: masked, name: "ann" }, signal: { pin: masked } },
    });
  });

  it("leaves out no part of a secret that holds another one, nor one written as JSON [INV-masking]", () => {
    const secrets = secretsOf("abcd", "abcdefgh", 'quo"ted');
    expect(secrets.text('abcdefgh abcd quo\\"ted $& (abcd)')).toBe(
      `${masked} ${masked} ${masked} $& (${masked})`,
    );
  });

  it("leaves no beginning of a marked text before the place where a message was cut [INV-masking]", () => {
    const secret = "line one\nline \u202etwo 0123456789";
    const secrets = secretsOf(secret, 90817263);
    for (let length = 2; length < 80; length++) {
      for (const message of [
        excerpt(`of ${secret}, 90817263 (and so on)`, length),
        `${excerpt(secret, length)} (…)`,
      ]) {
        const said = secrets.text(message);
        expect(said).not.toMatch(/line|9081/);
      }
    }
    expect(secretsOf("123456").text("more 12… than 123… or xx…")).toBe(`more 12… than ${masked}… or xx…`);
  });

  it("leaves no marked text in whatever is shown, wherever it stands [INV-masking]", () => {
    const secret = fc.string({ minLength: 4, maxLength: 20 }).filter((text) => text.trim().length >= 4);
    fc.assert(
      fc.property(secret, fc.string(), fc.jsonValue(), (text, around, value) => {
        fc.pre(!masked.includes(text) && !text.includes("mask"));
        const shown = {
          message: around + text + around,
          details: [value, text, { deep: `${text}${around}` }],
        };
        const said = maskView(shown as never as { message: string; details: Json[] }, marks, secretsOf(text));
        expect(said.message.split(masked).join("\0")).not.toContain(text);
        expect(said.details[1]).not.toContain(text);
      }),
    );
  });

  it("keeps members of the prototype as data [INV-masking]", () => {
    const shown = JSON.parse('{"output": {"__proto__": {"x": "secret-1"}}}') as { output: Json };
    const said = maskView(shown, marks, secretsOf("secret-1"));
    expect(JSON.stringify(said)).toBe(`{"output":{"__proto__":{"x":"${masked}"}}}`);
    expect(({} as { x?: string }).x).toBeUndefined();
  });
});
