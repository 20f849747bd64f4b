/**
 * The transition table as data: every event in every status, what must become of it, and the case that shows it. One
 * file for the specification page, the checked cells and every engine's tests. Spec: EXE-transition.
 */
import { type Diagnostic, isJsonObject, type Json, type Outcome, pointerTo } from "@swl/base";

export interface TableColumn {
  readonly id: string;
  readonly title: string;
  readonly meaning: string;
}

export interface TableRow {
  readonly id: string;
  readonly title: string;
}

export interface TableCell {
  /** ID of a row. */
  readonly event: string;
  /** ID of a column. */
  readonly status: string;
  /** For people. */
  readonly says: string;
  /** `applied`, `buffered`, `impossible`, `none <code>` or `refused <code>`; absent on an open cell. */
  readonly expect?: string;
  /** The case that reaches the cell. */
  readonly case?: string;
  /** Where the event is none of a model's: the rule whose check of a host reaches the cell. */
  readonly check?: string;
  /** Nothing reaches it yet: it belongs to a profile that is not built. */
  readonly open?: boolean;
}

export interface TransitionTable {
  readonly release: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly cells: readonly TableCell[];
}

/** The table, or why it is none: a cell missing, there twice, or neither shown nor open. */
export function readTable(source: Json): Outcome<TransitionTable> {
  const findings: Diagnostic[] = [];
  const fault = (pointer: string, message: string) =>
    void findings.push({ code: "case.invalid", severity: "error", message, pointer });
  if (!isJsonObject(source) || !["columns", "rows", "cells"].every((key) => Array.isArray(source[key]))) {
    fault("", "expected lists of columns, rows and cells");
    return { ok: false, findings };
  }
  const table = source as unknown as TransitionTable;
  const seen = new Set<string>();
  const expected = new Set(
    table.rows.flatMap((row) => table.columns.map((column) => key(row.id, column.id))),
  );
  table.cells.forEach((cell, index) => {
    const at = pointerTo("/cells", index);
    const name = key(cell.event, cell.status);
    if (!expected.has(name)) fault(at, `${name} is no cell of the table`);
    if (seen.has(name)) fault(at, `${name} is there twice`);
    seen.add(name);
    const reached = (cell.case === undefined) !== (cell.check === undefined);
    const shown = reached && cell.expect !== undefined;
    if (shown === (cell.open === true))
      fault(at, `${name} must have a case or a check, and what it expects, or be open`);
  });
  for (const name of expected) if (!seen.has(name)) fault("/cells", `${name} is missing`);
  return findings.length > 0 ? { ok: false, findings } : { ok: true, value: table, findings };
}

/** One name for a cell. */
export function key(event: string, status: string): string {
  return `${event} × ${status}`;
}
