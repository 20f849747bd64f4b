/**
 * Which addresses a request may go to. Public unicast addresses alone, unless a binding allows more: whatever form an
 * address is written in (IPv4 in IPv6, NAT64, 6to4) it is judged by the IPv4 address within. Spec: INV-call-guard.
 */
import { isIP } from "node:net";

/** A range of addresses, as bytes: 4 or 16 of them. */
export interface Range {
  readonly bytes: Uint8Array;
  readonly bits: number;
}

/** `10.1.0.0/16`, `fd00::/8`, or one address; undefined for anything else. */
export function parseRange(text: string): Range | undefined {
  const [address = "", length, ...rest] = text.split("/");
  const bytes = parseAddress(address);
  if (bytes === undefined || rest.length > 0) return undefined;
  const most = bytes.length * 8;
  if (length === undefined) return { bytes, bits: most };
  return /^(0|[1-9][0-9]{0,2})$/.test(length) && Number(length) <= most
    ? { bytes, bits: Number(length) }
    : undefined;
}

const range = (text: string): Range => parseRange(text)!;

/** IPv4 that is not public unicast (IANA special-purpose registry). */
const special4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
].map(range);

/** The only IPv6 addresses that are public, and what is not public among them. */
const global6 = range("2000::/3");
const special6 = ["2001::/23", "2001:db8::/32", "3fff::/20"].map(range);

/** IPv6 that holds an IPv4 address, and at which byte. */
const embedding = [
  { within: range("::ffff:0:0/96"), at: 12 },
  { within: range("64:ff9b::/96"), at: 12 },
  { within: range("2002::/16"), at: 2 },
] as const;

/** True where a request may go: every form of the address is public or allowed. */
export function mayReach(address: string, allowed: readonly Range[]): boolean {
  const bytes = parseAddress(address);
  if (bytes === undefined) return false;
  const inner = bytes.length === 16 ? embedded(bytes) : undefined;
  if (allowed.some((one) => contains(one, bytes) || (inner !== undefined && contains(one, inner))))
    return true;
  const judged = inner ?? bytes;
  if (judged.length === 4) return !special4.some((one) => contains(one, judged));
  return contains(global6, judged) && !special6.some((one) => contains(one, judged));
}

function embedded(bytes: Uint8Array): Uint8Array | undefined {
  const found = embedding.find(({ within }) => contains(within, bytes));
  return found && bytes.subarray(found.at, found.at + 4);
}

function contains({ bytes, bits }: Range, address: Uint8Array): boolean {
  if (bytes.length !== address.length) return false;
  const whole = bits >> 3;
  for (let index = 0; index < whole; index++) if (bytes[index] !== address[index]) return false;
  const rest = bits & 7;
  return rest === 0 || (bytes[whole]! ^ address[whole]!) >> (8 - rest) === 0;
}

/** The bytes of an address in its usual forms; undefined for names, zones (`%eth0`) and anything else. */
export function parseAddress(text: string): Uint8Array | undefined {
  const family = isIP(text);
  if (family === 4) return Uint8Array.from(text.split("."), Number);
  return family === 6 && !text.includes("%") ? parse6(text) : undefined;
}

function parse6(text: string): Uint8Array {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const plain =
    dotted === null ? text : `${dotted[1]}${pair(dotted[2], dotted[3])}:${pair(dotted[4], dotted[5])}`;
  const [before = "", after] = plain.split("::");
  const groups = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const [head, tail] = [groups(before), groups(after ?? "")];
  const zeros = after === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => "0");
  const bytes = new Uint8Array(16);
  [...head, ...zeros, ...tail].forEach((group, index) => {
    const value = Number.parseInt(group, 16);
    bytes[index * 2] = value >> 8;
    bytes[index * 2 + 1] = value & 0xff;
  });
  return bytes;
}

function pair(high: string | undefined, low: string | undefined): string {
  return ((Number(high) << 8) | Number(low)).toString(16);
}
