/** What a request would do, in the words of every operation. Spec: INV-dry-run. */
import type { DryRun } from "./control-answers.js";
import { type Change, judge, type Refusal } from "./control-changes.js";
import type { ControlChange, ControlPort, DryStep, Look, NewRun } from "./control-port.js";
import type { ChangingOperation } from "./control-requests.js";

const nothing = { edges: [], commands: [] } as const;

export function dryChange(operation: ChangingOperation, look: Look, change: Change): DryRun {
  const of = { operation, run: change.run, before: look.status.status };
  const made = change.of(look);
  if ("code" in made) return refusedDry(of, made);
  const refusal = judge(look, made);
  if (refusal !== undefined) return refusedDry(of, refusal);
  return made.kind === "event" ? dryEvent(of, look, made) : dryStore(of, look, made);
}

type Of = Pick<DryRun, "operation" | "run" | "before">;

export function refusedDry(of: Of, { code, message }: Refusal): DryRun {
  return { ...of, ...nothing, effect: "refused", code, message };
}

function dryEvent(of: Of, look: Look, change: ControlChange & { readonly kind: "event" }): DryRun {
  const step = look.status.hold === undefined ? look.dry(change.event) : undefined;
  if (step !== undefined) return dryStep(of, step);
  const message =
    look.status.hold === undefined
      ? "The state of the run cannot be read here: the host that applies it will judge it."
      : "The run is quarantined: it would be accepted, and applied after a release.";
  return { ...of, ...nothing, effect: "unknown", code: "run.unreadable", message };
}

/** Neither asks the model. */
function dryStore(of: Of, look: Look, { kind }: ControlChange): DryRun {
  const after = kind === "terminate" ? "canceled" : (look.status.view?.status ?? "created");
  return { ...of, ...nothing, effect: "moved", after };
}

export function dryStep(of: Of, { effect, edges, commands, status, view }: DryStep): DryRun {
  const said = effect.kind === "none" ? { code: effect.code, message: effect.message } : {};
  const word =
    effect.kind === "none"
      ? effect.refuse
        ? "refused"
        : "none"
      : effect.kind === "applied"
        ? "moved"
        : "buffered";
  return { ...of, ...said, effect: word, after: status, edges, commands, view };
}

export function dryStart({ preparation, input }: NewRun): DryRun {
  return dryStep({ operation: "start", run: "" }, preparation.start(input));
}

export async function dryPublish(port: ControlPort, name: string): Promise<DryRun> {
  const current = await port.publication(name);
  return {
    operation: "publish",
    run: "",
    ...nothing,
    effect: "moved",
    revision: (current?.revision ?? 0) + 1,
  };
}
