/** The pictures of the guide are what the code draws. `SWL_BLESS=1` writes them anew: look at them then. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Definition } from "@swl/definition";
import { describe, expect, it } from "vitest";
import { compileFolder } from "../src/folder.js";
import { overlayOf, type RunView, renderMermaid, renderSvg } from "../src/render.js";
import { ordersFolder, projectRoot } from "./support.js";

const guide = join(projectRoot, "docs/guide");
const page = join(guide, "pictures.md");
const BLOCK = /(?<=```mermaid\n)[\s\S]*?(?=```\n)/;

async function orders(): Promise<Definition> {
  const outcome = await compileFolder(ordersFolder);
  if (!outcome.ok) throw new TypeError("refused");
  return outcome.value.definition;
}

/** An order for which stock was short once, whose charge nobody knows about. */
const parked: RunView = {
  status: "needs-intervention",
  positions: [{ node: "charge_card" }],
  nodes: {
    check_credit: { visits: 1, visit: 1 },
    reserve_stock: { visits: 2, visit: 2 },
    adjust_order: { visits: 1, visit: 1 },
    needs_approval: { visits: 1, visit: 1 },
    charge_card: { visits: 1, visit: null },
  },
  blockers: [{ kind: "intervention", node: "charge_card" }],
};
const path = [
  { node: "check_credit", route: "ok" },
  { node: "reserve_stock", route: "short" },
  { node: "adjust_order", route: "ok" },
  { node: "reserve_stock", route: "ok" },
  { node: "needs_approval", route: "ok" },
];

function kept(file: string, drawn: string): string {
  if (process.env["SWL_BLESS"] === "1") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, drawn);
  }
  return readFileSync(file, "utf8");
}

describe("docs/guide/pictures", () => {
  it.each(["light", "dark"] as const)("shows the orders as they are drawn: %s", async (theme) => {
    const definition = await orders();
    const drawn = await renderSvg(definition, { theme });
    expect(kept(join(guide, "pictures", `orders-${theme}.svg`), drawn)).toBe(drawn);
    const run = await renderSvg(definition, { theme, overlay: overlayOf(parked, path) });
    expect(kept(join(guide, "pictures", `run-${theme}.svg`), run)).toBe(run);
  });

  it("holds the orders as Mermaid text", async () => {
    const text = renderMermaid(await orders());
    const written = readFileSync(page, "utf8");
    expect(
      BLOCK.exec(
        kept(
          page,
          written.replace(BLOCK, () => text),
        ),
      )?.[0],
    ).toBe(text);
  });
});
