/**
 * The orders example from the contents of its files to a valid definition: graph, settings and schemas read, merged and
 * validated, against validating alone the definition that comes out of it.
 */
import { fileURLToPath } from "node:url";
import { validate } from "@swl/definition";
import { compileSources } from "@swl/source-notation";
import { readSourceFolder } from "@swl/source-notation/folder";
import { type Bench, median, type Subject } from "./lib/harness.ts";

const folder = fileURLToPath(new URL("../examples/orders", import.meta.url));
const milliseconds: number[] = [];

export const compileOrders: Bench = {
  name: "compile-orders",
  question:
    "compilations a second of the orders example, files to valid definition, against validating it alone",
  async open({ quick }) {
    const sources = await readSourceFolder(folder);
    if (!sources.ok) throw new Error(`refused: ${sources.findings[0]?.message}`);
    const compiled = compileSources(sources.value);
    if (!compiled.ok) throw new Error(`refused: ${compiled.findings[0]?.message}`);
    const { definition } = compiled.value;
    const times = quick ? 50 : 200;
    const compiling: Subject = {
      name: "compileSources, orders",
      unit: "folder",
      run() {
        const began = performance.now();
        for (let time = 0; time < times; time++) compileSources(sources.value);
        milliseconds.push((performance.now() - began) / times);
        return times;
      },
    };
    const validating: Subject = {
      name: "validate, the same definition",
      unit: "definition",
      run() {
        for (let time = 0; time < times; time++) validate(definition);
        return times;
      },
    };
    return [compiling, validating];
  },
  notes() {
    return [`one compilation, warm: ${median(milliseconds).toFixed(2)} ms`];
  },
};
