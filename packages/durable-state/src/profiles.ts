/**
 * The profiles that this host serves. A model may execute more than its host can hold up (a profile may need verbs,
 * commands or timers of the host): a definition that requires any other is refused by name, before a run exists and
 * before any effect. Spec: DEF-requires, EXE-prepare.
 */
import { type Diagnostic, SwlError } from "@swl/base";
import type { Requirements } from "@swl/execution/model";

export const servedProfiles: readonly string[] = [
  "core",
  "buffered-signals",
  "cancellation-acks",
  "deferred-actions",
  "expressions-jsonlogic",
  "hard-stop",
  "reconciliation",
  "timers",
  "tracked-updates",
];

/** A finding for each required profile that this host does not serve. */
export function unservedProfiles({ profiles }: Requirements): readonly Diagnostic[] {
  return profiles
    .filter((profile) => !servedProfiles.includes(profile))
    .map((profile) => ({
      code: "definition.profile-unsupported",
      severity: "error",
      message: `the profile ${JSON.stringify(profile)} is not served by this host`,
      pointer: "/requires",
    }));
}

/**
 * Throws `host.model-unknown`, naming what is missing, for a run that another host began: the run waits for a host that
 * has it, and this one may only look at it.
 */
export function refuseUnserved(requirements: Requirements): void {
  const findings = unservedProfiles(requirements);
  if (findings.length === 0) return;
  const said = findings.map(({ message }) => message).join(", ");
  throw new SwlError("host.model-unknown", `The run cannot be served here: ${said}.`, { findings });
}
