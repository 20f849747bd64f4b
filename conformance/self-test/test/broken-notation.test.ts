/** Subjects that print, lay out and edit wrongly, each caught by a case of the kit; and the format of such cases. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json, Outcome } from "@swl/base";
import { runCases, type Subject } from "@swl/conformance";
import { bundledCases, readCases, writeGoldens } from "@swl/conformance/cases";
import { afterAll, describe, expect, it } from "vitest";
import { swl } from "../src/subject.js";

const all = readCases(bundledCases);
const folder = mkdtempSync(join(tmpdir(), "swl-notation-"));
afterAll(() => rmSync(folder, { recursive: true }));

function caseOf(name: string) {
  const found = all.ok ? all.value.find(({ id }) => id === `notation/${name}`) : undefined;
  if (found === undefined) throw new TypeError(`there is no case ${name}`);
  return found;
}

/** Why a subject that is broken in one operation fails a case that the reference subject passes. */
async function reasons(name: string, broken: Partial<Subject>): Promise<string> {
  const item = caseOf(name);
  const [sound, result] = [
    await runCases([item], swl),
    await runCases([item], { ...swl, name: "broken", ...broken }),
  ];
  expect(sound[0]).toMatchObject({ result: "passed" });
  expect(result[0]).toMatchObject({ result: "failed", against: true });
  return (result[0]?.reasons ?? []).join("\n");
}

type Texts = { [name: string]: string };

function printing(change: (files: Texts) => Json): Partial<Subject> {
  return {
    printDefinition: async (source, options) => {
      const printed = await swl.printDefinition!(source, options);
      return printed.ok ? { ...printed, value: change(printed.value as Texts) } : printed;
    },
  };
}

function editing(change: (files: Texts) => Json): Partial<Subject> {
  return {
    editSources: async (source, operations, options) => {
      const edited = await swl.editSources!(source, operations, options);
      return edited.ok ? { ...edited, value: change({ ...(edited.value as Texts) }) } : edited;
    },
  };
}

function formatting(change: (text: string) => Json): Partial<Subject> {
  return {
    formatSource: async (source, options): Promise<Outcome<Json>> => {
      const laidOut = await swl.formatSource!(source, options);
      return laidOut.ok ? { ...laidOut, value: change(laidOut.value as string) } : laidOut;
    },
  };
}

describe("a broken printer", () => {
  it("is caught when it forgets something, prints what is no graph, or prints nothing [CNF-goldens]", async () => {
    const graphOnly = printing((files) => ({ "workflow.dot": files["workflow.dot"]! }));
    expect(await reasons("print-everything", graphOnly)).toMatch(/^expected acceptance, found definition\./);
    const unlabelled = printing((files) => ({
      "workflow.dot": files["workflow.dot"]!.replace("label", "tooltip"),
    }));
    expect(await reasons("print-defaults", unlabelled)).toMatch(/^differs from expected\.json at \/meta/);
    const unquoted = printing((files) => ({
      ...files,
      "workflow.dot": files["workflow.dot"]!.replaceAll('"', ""),
    }));
    expect(await reasons("print-names", unquoted)).toBe("expected acceptance, found dot.syntax");
    expect(
      await reasons(
        "print-names",
        printing(() => ({})),
      ),
    ).toMatch(/^differs from expected\.json at/);
    expect(
      await reasons("print-invalid", { printDefinition: () => ({ ok: true, value: {}, findings: [] }) }),
    ).toBe("expected definition.start-unknown, found acceptance");
  });
});

