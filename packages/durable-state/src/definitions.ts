/**
 * Prepared definitions by model, semantics number and digest: compiled once per host or control, however many runs
 * pin them. A definition whose blob is gone or does not match its digest is named, never guessed.
 */
import { type Json, SwlError } from "@swl/base";
import type { ExecutionModel, Requirements } from "@swl/execution/model";
import type { Store } from "@swl/store-provider";
import type { CreatedDocument } from "./formats.js";

export interface Served {
  readonly model: ExecutionModel;
  readonly prepared: unknown;
  readonly requirements: Requirements;
}

export class Definitions {
  readonly #store: Store;
  readonly #models: readonly ExecutionModel[];
  readonly #served = new Map<string, Promise<Served>>();

  constructor(store: Store, models: readonly ExecutionModel[]) {
    this.#store = store;
    this.#models = models;
  }

  /** Compiles a definition for a new run with the first model that takes it. Throws `definition.invalid` with all findings. */
  prepare(definition: Json): Served {
    const findings = [];
    for (const model of this.#models) {
      const outcome = model.prepare(definition);
      if (outcome.ok) {
        return { model, prepared: outcome.value, requirements: model.requirements(outcome.value) };
      }
      findings.push(...outcome.findings);
    }
    const first = findings[0];
    throw new SwlError(
      "definition.invalid",
      first ? `The definition cannot run here: ${first.message}` : "No execution model was given.",
      { findings },
    );
  }

  /** Throws `host.model-unknown`, `host.definition-missing`, `host.pin-mismatch`, each naming the exact need. */
  serve(created: CreatedDocument): Promise<Served> {
    const key = `${created.model} ${created.semantics} ${created.definition}`;
    let served = this.#served.get(key);
    if (served === undefined) {
      served = this.#load(created);
      this.#served.set(key, served);
      served.catch(() => this.#served.delete(key));
    }
    return served;
  }

  /** The model that a run pins. Throws `host.model-unknown`. */
  modelOf(created: CreatedDocument): ExecutionModel {
    const model = this.#models.find((candidate) => candidate.id === created.model);
    if (model === undefined || !model.semantics.reads.includes(created.semantics)) {
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
    return { model, prepared: outcome.value, requirements };
  }
}
