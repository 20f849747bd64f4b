import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compileFolder, readSourceFolder } from "../src/folder.js";
import { line } from "./support.js";

const workflow = 'digraph d { start = done; done [kind="complete"]; }';
let base: string;
let folder: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "swl-source-"));
  folder = join(base, "flow");
  mkdirSync(folder);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(name: string, content: string): void {
  writeFileSync(join(folder, name), content);
}

/** Findings with the folder's path cut out. */
async function findings(path = folder): Promise<readonly string[]> {
  const outcome = await compileFolder(path);
  return outcome.findings.map((finding) => line(finding).replaceAll(base, "."));
}

describe("compileFolder", () => {
  it("reads the graph, the settings, and declared files only [DOT-source-files]", async () => {
    write("workflow.dot", workflow);
    write("settings.json", '{ "inputSchema": { "$schemaFile": "schemas/in.json" } }');
    mkdirSync(join(folder, "schemas"));
    write("schemas/in.json", '{ "type": "object" }');
    write("schemas/other.json", "{");
    const sources = await readSourceFolder(folder);
    expect(sources.ok && [...sources.value.files.keys()].sort()).toEqual([
      "schemas/in.json",
      "settings.json",
      "workflow.dot",
    ]);
    const outcome = await compileFolder(folder);
    expect(outcome.ok && outcome.value.definition.inputSchema).toEqual({ type: "object" });
    expect(outcome.ok && outcome.value.placeOf("/inputSchema/type")?.file).toBe(`${folder}/schemas/in.json`);
  });

  it("takes workflow.dot for its folder, and another .dot file for itself alone", async () => {
    write("workflow.dot", workflow);
    write("alone.dot", workflow);
    write("settings.json", '{ "version": "7" }');
    const whole = await compileFolder(join(folder, "workflow.dot"));
    const alone = await compileFolder(join(folder, "alone.dot"));
    expect(whole.ok && whole.value.definition.version).toBe("7");
    expect(alone.ok && alone.value.definition.version).toBe(undefined);
  });

  it("refuses what is not there [DOT-source-files]", async () => {
    expect(await findings(join(base, "none"))).toEqual(['./none:1:1 source.not-found there is no "./none"']);
    expect(await findings()).toEqual([
      './flow/workflow.dot:1:1 source.not-found there is no file "./flow/workflow.dot"',
    ]);
    write("workflow.dot", workflow);
    write("settings.json", '{ "inputSchema": { "$schemaFile": "in.json" } }');
    expect(await findings()).toEqual([
      './flow/settings.json:1:20 source.not-found there is no file "./flow/in.json"',
    ]);
  });

  it("refuses what is no file", async () => {
    mkdirSync(join(folder, "workflow.dot"));
    expect(await findings()).toEqual([
      './flow/workflow.dot:1:1 source.unreadable "./flow/workflow.dot" is not a regular file',
    ]);
    writeFileSync(join(base, "notes.txt"), "hello");
    expect(await findings(join(base, "notes.txt"))).toEqual([
      './notes.txt:1:1 source.unreadable "./notes.txt" is neither a folder nor a .dot file',
    ]);
    expect((await compileFolder("a\0b")).findings.map(({ code }) => code)).toEqual(["source.unreadable"]);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "refuses what it may not read",
    async () => {
      write("workflow.dot", workflow);
      chmodSync(join(folder, "workflow.dot"), 0);
      expect((await compileFolder(folder)).findings.map(({ code }) => code)).toEqual(["source.unreadable"]);
    },
  );

  it.skipIf(process.platform === "win32")(
    "follows links inside the folder and refuses those that lead out",
    async () => {
      writeFileSync(join(base, "secret.json"), '{ "title": "secret" }');
      mkdirSync(join(base, "elsewhere"));
      writeFileSync(join(base, "elsewhere", "in.json"), "true");
      write("workflow.dot", workflow);
      write("real.json", "true");
      symlinkSync("real.json", join(folder, "inside.json"));
      symlinkSync(join(base, "secret.json"), join(folder, "outside.json"));
      symlinkSync(join(base, "elsewhere"), join(folder, "schemas"));
      const declare = (name: string) =>
        write("settings.json", `{ "inputSchema": { "$schemaFile": "${name}" } }`);
      declare("inside.json");
      expect(await findings()).toEqual([]);
      for (const name of ["outside.json", "schemas/in.json"]) {
        declare(name);
        expect(await findings()).toEqual([
          `./flow/settings.json:1:20 source.outside-folder "./flow/${name}" is a link that leads out of the source folder`,
        ]);
      }
      rmSync(join(folder, "settings.json"));
      symlinkSync(join(base, "secret.json"), join(folder, "settings.json"));
      expect((await compileFolder(folder)).findings.map(({ code }) => code)).toEqual([
        "source.outside-folder",
      ]);
    },
  );

  it.skipIf(process.platform === "win32")("passes over no settings [DOT-source-files]", async () => {
    write("workflow.dot", workflow);
    symlinkSync("nowhere.json", join(folder, "settings.json"));
    expect(await findings()).toEqual([
      './flow/settings.json:1:1 source.unreadable "./flow/settings.json" is a link that leads nowhere',
    ]);
    rmSync(join(folder, "settings.json"));
    write("Settings.json", '{ "version": "7" }');
    expect(await findings()).toEqual([expect.stringMatching(/^\.\/flow\/.*:1:1 source\.outside-folder /)]);
    symlinkSync("Settings.json", join(folder, "settings.json"));
    expect(await findings()).toEqual([expect.stringMatching(/"Settings\.json" on disk/)]);
  });

  it.skipIf(process.platform === "win32")("reads a folder that is itself a link", async () => {
    write("workflow.dot", workflow);
    symlinkSync(folder, join(base, "link"));
    expect((await compileFolder(join(base, "link"))).ok).toBe(true);
  });

  it("leaves settings that are no JSON to the compiler", async () => {
    write("workflow.dot", workflow);
    write("settings.json", '{ "version": "1", }');
    expect(await findings()).toEqual([expect.stringMatching(/^\.\/flow\/settings\.json:1:17 json\.syntax /)]);
  });
});
