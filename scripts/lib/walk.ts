/**
 * Walks a page of the guide in a project, as its reader would: a block under a line that ends with a file's name in code
 * and a colon is written; a block `sh` that is followed directly by a block `text` is typed, and must print that.
 * In an output `…` stands for anything in its line, a line of it alone for any lines. `RUN` in a command is the
 * run that was last seen. `sh second-terminal` (or `third-terminal`) goes on beside the rest, is interrupted where the page says
 * Ctrl-C (or ends), and must then end with 0. Blocks of nothing but looking are repeated for a while: what they show comes when
 * it comes.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Block, blocksOf } from "./markdown.ts";
import { type Project, plainEnv, write } from "./projects.ts";
import { indent, node } from "./run-example.ts";

const patience = 45_000;
const looking = /^(npx swl (why|list|status)\b.*\n)+$/;

/** True when the output is what the page says. */
export function fits(output: string, expected: string): boolean {
  const lines = expected.trimEnd().split("\n");
  const pattern = lines.map((line) =>
    line.trim() === "…" ? "(?:.*\n)*" : `${line.trim().split("…").map(escaped).join(".*")} *\n`,
  );
  const text = output
    .trimEnd()
    .split("\n")
    .map((line) => `${line.trim().replace(/ +/g, " ")}\n`);
  return new RegExp(`^${pattern.join("")}$`).test(text.join(""));
}

function escaped(text: string): string {
  return text.replace(/ +/g, " ").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Complaints about a page; one that types nothing is a complaint. */
export async function walk(project: Project, text: string): Promise<readonly string[]> {
  const blocks = blocksOf(text);
  const lines = text.split("\n");
  const walker = new Walker(project);
  let typed = 0;
  try {
    for (const [at, block] of blocks.entries()) {
      const next = blocks[at + 1];
      const before = lines.slice(blocks[at - 1]?.line ?? 0, block.line - 1);
      if (before.some((line) => line.includes("Ctrl-C"))) {
        const ended = await walker.end();
        if (ended.length > 0) return ended;
      }
      if (block.file !== undefined) write(project, { [block.file]: block.text });
      else if (block.note.endsWith("-terminal")) walker.begin(block);
      else if (block.language === "sh" && next?.language === "text" && next.adjacent) {
        typed += 1;
        const complaints = await walker.type(block, next.text);
        if (complaints.length > 0) return complaints;
      }
    }
    const ended = await walker.end();
    return typed === 0 ? ["it has no command with its output"] : ended;
  } finally {
    walker.kill();
  }
}

class Walker {
  readonly #project: Project;
  readonly #env: NodeJS.ProcessEnv;
  #run = "";
  #others: readonly {
    readonly child: ChildProcess;
    readonly done: Promise<number | null>;
    readonly line: number;
  }[] = [];

  constructor(project: Project) {
    this.#project = project;
    // The project itself, or a folder in it.
    const bins = [project.path, dirname(project.path)].map((folder) => join(folder, "node_modules", ".bin"));
    const path = [dirname(node), ...bins, process.env["PATH"] ?? ""];
    this.#env = { ...plainEnv(), PATH: path.join(delimiter) };
  }

  /** Types a block; its output may come on either stream. */
  async type(block: Block, expected: string): Promise<readonly string[]> {
    const until = Date.now() + (looking.test(block.text) ? patience : 0);
    for (;;) {
      const commands = block.text.replaceAll("RUN", this.#run);
      const { stdout } = spawnSync("bash", ["-c", `exec 2>&1\n${commands}`], {
        cwd: this.#project.path,
        env: this.#env,
        encoding: "utf8",
        timeout: 60_000,
      });
      this.#run = /\brun-[0-9a-f]{8,}/.exec(stdout)?.[0] ?? this.#run;
      if (fits(stdout, expected)) return [];
      if (Date.now() >= until)
        return [`line ${block.line}: it prints`, ...indent(stdout), "and the page says", ...indent(expected)];
      await sleep(500);
    }
  }

  begin(block: Block): void {
    // The command itself, without the npx around it, so that an interrupt reaches it.
    const child = spawn("bash", ["-c", `exec env ${block.text.trim().replace(/(^| )npx /, "$1")}`], {
      cwd: this.#project.path,
      env: this.#env,
      stdio: "ignore",
    });
    const done = new Promise<number | null>((settle) => child.once("close", settle));
    this.#others = [...this.#others, { child, done, line: block.line }];
  }

  /** All that goes on beside the rest, the last one first. */
  async end(): Promise<readonly string[]> {
    const complaints: string[] = [];
    for (const { child, done, line } of this.#others.toReversed()) {
      child.kill("SIGINT");
      const code = await Promise.race([done, sleep(10_000)]);
      if (code === undefined) child.kill("SIGKILL");
      if (code !== 0)
        complaints.push(`line ${line}: interrupted, it ends with ${code ?? "nothing in 10 seconds"}`);
    }
    this.#others = [];
    return complaints;
  }

  kill(): void {
    for (const { child } of this.#others) child.kill("SIGKILL");
  }
}
