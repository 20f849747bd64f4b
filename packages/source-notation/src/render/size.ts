/** How much is drawn at most, in any format. */
import { SwlError } from "@swl/base";
import type { Definition } from "@swl/definition/model";

/** Nodes and routes together: beyond them a picture is of no use, and of many megabytes. */
export const MAX_DRAWN = 10_000;

/** Throws `render.unavailable` for a workflow beyond the limit. */
export function checkSize({ nodes }: Definition): void {
  let size = 0;
  for (const node of Object.values(nodes))
    size += 1 + ("routes" in node ? Object.keys(node.routes).length : 0);
  if (size <= MAX_DRAWN) return;
  const message = `the workflow has ${size} nodes and routes, more than the ${MAX_DRAWN} that are drawn at most`;
  throw new SwlError("render.unavailable", message, { details: { size, limit: MAX_DRAWN } });
}
