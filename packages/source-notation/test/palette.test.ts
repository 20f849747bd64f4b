import { describe, expect, it } from "vitest";
import {
  anywhere,
  dark,
  light,
  type NodeState,
  type Palette,
  paintEdge,
  paintNode,
} from "../src/render/palette.js";

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast as WCAG 2 counts it, 1 to 21. */
function contrast(one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

const kinds = ["activity", "await-signal", "await-timer", "choice", "complete", "fail"] as const;
const states: readonly NodeState[] = [
  ...(["plain", "untouched", "visited", "current"] as const),
  ...(["parked", "failed", "completed", "canceled"] as const),
];
const roles = ["business", "failed", "exhausted"] as const;

/** What is behind what, and how much they must differ. */
function pairs(
  palette: Palette,
): readonly (readonly [what: string, front: string, back: string, least: number])[] {
  const nodes = kinds.flatMap((kind) =>
    states.flatMap((state) => {
      const { fill, line, text } = paintNode(palette, kind, state);
      return [
        [`text of ${kind} ${state}`, text, fill, 4.5],
        [`outline of ${kind} ${state}`, line, palette.background, 3],
      ] as const;
    }),
  );
  const edges = roles.flatMap((role) =>
    (["plain", "untouched", "taken"] as const).flatMap((state) => {
      const { line, text } = paintEdge(palette, role, state);
      return [
        [`text of ${role} ${state}`, text, palette.background, 4.5],
        [`line of ${role} ${state}`, line, palette.background, 3],
      ] as const;
    }),
  );
  return [["title", palette.title, palette.background, 4.5], ...nodes, ...edges];
}

describe("palettes", () => {
  it.each([
    ["light", light],
    ["dark", dark],
  ])("stand out as WCAG AA asks: %s", (_name, palette) => {
    const weak = pairs(palette).filter(([, front, back, least]) => contrast(front, back) < least);
    expect(weak).toEqual([]);
  });

  it("have lines for pages of which nobody knows the colour", () => {
    const lines = [...Object.values(anywhere.edges), anywhere.taken, anywhere.faint];
    const weak = lines.flatMap((line) =>
      ["#ffffff", "#0d1117"].filter((page) => contrast(line, page) < 3).map((page) => [line, page]),
    );
    expect(weak).toEqual([]);
  });

  it("are measured as WCAG says", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  });
});
