/**
 * What a start would refuse, found before anything is created: actions that no binding serves, input that the
 * definition's schema does not take. The host checks the same again; this only keeps a refusal from leaving a store
 * file behind, and says where in the user's input the fault is.
 */
import { type Diagnostic, type Json, type JsonDocument, type Outcome, raise, SwlError } from "@swl/base";
import { servedProfiles } from "@swl/durable-state";
import { core } from "@swl/execution";
import { type BindingSet, resolveBindings } from "@swl/invocation-control";
import { serves } from "./bindings.js";

type Prepared = Parameters<typeof core.transition>[0];

/** Throws `definition.…` with every finding. */
export function checkDefinition(definition: Json): Prepared {
  const prepared = must(core.prepare(definition), "the definition cannot run here");
  checkProfiles(core.requirements(prepared).profiles);
  return prepared;
}

/** Of a run that whoever serves the store will bind. Throws `definition.…` or `input.invalid` with every finding. */
export function checkNewRun(definition: Json, input: JsonDocument): void {
  checkInput(checkDefinition(definition), input);
}

/** Throws `definition.…`, `binding.…` or `input.invalid` with every finding. */
export function checkStart(
  definition: Json,
  bindings: readonly BindingSet[],
  grants: readonly string[],
  input: JsonDocument,
): void {
  const prepared = checkDefinition(definition);
  const { actions } = core.requirements(prepared);
  const needed = new Set(actions.map(({ action }) => action));
  const free = new Set(needed);
  // The first set that has an action serves it; what nobody asks for may be a name that was mistyped.
  const sets = bindings.map((set) => {
    const served = [...free].filter((action) => serves(set, action));
    for (const action of served) free.delete(action);
    const others = (set.actions ?? []).filter((action) => !needed.has(action));
    return { ...set, actions: [...served, ...others] };
  });
  must(resolveBindings(actions, sets, grants), "the bindings do not serve the definition");
  checkInput(prepared, input);
}

/** What the engine executes and the host does not serve. */
function checkProfiles(profiles: readonly string[]): void {
  const unserved = profiles.filter((profile) => !servedProfiles.includes(profile));
  if (unserved.length === 0) return;
  const findings = unserved.map((profile): Diagnostic => {
    const message = `the profile ${JSON.stringify(profile)} is not served by this host`;
    return { code: "definition.profile-unsupported", severity: "error", message, pointer: "/requires" };
  });
  raise("definition.profile-unsupported", "the definition cannot run here", findings);
}

function checkInput(prepared: Prepared, input: JsonDocument): void {
  const start = { type: "start", run: "preflight", input: input.value } as const;
  const step = core.transition(prepared, undefined, { ...start, id: "preflight", position: 1, at: 0 });
  if ("error" in step) throw new SwlError(step.error.code, step.error.message, { findings: [step.error] });
  if (step.effect.kind !== "none") return;
  const { code, message } = step.effect;
  const said = step.diagnostics.filter(({ severity }) => severity === "error");
  const findings: readonly Diagnostic[] =
    said.length > 0 ? said : [{ code, severity: "error", message, pointer: "" }];
  raise(
    code,
    "the input is refused",
    findings.map((finding) => placed(finding, input)),
  );
}

function placed(finding: Diagnostic, input: JsonDocument): Diagnostic {
  const place = finding.place ?? input.placeOf(finding.pointer);
  return place === undefined ? finding : { ...finding, place };
}

function must<T>(outcome: Outcome<T>, summary: string): T {
  if (outcome.ok) return outcome.value;
  const first = outcome.findings.find(({ severity }) => severity === "error") ?? outcome.findings[0]!;
  raise(first.code, summary, outcome.findings);
}
