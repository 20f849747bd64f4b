import { realpath } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { loadDriver } from "../src/driver.js";
import { type FileSystems, networkFileSystem } from "../src/file-system.js";
import { openSqliteStore } from "../src/index.js";
import { openFile } from "../src/open-file.js";
import { temporaryFile, temporaryFolder } from "./temporary.js";

const system = (type: number, mounts = ""): FileSystems => ({
  typeOf: async () => type,
  mounts: async () => mounts,
});
const fuse = 0x65735546;
const linux = describe.skipIf(process.platform !== "linux");

linux("the file system of a folder", () => {
  it.each([
    ["NFS", 0x6969],
    ["SMB2", 0xfe534d42],
    // As a signed number of 32 bits.
    ["CIFS", 0xff534d42 | 0],
  ])("is known as the network's: %s", async (name, type) => {
    expect(await networkFileSystem("/", system(type))).toBe(name);
  });

  it.each([
    ["ext4", 0xef53],
    ["tmpfs", 0x01021994],
    ["overlay", 0x794c7630],
  ])("is known as this machine's: %s", async (_name, type) => {
    expect(await networkFileSystem("/", system(type))).toBeUndefined();
  });

  it("is told by the mount when it is of FUSE", async () => {
    const folder = await realpath(await temporaryFolder());
    const mounts = (type: string) =>
      [
        "21 1 8:1 / / rw - ext4 /dev/sda1 rw",
        `35 21 0:32 / ${folder} rw,nosuid shared:1 - ${type} there rw`,
        `36 21 0:33 / ${folder}-other rw - fuse.sshfs there rw`,
      ].join("\n");
    expect(await networkFileSystem(folder, system(fuse, mounts("fuse.sshfs")))).toBe("sshfs");
    expect(await networkFileSystem(folder, system(fuse, mounts("fuse.mergerfs")))).toBeUndefined();
  });

  it("is taken for this machine's where nothing can be known", async () => {
    const broken: FileSystems = {
      typeOf: () => Promise.reject(new TypeError("no statfs")),
      mounts: async () => "",
    };
    expect(await networkFileSystem("/", broken)).toBeUndefined();
  });
});

linux("a file on a network file system", () => {
  const opening = async (path: string, network: "refuse" | "allow") =>
    openFile({
      driver: await loadDriver(),
      path,
      busyTimeout: 5,
      patience: { name: "s", lockWait: 100 },
      network,
      fileSystems: system(0x6969),
    });

  it("is refused before anything is made, unless it is allowed [STO-durable-settings]", async () => {
    const file = await temporaryFile();
    await expect(opening(file, "refuse")).rejects.toMatchObject({
      code: "store.incompatible",
      message: expect.stringContaining("NFS"),
    });
    await expect(realpath(file)).rejects.toThrow();
    (await opening(file, "allow")).close();
  });

  it("is a choice of two", async () => {
    const file = await temporaryFile();
    const bad = { file, network: "maybe" } as unknown as { file: string };
    await expect(openSqliteStore(bad)).rejects.toMatchObject({ code: "store.incompatible" });
  });
});
