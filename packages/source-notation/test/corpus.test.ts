import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileSources, parseDot } from "../src/index.js";
import { corpus, expectSound } from "./support.js";

const folder = corpus("dot");

/** Files of other projects that stay inside the profile; every other one uses something that is refused by name. */
const inProfile = [
  "bazel.dot",
  "crazy.dot",
  "go-package.dot",
  "hello.dot",
  "lion_share.dot",
  "ninja.dot",
  "philo.dot",
  "profile.dot",
  "siblings.dot",
  "traffic_lights.dot",
  "twopi2.dot",
  "unix.dot",
];

describe("DOT files of other projects", () => {
  it.skipIf(folder === undefined)(
    `are read, or refused with code and place${folder ? "" : " (skipped: corpus not present)"}`,
    () => {
      const read: string[] = [];
      for (const file of readdirSync(folder ?? "")
        .filter((name) => name.endsWith(".dot"))
        .sort()) {
        const bytes = readFileSync(`${folder}/${file}`);
        const outcome = parseDot(bytes, { file });
        expectSound(outcome);
        if (outcome.ok) read.push(file);
        const compiled = compileSources({ files: new Map([[file, bytes]]), workflow: file });
        expectSound(compiled);
        expect(compiled.ok, `${file} is no workflow`).toBe(false);
      }
      expect(read.sort()).toEqual([...inProfile].sort());
    },
  );
});
