/**
 * The independent suites of JSON reading and canonical JSON: every file is decided as the published lists say, and the
 * claims and the chapter say the same. `SWL_BLESS=1` writes the lists anew.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalize, readJson } from "../src/index.js";
import { corpus } from "./corpus.js";

const home = join(import.meta.dirname, "..");
const listOf = (name: string) => join(home, "suites", `${name}.json`);
const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));

interface List {
  readonly suite: string;
  /** `accepted`, or the first code. */
  readonly files: { readonly [file: string]: string };
}

/** What is decided in `folder`, compared with what is published. */
function compare(name: string, suite: string, folder: string, decide: (file: string) => string): void {
  const files = Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((file) => [file, decide(file)]),
  );
  const list: List = { suite, files };
  if (process.env["SWL_BLESS"] === "1") writeFileSync(listOf(name), `${JSON.stringify(list, null, 2)}\n`);
  expect(list).toEqual(read(listOf(name)));
}

const parsing = corpus("json-parsing");
const canonical = corpus("json-canonicalization");
const skipped = (folder: string | undefined) => (folder ? "" : " (skipped: corpus not present)");

describe("the independent suites", () => {
  it.skipIf(parsing === undefined)(
    `of reading are decided as the published list says${skipped(parsing)} [DEF-json-reader]`,
    () => {
      compare("json-parsing", "JSONTestSuite test_parsing (part)", parsing!, (file) => {
        const outcome = readJson(readFileSync(join(parsing!, file)), { file });
        return outcome.ok ? "accepted" : outcome.findings[0]!.code;
      });
    },
  );

  it.skipIf(canonical === undefined)(
    `of canonical JSON are printed byte for byte${skipped(canonical)} [DEF-identity]`,
    () => {
      compare(
        "json-canonicalization",
        "cyberphone/json-canonicalization testdata",
        join(canonical!, "input"),
        (file) => {
          const outcome = readJson(readFileSync(join(canonical!, "input", file)), { file });
          const printed = outcome.ok ? canonicalize(outcome.value.value) : "";
          return printed === readFileSync(join(canonical!, "output", file), "utf8") ? "accepted" : "differs";
        },
      );
    },
  );
});

describe("the published lists", () => {
  const { files } = read(listOf("json-parsing")) as List;
  const names = Object.keys(files);
  const refused = names.filter((file) => file.startsWith("y_") && files[file] !== "accepted");

  it("accept what is JSON but a key that stands twice, and refuse everything else [DEF-json-reader]", () => {
    expect(names.length).toBeGreaterThan(150);
    expect(refused.map((file) => files[file])).toEqual(refused.map(() => "json.duplicate-key"));
    expect(names.filter((file) => file.startsWith("n_") && files[file] === "accepted")).toEqual([]);
    expect(names.filter((file) => !/^[ny]_|^i_/.test(file))).toEqual([]);
  });

  it("are what is claimed [CNF-claims]", () => {
    const printed = Object.values((read(listOf("json-canonicalization")) as List).files);
    expect(new Set(printed)).toEqual(new Set(["accepted"]));
    expect(read(join(home, "claims.json")).suites).toEqual({
      "json-canonicalization": {
        passed: printed.length,
        refused: [],
        knownFailures: [],
        list: "./suites/json-canonicalization.json",
      },
      "json-parsing": {
        passed: names.length - refused.length,
        refused,
        knownFailures: [],
        list: "./suites/json-parsing.json",
      },
    });
  });

  it("decide what RFC 8259 leaves open as the chapter says, file by file [DEF-json-reader]", () => {
    const chapter = readFileSync(join(home, "../../docs/spec/definition.md"), "utf8");
    const said: { [file: string]: string } = {};
    for (const row of chapter.matchAll(/^\| ((?:`i_[^`]+`(?:, )?)+) +\| `?([a-z.-]+)`? +\|$/gm)) {
      for (const [, file] of row[1]!.matchAll(/`(i_[^`]+)`/g)) said[`${file}.json`] = row[2]!;
    }
    expect(said).toEqual(
      Object.fromEntries(names.filter((file) => file.startsWith("i_")).map((file) => [file, files[file]])),
    );
  });
});
