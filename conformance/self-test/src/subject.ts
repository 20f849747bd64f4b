/** This implementation as a subject of the kit: what it offers, in one process. */
import { type Json, type Outcome, readJson } from "@swl/base";
import type { Subject } from "@swl/conformance";
import { readDefinition } from "@swl/definition";
import { core } from "@swl/execution";
import type { ExecutionModel } from "@swl/execution/model";
import { compileFolder } from "@swl/source-notation/folder";

export const swl: Subject = {
  name: "swl-typescript",
  claims: ["base", "core", "definition", "execution", "source-notation"],
  readJson: ({ name, bytes }, options) => {
    const read = readJson(bytes, { file: name, ...options });
    return read.ok ? { ...read, value: read.value.value } : read;
  },
  validateDefinition: ({ name, bytes }, { strict }) =>
    asJson(readDefinition(bytes, { file: name, ...(strict !== undefined && { strict }) })),
  compileSources: async (folder, { strict }) => {
    const compiled = await compileFolder(folder, strict === undefined ? {} : { strict });
    return compiled.ok ? asJson({ ...compiled, value: compiled.value.definition }) : compiled;
  },
  model: core as unknown as ExecutionModel,
};

/** A definition is JSON; its type says more than `Json` can. */
function asJson<T>(outcome: Outcome<T>): Outcome<Json> {
  return outcome as Outcome<Json>;
}
