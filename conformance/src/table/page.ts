/** The table as a section of the specification page: generated, between two marks, never edited by hand. */
import type { TableCell, TransitionTable } from "./table.js";

const begin = "<!-- transition-table: generated from conformance/table/transition-table.json -->";
const end = "<!-- /transition-table -->";

/** The page with its table section replaced; `undefined` when the page has no place for one. */
export function withTableSection(page: string, table: TransitionTable): string | undefined {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) return undefined;
  return `${page.slice(0, from + begin.length)}\n\n${tableSection(table)}\n${page.slice(to)}`;
}

/** Markdown: one table for the columns, one for the cells. */
export function tableSection(table: TransitionTable): string {
  const columns = table.columns.map((column) => `- \`${column.id}\`: ${column.title}; ${column.meaning}`);
  const head = `| event | ${table.columns.map((column) => column.id).join(" | ")} |`;
  const rule = `|---|${table.columns.map(() => "---|").join("")}`;
  const rows = table.rows.map((row) => {
    const cells = table.columns.map((column) => {
      const cell = table.cells.find((one) => one.event === row.id && one.status === column.id);
      return cell === undefined ? "" : cellText(cell);
    });
    return `| **${row.title}** | ${cells.join(" | ")} |`;
  });
  const open = table.cells.some((cell) => cell.open === true)
    ? ["Cells in italics are open: they belong to profiles that are not built.", ""]
    : [];
  return [...columns, "", head, rule, ...rows, "", ...open].join("\n");
}

function cellText(cell: TableCell): string {
  if (cell.open === true) return `*${cell.says}*`;
  const code = cell.expect?.split(" ")[1];
  return code === undefined ? cell.says : `${cell.says} \`${code}\``;
}
