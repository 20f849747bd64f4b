/**
 * Prepared definitions by model, semantics number and digest: compiled once per host or control, however many runs
 * pin them, as long as they are among those used last. A definition whose blob is gone or does not match its digest is named, never guessed.
 */
import { type Diagnostic, type Json, raise, SwlError, toJson } from "@swl/base";
import type { ExecutionModel, Requirements } from "@swl/execution/model";
import { hasMarks } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import type { CreatedDocument } from "./formats.js";
import { unservedProfiles } from "./profiles.js";

export interface Served {
  readonly model: ExecutionModel;
  readonly prepared: unknown;
  readonly requirements: Requirements;
  /** The definition marks values as sensitive: what providers say of its runs is left out of the host's log. */
  readonly marked: boolean;
}

/** A definition that was given for a start before, frozen since. */
export interface Known {
  readonly document: Json;
  readonly served: Served;
  /** Its blob was in the store when this host last looked. */
  stored: boolean;
}

/** Definitions remembered at once: whoever may start runs may bring any number of them. */
const most = 1_000;

export class Definitions {
  readonly #store: Store;
  readonly #models: readonly ExecutionModel[];
  readonly #served = new Map<string, Promise<Served>>();
  readonly #known = new WeakMap<object, Known>();

  constructor(store: Store, models: readonly ExecutionModel[]) {
    this.#store = store;
    this.#models = models;
  }

  /** Compiles a definition for a new run with the first model that takes it. Throws `definition.invalid` with all findings. */
  prepare(definition: Json): Served {
    const findings: Diagnostic[] = [];
    for (const model of this.#models) {
      const outcome = model.prepare(definition);
      const served = outcome.ok ? servedBy(model, outcome.value, definition) : outcome;
      if ("model" in served) return served;
      findings.push(...served.findings);
    }
    const first = findings[0];
    throw new SwlError(
      "definition.invalid",
      first ? `The definition cannot run here: ${first.message}` : "No execution model was given.",
      { findings },
    );
  }

  /**
   * Prepares what was given for a start, once per object: the object is frozen, because a change after its first use
   * would otherwise be overlooked. Throws `definition.invalid`.
   */
  given(definition: unknown): Known {
    const known =
      typeof definition === "object" && definition !== null ? this.#known.get(definition) : undefined;
    if (known !== undefined) return known;
    const outcome = toJson(definition);
    if (!outcome.ok) raise("definition.invalid", "The definition is not JSON", outcome.findings);
    const made: Known = {
      document: outcome.value,
      served: this.prepare(outcome.value),
      stored: false,
    };
    deepFreeze(definition);
    this.#known.set(definition as object, made);
    return made;
  }

  /** Throws `host.model-unknown`, `host.definition-missing`, `host.pin-mismatch`, each naming the exact need. */
  serve(created: CreatedDocument): Promise<Served> {
    const key = `${created.model} ${created.semantics} ${created.definition}`;
    const known = this.#served.get(key);
    const served = known ?? this.#load(created);
    // Last in the map is used last.
    this.#served.delete(key);
    this.#served.set(key, served);
    if (known !== undefined) return known;
    served.catch(() => this.#served.delete(key));
    if (this.#served.size > most) this.#served.delete(this.#served.keys().next().value!);
    return served;
  }

  /** The model that a run pins. Throws `host.model-unknown`. */
  modelOf(created: CreatedDocument): ExecutionModel {
    const model = this.#models.find(
      ({ id, semantics }) => id === created.model && semantics.reads.includes(created.semantics),
    );
    if (model === undefined) {
      throw new SwlError(
        "host.model-unknown",
        `The run needs model ${created.model}, semantics ${created.semantics}.`,
        {
          details: { model: created.model, semantics: created.semantics },
        },
      );
    }
    return model;
  }

  async #load(created: CreatedDocument): Promise<Served> {
    const model = this.modelOf(created);
    const blob = await this.#store.blob(created.definition);
    if (blob === undefined) {
      throw new SwlError(
        "host.definition-missing",
        `The run needs definition ${created.definition}, which the store lacks.`,
        {
          details: { definition: created.definition },
        },
      );
    }
    const outcome = model.prepare(blob, created.semantics);
    if (!outcome.ok) {
      throw new SwlError(
        "host.pin-mismatch",
        `The pinned definition ${created.definition} cannot be prepared.`,
        {
          findings: outcome.findings,
        },
      );
    }
    const requirements = model.requirements(outcome.value);
    if (requirements.definition !== created.definition) {
      throw new SwlError(
        "host.pin-mismatch",
        `The run pins definition ${created.definition}, the stored one is ${requirements.definition}.`,
      );
    }
    return { model, prepared: outcome.value, requirements, marked: hasMarks(blob) };
  }
}

/** What a model compiled, if this host serves all that it requires. */
function servedBy(
  model: ExecutionModel,
  prepared: unknown,
  definition: Json,
): Served | { readonly findings: readonly Diagnostic[] } {
  const requirements = model.requirements(prepared);
  const findings = unservedProfiles(requirements);
  return findings.length > 0 ? { findings } : { model, prepared, requirements, marked: hasMarks(definition) };
}

/** What `toJson` took has no cycle. */
function deepFreeze(value: unknown): void {
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    open.push(...Object.values(next));
  }
}
