/** This implementation as a subject of the kit: what it offers, in one process. */
import { type Json, type Outcome, readJson } from "@swl/base";
import type { Subject } from "@swl/conformance";
import { readDefinition } from "@swl/definition";
import { core } from "@swl/execution";
import type { ExecutionModel } from "@swl/execution/model";
import { compileSources, type EditOperation, editSources, format, print } from "@swl/source-notation";
import { compileFolder, readSourceFolder } from "@swl/source-notation/folder";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export const swl: Subject = {
  name: "swl-typescript",
  claims: [
    "base",
    "buffered-signals",
    "cancellation-acks",
    "core",
    "deferred-actions",
    "definition",
    "execution",
    "expressions-jsonlogic",
    "hard-stop",
    "reconciliation",
    "source-notation",
    "timers",
    "tracked-updates",
  ],
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
  printDefinition: ({ name, bytes }) => {
    const definition = readDefinition(bytes, { file: name });
    if (!definition.ok) return definition;
    const { dot, settings } = print(definition.value);
    const value = { "workflow.dot": dot, ...(settings !== undefined && { "settings.json": settings }) };
    return { ok: true, value, findings: definition.findings };
  },
  compileFiles: (files, { strict = false }) => {
    const compiled = compileSources({ files: new Map(Object.entries(files)) }, { strict });
    return compiled.ok ? asJson({ ...compiled, value: compiled.value.definition }) : compiled;
  },
  formatSource: ({ name, bytes }) => format(bytes, { file: name }),
  editSources: async (folder, operations) => {
    const sources = await readSourceFolder(folder);
    if (!sources.ok) return sources;
    const edited = editSources(sources.value, operations as unknown as readonly EditOperation[]);
    if (!edited.ok) return edited;
    const texts = ["workflow.dot", "settings.json"].flatMap((name) => {
      const text = edited.value.files.get(name);
      return text === undefined ? [] : [[name, typeof text === "string" ? text : utf8.decode(text)] as const];
    });
    return { ...edited, value: Object.fromEntries(texts) };
  },
  model: core as unknown as ExecutionModel,
};

/** A definition is JSON; its type says more than `Json` can. */
function asJson<T>(outcome: Outcome<T>): Outcome<Json> {
  return outcome as Outcome<Json>;
}
