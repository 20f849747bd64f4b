/**
 * How much work a drawing is, and a plain arrangement for the large ones: nodes in rows by their distance from the
 * start along the routes that lead forwards. Linear in nodes and routes, and without recursion.
 */

export interface Layers {
  /** Row of each node, from 0; routes lead downwards, save for those that close a loop. */
  readonly rows: ReadonlyMap<string, number>;
  /** Rows that all routes pass together: what a layered layout works on. */
  readonly span: number;
}

type Targets = ReadonlyMap<string, readonly string[]>;

/** Nodes with every one after all that lead to it, loops cut where a search from the start closes them. */
function inOrder(start: string, targets: Targets): { order: string[]; closing: ReadonlySet<string> } {
  const order: string[] = [];
  const closing = new Set<string>();
  const state = new Map<string, "open" | "done">();
  for (const root of [start, ...targets.keys()]) {
    if (state.has(root)) continue;
    const path = [{ id: root, next: 0 }];
    state.set(root, "open");
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const target = targets.get(top.id)?.[top.next++];
      if (target === undefined) {
        state.set(top.id, "done");
        order.push(top.id);
        path.pop();
      } else if (state.get(target) === "open") closing.add(`${top.id} ${target}`);
      else if (!state.has(target)) {
        state.set(target, "open");
        path.push({ id: target, next: 0 });
      }
    }
  }
  return { order: order.reverse(), closing };
}

/** `targets` names for each node where its routes lead, once a route; every target is a node. */
export function layersOf(start: string, targets: Targets): Layers {
  const { order, closing } = inOrder(start, targets);
  const rows = new Map<string, number>(order.map((id) => [id, 0]));
  for (const id of order) {
    const below = (rows.get(id) ?? 0) + 1;
    for (const target of targets.get(id) ?? []) {
      if (!closing.has(`${id} ${target}`)) rows.set(target, Math.max(rows.get(target) ?? 0, below));
    }
  }
  let span = 0;
  for (const [id, list] of targets) {
    for (const target of list) span += Math.abs((rows.get(id) ?? 0) - (rows.get(target) ?? 0));
  }
  return { rows, span };
}

export interface Position {
  readonly x: number;
  readonly y: number;
}

const ROW = 110;
const COLUMN = 260;
/** Nodes beside each other at most; a longer row goes on in further lines. */
const WIDEST = 24;

/** A place for each node, in points. Rows are shifted against each other, so that routes pass beside nodes. */
export function positionsOf({ rows }: Layers): ReadonlyMap<string, Position> {
  const byRow: string[][] = [];
  for (const [id, row] of rows) {
    const list = byRow[row] ?? [];
    byRow[row] = list;
    list.push(id);
  }
  const positions = new Map<string, Position>();
  let line = 0;
  for (const ids of byRow) {
    for (let from = 0; from < ids.length; from += WIDEST, line++) {
      const part = ids.slice(from, from + WIDEST);
      const left = ((line % 5) - 2) * (COLUMN / 6) - ((part.length - 1) * COLUMN) / 2;
      for (const [index, id] of part.entries()) {
        positions.set(id, { x: Math.round(left + index * COLUMN), y: -line * ROW });
      }
    }
  }
  return positions;
}
