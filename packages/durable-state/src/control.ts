/**
 * The control plane on a store: the control service over a port that knows this project's stores and models. Works inside
 * a host, beside one, or with none. Spec: INV-operations.
 */
import type { ExecutionModel } from "@swl/execution/model";
import { type Appended, type Authorize, controlService } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import { randomId, StoreClock, systemClock } from "./clock.js";
import { Definitions } from "./definitions.js";
import type { DirectEvent } from "./direct-event.js";
import { checkPoll } from "./host-options.js";
import type { Control, ControlOptions, HostClock } from "./host-types.js";
import { checkControlForms } from "./option-forms.js";
import { StorePort } from "./store-port.js";
import { Watchers } from "./watchers.js";

export interface ControlCore {
  readonly store: Store;
  readonly definitions: Definitions;
  readonly clock: HostClock;
  readonly storeClock: StoreClock;
  /** Milliseconds. */
  readonly poll: number;
  readonly watchers: Watchers;
  readonly newId: () => string;
  /** This host has the run in its memory, open, and will say how it ends. */
  readonly isOpenHere: (run: string) => boolean;
  /** A commit of it may be under way in this host. */
  readonly isCommittingHere: (run: string) => boolean;
  /**
   * Where the run is at hand: takes an event in and applies it in one commit. Undefined, at once or later: the event
   * goes the long way.
   */
  readonly direct: (
    run: string,
  ) => ((event: DirectEvent) => Promise<Appended | undefined> | undefined) | undefined;
  /** Something was appended to this run. */
  readonly appended: (run: string) => void;
}

/**
 * A control plane without a host: needs only the store and the models that its runs pin. Throws `host.option-invalid`.
 */
export function createControl(options: ControlOptions): Control {
  checkControlForms(options);
  const clock = options.clock ?? systemClock;
  const core = {
    store: options.store,
    definitions: new Definitions(options.store, options.models as readonly ExecutionModel[]),
    clock,
    storeClock: new StoreClock(clock),
    poll: checkPoll(options.poll ?? 25),
    watchers: new Watchers(options.store),
    newId: options.newId ?? randomId,
    isOpenHere: () => false,
    isCommittingHere: () => false,
    direct: () => undefined,
    appended: () => undefined,
  };
  return controlOf(core, options.authorize);
}

export function controlOf(core: ControlCore, authorize?: Authorize): Control {
  return controlService(new StorePort(core), authorize === undefined ? {} : { authorize });
}
