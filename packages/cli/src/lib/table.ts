/** Columns of text, a line a row whatever stands in a cell. Widths count what is seen: color codes have none. */

const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

export function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(unbroken));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, seen(cell));
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + " ".repeat(widths[column]! - seen(cell)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function unbroken(cell: string): string {
  return cell.replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

function seen(cell: string): number {
  return cell.replace(escapes, "").length;
}

/** `2026-11-30T12:00:00.000Z`. */
export function instant(at: number): string {
  return new Date(at).toISOString();
}
