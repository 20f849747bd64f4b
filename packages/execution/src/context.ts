/**
 * What a mapping sees in a draft: the run's input, the latest result of each node, the edge taken here, and who the
 * run is. Built lazily: a mapping that reads only `input` costs one slot lookup. Spec: EXE-mapping-context.
 */
import type { Json } from "@swl/base";
import type { MappingContext, NodeResult } from "@swl/definition/mappings";
import type { Draft } from "./draft.js";
import type { PreparedNode } from "./prepared.js";

export class DraftContext implements MappingContext {
  readonly #draft: Draft;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  get input(): Json {
    return this.#draft.slot("input") ?? null;
  }

  get from(): Json {
    const from = this.#draft.head.from;
    if (from === null) return null;
    const left = this.#draft.prepared.nodes.get(from.node) as PreparedNode;
    const { outcome, output, visit } = this.#draft.node(left);
    return { node: from.node, route: from.route, outcome, output, visit };
  }

  get run(): Json {
    return { id: this.#draft.head.run, definition: this.#draft.prepared.requirements.definition };
  }

  node(id: string): NodeResult | undefined {
    const node = this.#draft.prepared.nodes.get(id);
    if (node === undefined) return undefined;
    const { outcome, output, visit } = this.#draft.node(node);
    return visit === null || outcome === null ? undefined : { outcome, output, visit };
  }

  nodeIds(): Iterable<string> {
    return this.#draft.prepared.nodes.keys();
  }
}
