/** A definition compiled for the control plane, and its start tried on nothing. */
import { contentDigest, type Json, SwlError } from "@swl/base";
import type { DryStep, Preparation } from "@swl/invocation-control";
import type { Definitions, Served } from "./definitions.js";
import type { Step } from "./fold.js";
import { statusOf } from "./proposal.js";

/** Definitions remembered at once. */
const most = 1_000;

export class Prepared implements Preparation {
  readonly definition: Json;
  readonly served: Served;

  constructor(definition: Json, served: Served) {
    this.definition = definition;
    this.served = served;
  }

  get digest(): string {
    return this.served.requirements.definition;
  }

  get workflow(): string {
    return this.served.requirements.workflow;
  }

  start(input: Json): DryStep {
    const { model, prepared } = this.served;
    const event = { type: "start", run: "dry", input, id: "dry", position: 1, at: 0 } as const;
    const step = model.transition(prepared, undefined, event);
    if ("error" in step)
      throw new SwlError("definition.invalid", step.error.message, { findings: [step.error] });
    return dryStepOf(this.served, step);
  }
}

export function dryStepOf(served: Served, step: Step): DryStep {
  const { model, prepared } = served;
  return {
    effect: step.effect,
    edges: step.edges,
    commands: step.commands as unknown as readonly Json[],
    status: statusOf(model.disposition(step.state)),
    // Most who try an event want to know no more than whether it is taken.
    get view() {
      return model.view(prepared, step.state);
    },
  };
}

export class Preparations {
  readonly #definitions: Definitions;
  readonly #known = new Map<string, Prepared>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** Throws `definition.invalid`. */
  of(definition: Json, key: string = contentDigest(definition)): Prepared {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = new Prepared(definition, this.#definitions.prepare(definition));
    if (this.#known.size >= most) this.#known.clear();
    this.#known.set(key, made);
    return made;
  }

  known(key: string): Prepared | undefined {
    return this.#known.get(key);
  }
}
