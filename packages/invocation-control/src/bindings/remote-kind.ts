/** The kind `remote` of a bindings document: actions that workers anywhere pull. It has no settings. */
import { remoteWorkers } from "../remote-work.js";
import type { ProviderKind } from "./kind.js";

export const remoteKind: ProviderKind = {
  name: "remote",
  open(actions, { id }) {
    for (const settings of actions.values()) settings.done();
    return remoteWorkers({ actions: [...actions.keys()], id });
  },
};
