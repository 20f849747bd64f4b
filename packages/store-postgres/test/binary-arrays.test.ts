/** What is written by hand is read by the server as what it was. */
import { expect, it } from "vitest";
import { binaryArray, type ElementType } from "../src/binary-arrays.js";
import { noServer, sql } from "./scratch.js";

const lists: readonly (readonly [ElementType, readonly unknown[]])[] = [
  ["text", ["", "a", null, "\\ \" ' { } , NULL", "é𝒳\u{10ffff}", "x".repeat(70_000)]],
  ["json", ['["a",1]', null, "{}"]],
  [
    "bigint",
    [
      0,
      -1,
      null,
      2 ** 31,
      -(2 ** 31) - 1,
      2 ** 32,
      -(2 ** 32),
      Number.MAX_SAFE_INTEGER,
      -Number.MAX_SAFE_INTEGER,
    ],
  ],
  ["int", [0, -1, 2 ** 31 - 1, -(2 ** 31), null]],
  ["boolean", [true, false, null]],
  ["text", [null]],
  ["int", []],
];

it.skipIf(noServer).each(lists)("a list of %s comes back as it was", async (type, values) => {
  const [row] = await sql(`SELECT to_json($1::${type}[]) AS list, cardinality($1::${type}[]) AS length`, [
    binaryArray(type, values),
  ]);
  const texts =
    type === "json" ? values.map((value) => value && (JSON.parse(value as string) as unknown)) : values;
  expect([row?.["list"], row?.["length"]]).toEqual([texts, values.length]);
});
