/**
 * The transition table: complete, shown by cases that really go through its cells, and printed in the specification.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { Json } from "@swl/base";
import { hostChecks, stampedEvents } from "@swl/conformance";
import { cellsOf, readTable, type TransitionTable, withTableSection } from "@swl/conformance/table";
import { core } from "@swl/execution";
import { describe, expect, it } from "vitest";

const home = new URL("../../", import.meta.url);
const json = (path: string): Json => JSON.parse(readFileSync(new URL(path, home), "utf8")) as Json;
const source = json("table/transition-table.json");

function table(): TransitionTable {
  const read = readTable(source);
  if (!read.ok) throw new TypeError(read.findings.map((finding) => finding.message).join("\n"));
  return read.value;
}

function passed(id: string) {
  const definition = json(`cases/${id}/definition.json`);
  const prepared = core.prepare(definition);
  if (!prepared.ok) throw new TypeError(`${id}: ${prepared.findings[0]?.message}`);
  const events = stampedEvents(json(`cases/${id}/events.json`) as readonly Json[]);
  return cellsOf(core, prepared.value, definition, events);
}

describe("the transition table", () => {
  it("has every event in every status once, shown or open [EXE-transition]", () => {
    expect(readTable(source).findings).toEqual([]);
  });

  it("leaves to checks of hosts only what there is a check for [EXE-transition]", () => {
    const checks = new Set(hostChecks.map(({ rule }) => rule));
    const named = table().cells.flatMap(({ check }) => (check === undefined ? [] : [check]));
    expect(named.filter((rule) => !checks.has(rule))).toEqual([]);
    expect(named.length).toBe(7);
  });

  it.each(table().cells.filter((cell) => cell.case !== undefined))(
    "shows $event in $status by $case [EXE-transition]",
    (cell) => {
      const effects = passed(cell.case as string)
        .filter((step) => step.status === cell.status && step.events.includes(cell.event))
        .map((step) => step.effect);
      expect(effects).toContain(cell.expect);
    },
  );

  it("is printed in the chapter on execution as it stands [EXE-transition]", () => {
    const file = new URL("../docs/spec/execution.md", home);
    const page = readFileSync(file, "utf8");
    const printed = withTableSection(page, table());
    if (process.env["SWL_BLESS"] === "1" && printed !== undefined) writeFileSync(file, printed);
    expect(readFileSync(file, "utf8")).toBe(printed);
  });
});

describe("readTable", () => {
  const cells = table().cells;
  const broken = (changed: Json) => readTable({ ...(source as object), cells: changed } as Json).findings;

  it("refuses a table that lacks a cell", () => {
    expect(broken(cells.slice(1) as unknown as Json)[0]?.message).toBe("older × created is missing");
  });

  it("refuses a cell that is there twice", () => {
    expect(broken([...cells, cells[0]] as unknown as Json)[0]?.message).toBe(
      "older × created is there twice",
    );
  });

  it("refuses a cell that is neither shown nor open", () => {
    const bare = [{ event: "older", status: "created", says: "" }, ...cells.slice(1)];
    expect(broken(bare as unknown as Json)[0]?.pointer).toBe("/cells/0");
  });

  it("refuses what is no table", () => {
    expect(readTable([]).ok).toBe(false);
  });
});
