/**
 * Which provider serves which action: decided once, before a run may start, with every gap named in one pass.
 * Bindings are deployment configuration and never part of a definition. Spec: INV-bindings-resolved.
 */
import { type Diagnostic, nearest, type Outcome, pointerTo } from "@swl/base";
import type { Provider, ProviderAbility } from "./provider.js";

/** A provider and, when it shall not serve all that it has, the actions that it shall serve. */
export interface BindingSet {
  readonly provider: Provider;
  /** Absent: every action that the provider has. */
  readonly actions?: readonly string[];
  /** The contract's version that these were made for; absent: any. */
  readonly version?: string;
  /** Capabilities that these are granted, beside those that the host grants to all. */
  readonly grants?: readonly string[];
}

/** What a definition asks of a binding: `Requirements.actions` of an execution model has this shape. */
export interface ActionNeed {
  readonly action: string;
  /** Names that the host must grant before the run may start. */
  readonly capabilities: readonly string[];
  readonly version?: string;
  readonly effect?: string;
  /** The provider may answer `accepted`. */
  readonly deferred?: true;
  /** The provider is asked to stop where the run is canceled. */
  readonly cancelable?: true;
}

/**
 * The provider of each action, or every reason why the host cannot serve the definition: `binding.missing` (nobody
 * serves the action), `binding.invalid` (a set names what its provider does not have, two sets serve one action, a
 * provider breaks the contract), `binding.contract-version`, `binding.profile-unsupported` (the provider says that it
 * cannot do what the contract asks for), `binding.not-granted` (a capability is not granted). Pointers lead into the
 * definition (`/actions/<name>`), or are empty where a set itself is wrong.
 */
export function resolveBindings(
  needs: readonly ActionNeed[],
  sets: readonly BindingSet[],
  granted: readonly string[] = [],
): Outcome<ReadonlyMap<string, Provider>> {
  const findings: Diagnostic[] = [];
  const sound = sets.filter((set) => checkSet(set, findings));
  const bound = new Map<string, Provider>();
  const unserved: string[] = [];
  for (const need of needs) {
    const set = setFor(need.action, sound, findings);
    if (set === undefined) unserved.push(need.action);
    else {
      bound.set(need.action, set.provider);
      checkVersion(need, set, findings);
      checkAbilities(need, set.provider, findings);
    }
    const grants = new Set([...granted, ...(set?.grants ?? [])]);
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
  if (findings.length === 0) return { ok: true, value: bound, findings };
  return { ok: false, findings: withExample(findings, unserved) };
}

/** The first finding of an action that nobody serves says which all of them are, and how one is bound. */
function withExample(findings: readonly Diagnostic[], unserved: readonly string[]): readonly Diagnostic[] {
  const [example] = unserved;
  const at = findings.findIndex(({ code }) => code === "binding.missing");
  if (example === undefined || at < 0) return findings;
  const more = unserved.length > mostNamed ? ` and ${unserved.length - mostNamed} more` : "";
  const line = `"${example}": { "provider": "child-process", "command": ["node", "${example}.mjs"] }`;
  const how = `without a binding: ${unserved.slice(0, mostNamed).join(", ")}${more}; a function of its name in inProcess({ … }) binds one; a line of a bindings document that binds one: ${line}`;
  const { hint } = findings[at]!;
  return findings.with(at, { ...findings[at]!, hint: hint === undefined ? how : `${hint}; ${how}` });
}

const mostNamed = 20;

function setFor(action: string, sets: readonly BindingSet[], findings: Diagnostic[]): BindingSet | undefined {
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
      ...(near !== undefined && { hint: `did you mean ${near}? the bindings have that` }),
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
  return first;
}

function checkVersion(need: ActionNeed, { version, provider }: BindingSet, findings: Diagnostic[]): void {
  if (version === undefined || version === need.version) return;
  const theirs = need.version === undefined ? "no version" : `version ${need.version}`;
  findings.push({
    code: "binding.contract-version",
    severity: "error",
    message: `the binding of action ${need.action} to ${provider.id} is for version ${version} of its contract, which says ${theirs}`,
    pointer: pointerTo("/actions", need.action, "version"),
  });
}

/** What a contract asks for, the member that says so, and what a provider must be able to do. */
const demands: readonly {
  readonly ability: ProviderAbility;
  readonly member: string;
  readonly lacking: string;
  readonly asks: (need: ActionNeed) => boolean;
}[] = [
  {
    ability: "accept",
    member: "deferred",
    lacking: "cannot answer that an operation was accepted",
    asks: ({ deferred }) => deferred === true,
  },
  {
    ability: "inspect",
    member: "effect",
    lacking: "cannot be asked what became of an operation",
    asks: ({ effect }) => effect === "reconcilable",
  },
  {
    ability: "cancel",
    member: "cancellation",
    lacking: "cannot be asked to stop an operation",
    asks: ({ cancelable }) => cancelable === true,
  },
];

function checkAbilities(need: ActionNeed, provider: Provider, findings: Diagnostic[]): void {
  const can = provider.can?.(need.action);
  if (can === undefined) return;
  for (const { ability, member, lacking, asks } of demands) {
    if (!asks(need) || can.includes(ability)) continue;
    findings.push({
      code: "binding.profile-unsupported",
      severity: "error",
      message: `provider ${provider.id} ${lacking}, which the contract of action ${need.action} asks for`,
      pointer: pointerTo("/actions", need.action, member),
    });
  }
}

function serves(set: BindingSet, action: string): boolean {
  return set.actions === undefined ? set.provider.has(action) : set.actions.includes(action);
}

function namedActions(sets: readonly BindingSet[]): readonly string[] {
  return sets.flatMap(({ actions = [], provider: { names } }) =>
    [...actions, ...(Array.isArray(names) ? names : [])].filter((name) => typeof name === "string"),
  );
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
