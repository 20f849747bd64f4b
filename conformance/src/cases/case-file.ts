/**
 * One case folder on disk while it is checked: its files, its `case.json` with places, and the findings about it.
 * Reading stays inside the folder; a symbolic link makes the case invalid (packages cannot carry one).
 */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, type Json, type JsonDocument, readJson } from "@swl/base";

export class CaseFile {
  readonly folder: string;
  /** How findings name the folder: relative to where the cases were read from. */
  readonly name: string;
  readonly findings: Diagnostic[] = [];
  /** Every regular file of the folder, `/` separated, sorted. */
  readonly files: readonly string[];
  /** What is neither a file nor a folder. */
  readonly links: readonly string[];
  #document: JsonDocument | undefined;

  constructor(folder: string, name: string) {
    this.folder = folder;
    this.name = name;
    const entries = listEntries(folder, "");
    this.files = entries
      .filter((entry) => entry.regular)
      .map((entry) => entry.name)
      .sort();
    this.links = entries
      .filter((entry) => !entry.regular)
      .map((entry) => entry.name)
      .sort();
  }

  /** The value of `case.json`; `undefined` with findings when there is none. */
  metadata(): Json | undefined {
    if (!this.files.includes("case.json")) {
      this.invalid("the folder has no case.json", "");
      return undefined;
    }
    this.#document = this.json("case.json");
    return this.#document?.value;
  }

  invalid(message: string, pointer: string): void {
    const place = this.#document?.placeOf(pointer) ?? { file: `${this.name}/case.json`, line: 1, column: 1 };
    this.findings.push({ code: "case.invalid", severity: "error", message, pointer, place });
  }

  /** A JSON file of the folder; `undefined` with findings when it cannot be read. */
  json(file: string): JsonDocument | undefined {
    const read = readJson(this.bytes(file), { file: `${this.name}/${file}` });
    if (read.ok) return read.value;
    for (const finding of read.findings) this.findings.push({ ...finding, code: "case.invalid" });
    return undefined;
  }

  bytes(file: string): Uint8Array {
    return readFileSync(join(this.folder, file));
  }

  /** True when the name is a regular file of the folder, or a folder below it that holds one. */
  has(name: string, kind: "file" | "folder"): boolean {
    return kind === "file"
      ? this.files.includes(name)
      : lstatSync(join(this.folder, name), { throwIfNoEntry: false })?.isDirectory() === true;
  }
}

interface Entry {
  readonly name: string;
  readonly regular: boolean;
}

function listEntries(folder: string, prefix: string): Entry[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const name = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    return entry.isDirectory() ? listEntries(folder, name) : [{ name, regular: entry.isFile() }];
  });
}
