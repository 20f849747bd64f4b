/**
 * A run that was created where nobody could serve it is bound by the host that first serves it: the providers stand in
 * the commit of its start, and in every commit after it. Spec: DUR-created-runs.
 */
import { SwlError } from "@swl/base";
import { type BindingSet, resolveBindings } from "@swl/invocation-control";
import type { LoadedRun } from "./loaded-run.js";

/**
 * Throws `binding.missing`, `binding.not-granted` or `binding.invalid`, which leave the run to others. A run that was
 * canceled before it started needs no provider.
 */
export function boundHere(
  run: LoadedRun,
  bindings: readonly BindingSet[],
  grants: readonly string[],
): LoadedRun {
  const { actions } = run.served.requirements;
  const bound = actions.every(({ action }) => Object.hasOwn(run.created.bindings, action));
  if (bound || run.closed || run.unapplied.some((event) => event.type === "cancel")) return run;
  const found = resolveBindings(actions, bindings, grants);
  if (!found.ok) {
    const [first] = found.findings;
    const said = first?.message ?? "an action is not bound here";
    throw new SwlError(
      first?.code ?? "binding.missing",
      `The run waits for a host that can serve it: ${said}.`,
      {
        findings: found.findings,
      },
    );
  }
  const providers = [...found.value].map(([action, provider]) => [action, provider.id] as const);
  return { ...run, created: { ...run.created, bindings: Object.fromEntries(providers) }, boundLate: true };
}
