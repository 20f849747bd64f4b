/**
 * SWL core as an ExecutionModel: the sequential language of activities, signals, routes, loops and failures. Every
 * function is pure. Spec: docs/spec/execution.md.
 */
import { disposition } from "./disposition.js";
import type { CoreState } from "./draft.js";
import type { ExecutionModel } from "./model.js";
import { outstanding } from "./outstanding.js";
import { prepare, semantics } from "./prepare.js";
import type { CorePrepared } from "./prepared.js";
import { fromJSON, toJSON } from "./serialize.js";
import { transition } from "./transition.js";
import { view } from "./view.js";

export const core: ExecutionModel<CorePrepared, CoreState> = {
  id: "swl.core",
  semantics,
  prepare,
  requirements: (prepared) => prepared.requirements,
  transition,
  disposition,
  outstanding,
  view,
  toJSON,
  fromJSON,
};
