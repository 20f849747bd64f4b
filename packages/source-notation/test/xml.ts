/**
 * A strict reader of a subset of XML: elements, attributes in double quotes, text, the five named references and
 * numeric ones. No declarations, comments, sections or instructions. Whatever it accepts is well-formed.
 */

export interface Xml {
  readonly elements: readonly string[];
  readonly attributes: readonly string[];
  /** Character data without references and surrounding blanks, a piece an element. */
  readonly texts: readonly string[];
}

const NAME = /[A-Za-z_][A-Za-z0-9_.:-]*/y;
const TAG_END = /\s*(\/?)>/y;
const ATTRIBUTE = /\s+([A-Za-z_][A-Za-z0-9_.:-]*)="([^<"]*)"/y;
const TEXT = /[^<]+/y;
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([0-9a-f]+));/giy;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const CHARACTER = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

function decode(text: string): string {
  if (!CHARACTER.test(text) || text.includes("]]>"))
    throw new SyntaxError(`not XML: ${JSON.stringify(text)}`);
  let decoded = "";
  for (let at = 0; at < text.length; ) {
    if (text[at] !== "&") {
      decoded += text[at++];
      continue;
    }
    REFERENCE.lastIndex = at;
    const reference = REFERENCE.exec(text);
    if (reference === null) throw new SyntaxError(`no reference: ${text.slice(at, at + 20)}`);
    const [whole, name, decimal, hex] = reference;
    const code = decimal === undefined ? Number.parseInt(hex ?? "0", 16) : Number(decimal);
    const character = name === undefined ? String.fromCodePoint(code) : (NAMED[name] ?? "");
    if (!CHARACTER.test(character)) throw new SyntaxError(`not XML: ${whole}`);
    decoded += character;
    at += whole.length;
  }
  return decoded;
}

/** Throws a `SyntaxError` for what is not one element of the subset. */
export function readXml(source: string): Xml {
  const elements = new Set<string>();
  const attributes = new Set<string>();
  const texts: string[] = [];
  const open: string[] = [];
  let at = 0;
  const take = (pattern: RegExp, what: string): RegExpExecArray => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match === null) throw new SyntaxError(`expected ${what}: ${source.slice(at, at + 40)}`);
    at += match[0].length;
    return match;
  };
  const end = source.trimEnd().length;
  do {
    if (source[at] !== "<") {
      texts.push(decode(take(TEXT, "text")[0]).trim());
      continue;
    }
    at++;
    if (source[at] === "/") {
      at++;
      const [name] = take(NAME, "a name");
      if (open.pop() !== name || take(TAG_END, ">")[1] !== "")
        throw new SyntaxError(`</${name}> closes nothing`);
      continue;
    }
    const [name] = take(NAME, "a name");
    elements.add(name);
    const seen = new Set<string>();
    for (ATTRIBUTE.lastIndex = at; ATTRIBUTE.test(source); ATTRIBUTE.lastIndex = at) {
      const [, attribute = "", value = ""] = take(ATTRIBUTE, "an attribute");
      if (seen.has(attribute)) throw new SyntaxError(`${attribute} twice in <${name}>`);
      seen.add(attribute);
      attributes.add(attribute);
      decode(value);
    }
    if (take(TAG_END, "an attribute or >")[1] === "") open.push(name);
  } while (open.length > 0);
  if (at !== end) throw new SyntaxError(`after the element: ${source.slice(at, at + 40)}`);
  return { elements: [...elements], attributes: [...attributes], texts: texts.filter((text) => text !== "") };
}

/** What an SVG of ours has: shapes, text and groups; nothing that is active, refers to anything, or holds foreign markup. */
export const ELEMENTS = ["svg", "g", "title", "style", "ellipse", "path", "polygon", "polyline", "text"];
export const ATTRIBUTES = [
  ...["xmlns", "width", "height", "viewBox", "role", "aria-label", "class", "transform"],
  ...["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "paint-order", "points", "d"],
  ...[
    "cx",
    "cy",
    "rx",
    "ry",
    "x",
    "y",
    "xml:space",
    "text-anchor",
    "font-family",
    "font-weight",
    "font-size",
  ],
];
