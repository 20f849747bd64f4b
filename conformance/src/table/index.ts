// Transition table

// Cells of a trace
export type { PassedCell } from "./cells.js";
export { cellsOf } from "./cells.js";
// Specification page
export { tableSection, withTableSection } from "./page.js";
export type { TableCell, TableColumn, TableRow, TransitionTable } from "./table.js";
export { readTable } from "./table.js";
