import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxDurationMs, maxInstantMs, minInstantMs, parseDuration, parseInstant } from "../src/durations.js";

interface Forms {
  readonly accepted: readonly { readonly text: string; readonly milliseconds: number }[];
  readonly refused: readonly { readonly text: string; readonly because: string }[];
}

const root = join(import.meta.dirname, "../../..");
const forms: { readonly durations: Forms; readonly instants: Forms } = JSON.parse(
  readFileSync(join(root, "conformance/table/time-forms.json"), "utf8"),
);

describe.each([
  ["parseDuration", parseDuration, forms.durations, "time.duration"],
  ["parseInstant", parseInstant, forms.instants, "time.instant"],
] as const)("%s", (_, parse, { accepted, refused }, code) => {
  it("reads every form of the table that is accepted, exactly [DEF-duration] [DEF-instant]", () => {
    const read = accepted.map(({ text }) => ({ text, outcome: parse(text) }));
    expect(read).toEqual(
      accepted.map(({ text, milliseconds }) => ({
        text,
        outcome: { ok: true, value: milliseconds, findings: [] },
      })),
    );
  });

  it("refuses every other form of the table, and shows it [DEF-duration] [DEF-instant]", () => {
    for (const { text, because } of refused) {
      const { ok, findings } = parse(text);
      expect({ text, because, ok, codes: findings.map((finding) => finding.code) }).toEqual({
        text,
        because,
        ok: false,
        codes: [code],
      });
      expect(findings[0]?.message).toContain("found ");
    }
  });

  it("answers any text, and never with what is no integer in range", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^P?[\dYMWDTHS.:Z+-]{0,30}$/)), (text) => {
        const outcome = parse(text);
        if (!outcome.ok) return;
        expect(Number.isSafeInteger(outcome.value)).toBe(true);
        expect(outcome.value).toBeGreaterThanOrEqual(0);
        expect(outcome.value).toBeLessThanOrEqual(code === "time.duration" ? maxDurationMs : maxInstantMs);
      }),
    );
  });
});

const page = join(root, "docs/spec/definition.md");
const begin = "<!-- time-forms: generated from conformance/table/time-forms.json -->\n";
const end = "<!-- time-forms: end -->";

/** Two tables, every form as JSON writes it, in ASCII. */
function tables(): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const code = (text: string) => `\`${JSON.stringify(text).replace(/[\u0080-\uffff]/g, escaped)}\``;
  const table = ({ accepted, refused }: Forms, name: string) =>
    [
      `| ${name} | milliseconds, or why it is none |`,
      "| --- | --- |",
      ...accepted.map(({ text, milliseconds }) => `| ${code(text)} | ${milliseconds} |`),
      ...refused.map(({ text, because }) => `| ${code(text)} | refused: ${because} |`),
    ].join("\n");
  return `\n${table(forms.durations, "duration")}\n\n${table(forms.instants, "instant")}\n\n`;
}

describe("the page of the specification", () => {
  it("lists the forms of the table; else run with SWL_BLESS=1 [DEF-duration] [DEF-instant]", () => {
    const text = readFileSync(page, "utf8");
    const [before, rest = ""] = text.split(begin);
    const right = before + begin + tables() + rest.slice(rest.indexOf(end));
    if (process.env["SWL_BLESS"] === "1") writeFileSync(page, right);
    expect(readFileSync(page, "utf8")).toBe(right);
  });
});

describe("parseInstant beside the calendar of the language", () => {
  it("agrees on every instant that it has", () => {
    const instant = fc.integer({ min: minInstantMs, max: maxInstantMs });
    fc.assert(
      fc.property(instant, fc.integer({ min: -23 * 60, max: 23 * 60 }), (at, offset) => {
        const text = new Date(at).toISOString();
        expect(parseInstant(text)).toMatchObject({ value: at });
        const local = at + offset * 60_000;
        if (local < 0 || local > maxInstantMs) return;
        const hours = String(Math.trunc(Math.abs(offset) / 60)).padStart(2, "0");
        const minutes = String(Math.abs(offset) % 60).padStart(2, "0");
        const shifted = `${new Date(local).toISOString().slice(0, -1)}${offset < 0 ? "-" : "+"}${hours}:${minutes}`;
        expect(parseInstant(shifted)).toMatchObject({ value: at });
      }),
    );
  });
});
