/**
 * Lists of values as PostgreSQL's binary format has arrays. The driver passes bytes on as they are; lists it would write
 * as text, element by element, escaped, for the server to read again.
 */

/** Of each type its number in every PostgreSQL, and how a value of it is written. */
const types = {
  text: { oid: 25, size: textSize, write: writeText },
  json: { oid: 114, size: textSize, write: writeText },
  bigint: { oid: 20, size: () => 8, write: writeBigint },
  int: {
    oid: 23,
    size: () => 4,
    write: (to: Buffer, at: number, value: unknown) => to.writeInt32BE(value as number, at),
  },
  boolean: {
    oid: 16,
    size: () => 1,
    write: (to: Buffer, at: number, value: unknown) => to.writeUInt8(value === true ? 1 : 0, at),
  },
} as const;

export type ElementType = keyof typeof types;

const headBytes = 20;

/** Whole numbers must be safe integers, texts well formed; null is null. */
export function binaryArray(type: ElementType, values: readonly unknown[]): Buffer {
  const { oid, size, write } = types[type];
  const sizes = values.map((value) => (value === null ? -1 : size(value)));
  let bytes = headBytes;
  for (const length of sizes) bytes += 4 + Math.max(length, 0);
  const array = Buffer.allocUnsafe(bytes);
  // One dimension, whether some are null, of what type, how many, from 1.
  array.writeInt32BE(1, 0);
  array.writeInt32BE(sizes.includes(-1) ? 1 : 0, 4);
  array.writeInt32BE(oid, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  let at = headBytes;
  for (const [index, length] of sizes.entries()) {
    array.writeInt32BE(length, at);
    at += 4;
    if (length < 0) continue;
    write(array, at, values[index]);
    at += length;
  }
  return array;
}

function textSize(value: unknown): number {
  return Buffer.byteLength(value as string);
}

function writeText(to: Buffer, at: number, value: unknown): void {
  to.write(value as string, at);
}

function writeBigint(to: Buffer, at: number, value: unknown): void {
  const high = Math.floor((value as number) / 2 ** 32);
  to.writeInt32BE(high, at);
  to.writeUInt32BE((value as number) - high * 2 ** 32, at + 4);
}
