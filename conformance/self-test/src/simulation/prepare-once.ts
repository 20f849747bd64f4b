/** A model that compiles each definition once in this process: preparing is pure, and a simulation has many hosts. */
import { canonicalize } from "@swl/base";
import type { ExecutionModel } from "@swl/execution/model";

export function prepareOnce(model: ExecutionModel): ExecutionModel {
  const known = new Map<string, ReturnType<ExecutionModel["prepare"]>>();
  const prepare: ExecutionModel["prepare"] = (definition, semantics) => {
    const text = canonicalize(definition);
    let made = known.get(text);
    if (made === undefined) {
      made = model.prepare(definition, semantics);
      known.set(text, made);
    }
    return made;
  };
  return Object.assign(Object.create(model) as ExecutionModel, { prepare });
}