describe("a broken formatter", () => {
  it("is caught when its layout is another one, is no text, or changes each time [CNF-goldens]", async () => {
    expect(
      await reasons(
        "format-layout",
        formatting((text) => text.replace("// trailing\n", "\n")),
      ),
    ).toMatch(/^differs from expected\.dot in line 7, found "/);
    expect(
      await reasons(
        "format-line-ends",
        formatting((text) => text.replaceAll("\r\n", "\n")),
      ),
    ).toMatch(/in line 1/);
    expect(
      await reasons(
        "format-layout",
        formatting(() => null),
      ),
    ).toMatch(/the answer has no such text/);
    let times = 0;
    const restless = formatting((text) => text + " ".repeat(times++));
    expect(await reasons("format-layout", restless)).toMatch(/otherwise the second time/);
    expect(
      await reasons("format-broken", { formatSource: () => ({ ok: true, value: "", findings: [] }) }),
    ).toMatch(/found acceptance/);
  });
});

describe("a broken editor", () => {
  it("is caught when it touches another byte, loses a file, or leaves one that nobody wants [CNF-goldens]", async () => {
    const tidy = editing((files) => ({
      ...files,
      "settings.json": files["settings.json"]!.replaceAll("  ", " "),
    }));
    expect(await reasons("edit-rename", tidy)).toMatch(
      /^differs from expected\/settings\.json in line 2, found /,
    );
    const graphOnly = editing((files) => ({ "workflow.dot": files["workflow.dot"]! }));
    expect(await reasons("edit-rename", graphOnly)).toMatch(
      /there is expected\/settings\.json, and the answer has no/,
    );
    const more = editing((files) => ({ ...files, "notes.txt": "" }));
    expect(await reasons("edit-chain", more)).toMatch(/found notes\.txt/);
    const invents = editing((files) => ({ ...files, "settings.json": "{}" }));
    expect(await reasons("edit-chain", invents)).toMatch(/there is no expected\/settings\.json/);
    const unmarked = editing((files) => ({ "workflow.dot": files["workflow.dot"]!.slice(1) }));
    expect(await reasons("edit-windows", unmarked)).toMatch(/in line 1/);
  });
});

describe("cases with texts", () => {
  function copied(name: string, change: (path: string) => void) {
    const root = mkdtempSync(join(folder, "cases-"));
    cpSync(join(bundledCases, "notation", name), join(root, "notation", name), { recursive: true });
    change(join(root, "notation", name));
    return readCases(root);
  }

  it("have their goldens and operations, or are no cases [CNF-case-format]", () => {
    const found = (name: string, file: string, text?: string) =>
      copied(name, (path) => {
        if (text === undefined) rmSync(join(path, file));
        else writeFileSync(join(path, file), text);
      }).findings.map(({ message }) => message);
    expect(found("edit-rename", "expected/settings.json")).toEqual([
      "expected and the source both have settings.json, or neither",
    ]);
    expect(found("edit-rename", "expected/more.json", "{}")).toEqual([
      "files that the case does not name: expected/more.json",
    ]);
    expect(found("edit-rename", "operations.json", "{}")).toEqual([
      "operations.json is a list of operations",
    ]);
    expect(found("format-layout", "expected.dot")).toEqual(["expected.dot is missing"]);
    const metadata = JSON.parse(new TextDecoder().decode(caseOf("format-layout").read("case.json")));
    const { expect: _, ...bare } = metadata;
    expect(found("format-layout", "case.json", JSON.stringify(bare))).toEqual([
      "an accepted format has a golden",
      "files that the case does not name: expected.dot",
    ]);
  });

  it("are given goldens as texts [CNF-goldens]", async () => {
    for (const name of ["edit-rename", "format-line-ends"]) {
      const read = copied(name, (path) => {
        if (name === "edit-rename") writeFileSync(join(path, "expected/workflow.dot"), "");
        else writeFileSync(join(path, "expected.dot"), "");
      });
      if (!read.ok) throw new TypeError("no cases");
      expect((await runCases(read.value, swl))[0]).toMatchObject({ result: "failed" });
      await writeGoldens(read.value, swl, [`notation/${name}`]);
      expect((await runCases(read.value, swl))[0]).toMatchObject({ result: "passed" });
    }
  });
});
