/**
 * What becomes of Graphviz's SVG: one element that can stand beside others in a page. Works on the lines that Graphviz
 * writes; text in them is escaped, so that what looks like an element is one.
 */
import { type Drawing, LAYOUT_FONT } from "./drawing.js";
import type { Palette } from "./palette.js";
import { AUTO } from "./style-sheet.js";
import { escapeXml } from "./text.js";

const TEXT = /<text .*<\/text>\n/g;

/** The middle of an outline, from its `cx`, `points` or path. */
function middleOf(element: string): number | undefined {
  const centre = / cx="([^"]*)"/.exec(element);
  if (centre) return Number(centre[1]);
  const outline = / (?:points|d)="([^"]*)"/.exec(element)?.[1] ?? "";
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [, x] of outline.matchAll(/(-?[\d.]+),/g)) {
    left = Math.min(left, Number(x));
    right = Math.max(right, Number(x));
  }
  return left <= right ? Math.round((left + right) * 50) / 100 : undefined;
}

/** Lines of text in a node, and the title, stand in the middle of their outline, however wide the reader's font is. */
function centreTexts(svg: string): string {
  let edge = false;
  let middle: number | undefined;
  const lines = svg.split("\n").map((line) => {
    if (line.startsWith("<g ")) edge = line.includes('class="edge');
    if (/^<(?:polygon|path|ellipse) /.test(line)) middle = middleOf(line);
    if (edge || middle === undefined || !line.startsWith("<text ")) return line;
    return line.replace(/text-anchor="start" x="[^"]*"/, `text-anchor="middle" x="${middle}"`);
  });
  return lines.join("\n");
}

/** Texts of routes go above all lines, with a rim in the colour of the background, so that no line strikes them out. */
function liftLabels(svg: string, rim: string): string {
  const rimmed = `<text paint-order="stroke" stroke="${rim}" stroke-width="3" stroke-linejoin="round" `;
  const labels: string[] = [];
  const lines = svg.replace(/<g id="edge[^"]*" class="([^"]*)">[\s\S]*?<\/g>\n/g, (edge, name: string) => {
    const texts = edge.match(TEXT) ?? [];
    if (texts.length === 0) return edge;
    labels.push(`<g class="swl-label ${name}">\n${texts.join("").replaceAll("<text ", rimmed)}</g>\n`);
    return edge.replace(TEXT, "");
  });
  const end = lines.lastIndexOf("</g>");
  return `${lines.slice(0, end)}${labels.join("")}${lines.slice(end)}`;
}

/**
 * Without prolog, document type, comments, IDs and unused namespaces, with our class on the graph, a name for who
 * cannot see it, and the style sheet, unless that is empty.
 */
export function finish(svg: string, { name }: Drawing, { background }: Palette, sheet: string): string {
  const body = svg
    .slice(svg.indexOf("<svg"))
    .replace(/<!--[\s\S]*?-->\n?/g, "")
    // Blank lines of labels have done their work: they made room.
    .replace(/<text [^>]*> *<\/text>\n/g, "");
  const themed = sheet === "" ? "" : ` class="${AUTO}"`;
  const styled = sheet === "" ? "" : `<style>\n${sheet}\n</style>\n`;
  return liftLabels(centreTexts(body), background)
    .replaceAll(`font-family="${LAYOUT_FONT}"`, 'font-family="Arial,Helvetica,Liberation Sans,sans-serif"')
    .replace(/ xmlns:xlink="[^"]*"/, "")
    .replaceAll(/<g id="[^"]*"/g, "<g")
    .replace('<g class="graph"', '<g class="graph swl-graph"')
    .replace(/>\s*/, () => `${themed} role="img" aria-label="${escapeXml(name)}">\n${styled}`);
}
