/**
 * Hosts that take for their own what is not: the real one with one thing wrong, by the title of the check that catches
 * it.
 */

import { through } from "@swl/conformance";
import type { Host } from "@swl/durable-state";
import type { Disposition } from "@swl/execution/model";
import type { Provider } from "@swl/invocation-control";
import type { Answer, Item, StreamState, Work } from "@swl/store-provider";
import type { Sabotage } from "./host-harness.js";
import { model, store } from "./sabotage.js";

/** What has begun is held by nobody, as far as it can see, and it does not ask the store whether that is so. */
const takesBack: Sabotage = (() => {
  const begun = new Set<string>();
  const noting = (real: Provider): Provider => ({
    ...real,
    invoke(call, ...given) {
      begun.add(`${call.invocation}:${call.attempt}`);
      return real.invoke(call, ...given);
    },
  });
  return {
    options: (options) => ({ ...options, bindings: noting(options.bindings as Provider) }),
    store: (real) =>
      through(real, async (name, call, given) => {
        if (name === "append") return real.append((given[0] as readonly Item[]).map(unconditional));
        const answer = await call();
        if (name !== "load" || answer === undefined) return answer;
        const state = answer as StreamState;
        const unseen = ({ holder, ...work }: Work): Work =>
          holder === undefined || begun.has(work.id) ? work : { ...work, holder };
        return { ...state, work: state.work.map(unseen) };
      }),
  };
})();

function unconditional({ require, ...item }: Item): Item {
  const rest = require?.filter(({ kind }) => !kind.startsWith("work-")) ?? [];
  return rest.length > 0 ? { ...item, require: rest } : item;
}

type Adoption = NonNullable<(Disposition & { readonly kind: "parked" })["adopt"]>;

/** Evidence that it was once offered is good for ever. */
const adoptsAgain = model((real) => {
  const offered = new Map<string, Adoption>();
  return {
    disposition(state) {
      const said = real.disposition(state);
      if (said.kind !== "parked") return said;
      if (said.adopt !== undefined) offered.set(said.adopt.invocation, said.adopt);
      const adopt = said.adopt ?? offered.get(said.blockers[0]?.invocation ?? "");
      return { ...said, ...(adopt && { adopt }) };
    },
  };
});

/** Whatever a completion names, it is of the operation that the run waits for. */
const believesHandles: Sabotage = {
  control: (real) =>
    new Proxy(real, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown;
        if (name !== "complete")
          return typeof member === "function" ? (member.bind(target) as unknown) : member;
        return async (...[request, options]: Parameters<typeof real.complete>) => {
          const outstanding = (await real.status(request.run)).view?.outstanding ?? [];
          const handle = outstanding.flatMap((one) => ("handle" in one ? (one.handle ?? []) : []))[0];
          const { invocation: _unread, ...rest } = request;
          return real.complete(handle === undefined ? request : { ...rest, handle }, options);
        };
      },
    }),
};

/** It goes on with everything until its time is over or nothing is left, and only then stops beginning. */
async function servesOn(host: Host, drain: number): Promise<void> {
  const end = performance.now() + drain;
  const isOpen = async () => (await host.control.list()).items.some(({ closed }) => !closed);
  while (performance.now() < end && (await isOpen())) await new Promise((resolve) => setTimeout(resolve, 5));
  await host.close({ drain: 0 });
}

/** A commit that came after the run's end is taken for one that was accepted. */
const goesOn = store(async (name, call, given) => {
  const answers = (await call()) as readonly Answer[];
  if (name !== "append") return answers;
  return answers.map((answer, index): Answer => {
    if (answer.kind !== "refused" || answer.failure.kind !== "closed") return answer;
    const { expect: expected, records } = (given[0] as readonly Item[])[index]!;
    const last = Number(expected) + records.length;
    return { kind: "accepted", first: Number(expected) + 1, last, at: Date.now(), repeated: false };
  });
});

export const brokenClaims: { readonly [title: string]: Sabotage } = {
  "takes back no attempt that somebody has begun": takesBack,
  "adopts the evidence for a parked run once": adoptsAgain,
  "counts a completion for the run that its operation is of": believesHandles,
  "leaves what it brings about while it is closed to others": { close: servesOn },
  "begins nothing more of a run that was closed behind its back": goesOn,
};
