/**
 * Which provider serves which action: decided once, before a run may start, with every gap named in one pass.
 * Bindings are deployment configuration and never part of a definition. Spec: INV-bindings-resolved.
 */
import { type Diagnostic, nearest, type Outcome, pointerTo } from "@swl/base";
import type { Provider } from "./provider.js";

/** A provider and, when it shall not serve all that it has, the actions that it shall serve. */
export interface BindingSet {
  readonly provider: Provider;
  /** Absent: every action that the provider has. */
  readonly actions?: readonly string[];
}

/** What a definition asks of a binding: `Requirements.actions` of an execution model has this shape. */
export interface ActionNeed {
  readonly action: string;
  /** Names that the host must grant before the run may start. */
  readonly capabilities: readonly string[];
}

/**
 * The provider of each action, or every reason why the host cannot serve the definition: `binding.missing` (nobody
 * serves the action), `binding.invalid` (a set names what its provider does not have, two sets serve one action, a
 * provider breaks the contract), `binding.not-granted` (a capability is not granted). Pointers lead into the
 * definition (`/actions/<name>`), or are empty where a set itself is wrong.
 */
export function resolveBindings(
  needs: readonly ActionNeed[],
  sets: readonly BindingSet[],
  granted: readonly string[] = [],
): Outcome<ReadonlyMap<string, Provider>> {
  const findings: Diagnostic[] = [];
  const sound = sets.filter((set) => checkSet(set, findings));
  const grants = new Set(granted);
  const bound = new Map<string, Provider>();
  for (const need of needs) {
    const provider = providerOf(need.action, sound, findings);
    if (provider !== undefined) bound.set(need.action, provider);
    for (const capability of need.capabilities) {
      if (grants.has(capability)) continue;
      findings.push({
        code: "binding.not-granted",
        severity: "error",
        message: `action ${need.action} needs the capability ${capability}, which this host does not grant`,
        pointer: pointerTo("/actions", need.action, "capabilities"),
      });
    }
  }
  return findings.length === 0 ? { ok: true, value: bound, findings } : { ok: false, findings };
}

function providerOf(
  action: string,
  sets: readonly BindingSet[],
  findings: Diagnostic[],
): Provider | undefined {
  const serving = sets.filter((set) => serves(set, action));
  const [first] = serving;
  const pointer = pointerTo("/actions", action);
  if (first === undefined) {
    const near = nearest(action, namedActions(sets));
    findings.push({
      code: "binding.missing",
      severity: "error",
      message: `nobody serves action ${action}`,
      pointer,
      ...(near !== undefined && { hint: `a binding names ${near}` }),
    });
  } else if (serving.length > 1) {
    const ids = serving.map((set) => set.provider.id).join(", ");
    findings.push({
      code: "binding.invalid",
      severity: "error",
      message: `action ${action} is served by ${serving.length} providers: ${ids}`,
      pointer,
      hint: "list the actions that each binding set shall serve",
    });
  }
  return first?.provider;
}

function serves(set: BindingSet, action: string): boolean {
  return set.actions === undefined ? set.provider.has(action) : set.actions.includes(action);
}

function namedActions(sets: readonly BindingSet[]): readonly string[] {
  return sets.flatMap((set) => set.actions ?? []);
}

/** True when the set can be used at all; what it names and its provider lacks is a finding. */
function checkSet(set: BindingSet, findings: Diagnostic[]): boolean {
  const invalid = (message: string): void => {
    findings.push({ code: "binding.invalid", severity: "error", message, pointer: "" });
  };
  const provider: Partial<Provider> | undefined = set.provider;
  const { id, has, invoke } = provider ?? {};
  if (typeof id !== "string" || id === "" || typeof has !== "function" || typeof invoke !== "function") {
    invalid("a binding set holds no provider: id, has and invoke are needed");
    return false;
  }
  const lacking = (set.actions ?? []).filter((action) => !set.provider.has(action));
  if (lacking.length > 0) invalid(`provider ${id} does not have ${lacking.join(", ")}`);
  return true;
}
