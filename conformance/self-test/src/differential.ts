/**
 * Runs random traces through this engine and a subject behind stdio, and tells the first difference, made small; exits
 * with 1 when there is one. `--seed=N --sequences=N [--from=N] [COMMAND ARGS…]`, by default the engine in Python.
 */
import { fileURLToPath } from "node:url";
import { stdioSubject } from "@swl/conformance/stdio";
import { core } from "@swl/execution";
import type { ExecutionModel } from "@swl/execution/model";
import { engineOf } from "./differential/engines.ts";
import { runDifferential, told } from "./differential/run.ts";

const options = new Map<string, number>();
const words: string[] = [];
for (const word of process.argv.slice(2)) {
  const option = words.length === 0 ? /^--(seed|sequences|from)=([0-9]+)$/.exec(word) : null;
  if (option) options.set(option[1]!, Number(option[2]));
  else if (word.startsWith("--") && words.length === 0) {
    console.error("usage: differential [--seed=N] [--sequences=N] [--from=N] [COMMAND ARGS…]");
    process.exit(64);
  } else words.push(word);
}
const [command = "python3", ...args] = words;
const python = fileURLToPath(new URL("../../subjects/python/swl_engine.py", import.meta.url));
const subject = await stdioSubject({
  command,
  args: words.length === 0 ? [python] : args,
  timeoutMs: 120_000,
});
const model = core as unknown as ExecutionModel;
const result = await runDifferential(model, [engineOf(model), subject], {
  seed: options.get("seed") ?? 1,
  sequences: options.get("sequences") ?? 5_000,
  from: options.get("from") ?? 0,
  progress: (done) => {
    if (done % 10_000 === 0) console.error(`${done} sequences, no difference`);
  },
});
await subject.close();
console.log(`${result.sequences} sequences, ${result.events} events, ${subject.name}`);
if (result.difference) console.log(told(result.difference));
process.exitCode = result.difference ? 1 : 0;
