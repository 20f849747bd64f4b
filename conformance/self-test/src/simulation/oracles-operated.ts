/**
 * What must hold of runs that operators had in hand: one that is set aside takes no commit until it is released, what was
 * said meanwhile is taken in, and one that goes on from a failed one repeats nothing that was done.
 */
import type { OracleParts, Seen } from "./oracles.ts";

/** Spec: DUR-quarantine, DUR-release. */
export function checkHolds({ wrong }: OracleParts, { run, records, notes, events }: Seen): void {
  let held = false;
  for (const { kind, position, applies } of records) {
    if (kind === "released" && !held) wrong(`held: ${run.id} was released at ${position}, and was not held`);
    if (held && (applies || !whileHeld.has(kind)))
      wrong(`held: ${run.id} took a ${kind} at ${position} while it was set aside`);
    if (kind === "hold") held = true;
    if (kind === "released") held = false;
  }
  const released = records.findLast(({ kind }) => kind === "released");
  const moved = records.some(({ applies, position }) => applies && position > (released?.position ?? 0));
  if (released === undefined || !moved) return;
  const taken = new Set(events.map(({ id }) => id));
  for (const { event, at } of notes) {
    if (at < released.at && !taken.has(`note:${event}`))
      wrong(`held: ${run.id} was told ${event} while it was set aside, and never took it in`);
  }
}

const whileHeld: ReadonlySet<string> = new Set(["event", "released", "terminated"]);

/** The nodes that a run passes before the one that fails. */
const before = /\/a#\d+$/;

/** Spec: INV-redrive. */
export function checkRedrives({ books, wrong }: OracleParts): void {
  const keys = new Map<string, string>();
  for (const [invocation, calls] of books.ledger.invocations()) {
    const { idempotencyKey, run } = calls[0]!.call;
    const other = keys.get(idempotencyKey);
    if (other !== undefined) wrong(`redrive: ${invocation} has the key of ${other}`);
    keys.set(idempotencyKey, invocation);
    const goesOn = [...books.redriven.values()].some((one) => one.run === run);
    if (goesOn && before.test(invocation)) wrong(`redrive: ${invocation} was begun again`);
  }
}
