/** Where output goes: `--out` and its places, and what becomes of output that nobody can keep. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { flow, folder, swl } from "./support/call.js";

const bin = join(import.meta.dirname, "..", "dist", "bin.js");
const posix = process.platform !== "win32";

describe("--out", () => {
  const commands = ["compile", "canonical", "render"];

  it.skipIf(!posix).each(commands)("of %s keeps a link, the mode of a file, and a pipe", async (command) => {
    const cwd = folder();
    writeFileSync(join(cwd, "kept.txt"), "");
    chmodSync(join(cwd, "kept.txt"), 0o640);
    symlinkSync("kept.txt", join(cwd, "link.txt"));
    symlinkSync("new.txt", join(cwd, "dangling.txt"));
    for (const out of ["link.txt", "dangling.txt"]) {
      expect((await swl([command, flow, "--out", out], { cwd })).code).toBe(0);
      expect(lstatSync(join(cwd, out)).isSymbolicLink()).toBe(true);
    }
    expect(statSync(join(cwd, "kept.txt")).mode & 0o777).toBe(0o640);
    expect(readFileSync(join(cwd, "new.txt"), "utf8")).toBe(readFileSync(join(cwd, "kept.txt"), "utf8"));
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    const read = spawnSync(
      "sh",
      ["-c", `"${process.execPath}" "${bin}" ${command} "${flow}" --out pipe --json & cat pipe`],
      { cwd, encoding: "utf8" },
    );
    expect(read.stdout).toContain("flow");
    expect(lstatSync(join(cwd, "pipe")).isFIFO()).toBe(true);
    expect(readdirSync(cwd).sort()).toEqual(["dangling.txt", "kept.txt", "link.txt", "new.txt", "pipe"]);
  });

  it.each(commands)("of %s takes - for standard output", async (command) => {
    const cwd = folder();
    const plain = await swl([command, flow], { cwd });
    expect(await swl([command, flow, "--out", "-"], { cwd })).toEqual(plain);
    expect(existsSync(join(cwd, "-"))).toBe(false);
  });

  it.skipIf(!existsSync("/dev/fd/1")).each(commands)("of %s leaves what others have open", (command) => {
    const swlTo = (out: string, to: string) =>
      spawnSync("sh", ["-c", `"${process.execPath}" "${bin}" ${command} "${flow}" --out ${out} ${to}`], {
        cwd: folder(),
        encoding: "utf8",
      });
    const plain = swlTo("-", "");
    expect(plain.stdout).toContain("flow");
    for (const out of ["/dev/stdout", "/dev/fd/1"]) expect(swlTo(out, "").stdout).toBe(plain.stdout);
    expect(swlTo("/dev/stdout", "> f; cat f").stdout).toBe(plain.stdout);
    const third = swlTo("/dev/fd/3", "3> f; ls; cat f").stdout;
    expect(third).toMatch(/^wrote \/dev\/fd\/3.*\nf\n/);
    expect(third.slice(third.indexOf("\nf\n") + 3).trimEnd()).toBe(plain.stdout.trimEnd());
  });

  it.each(commands)("of %s says why a place cannot be written, and leaves nothing", async (command) => {
    const cwd = folder();
    mkdirSync(join(cwd, "folder"));
    writeFileSync(join(cwd, "file"), "");
    for (const [out, reason] of [
      ["folder", "it is a folder"],
      ["file/x", "a part of its path is not a folder"],
      ["no/x", "its folder is not there"],
    ] as const) {
      const { code, err } = await swl([command, flow, "--out", out], { cwd });
      expect([out, code, err]).toEqual([
        out,
        3,
        `error source.unreadable: the file ${out} cannot be written: ${reason}\n`,
      ]);
    }
    expect(readdirSync(cwd)).toEqual(["file", "folder"]);
  });
});

describe("standard output", () => {
  it.skipIf(!existsSync("/dev/full"))("that is full is an error", () => {
    for (const flags of ["", "--json"]) {
      const command = `"${process.execPath}" "${bin}" compile "${flow}" ${flags} > /dev/full`;
      const { status, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
      expect(status).toBe(3);
      expect(stderr).toBe("error cli.output-lost: standard output could not be written: no space is left\n");
    }
  });
});
