/**
 * Deliberately broken hosts, one for each rule: the real host with one thing wrong in what it is given. Each must be
 * caught by the check of its rule.
 */
import { hostChecks, through } from "@swl/conformance";
import type { Provider } from "@swl/invocation-control";
import type { LogRecord, Store, StreamState } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { brokenClaims } from "./broken-claims.js";
import { hostHarness, type Sabotage } from "./host-harness.js";
import {
  acknowledgesEarly,
  failsOnce,
  forgetful,
  freshCommit,
  items,
  model,
  newestDefinition,
  steps,
  store,
  tallied,
  without,
} from "./sabotage.js";

/** It counts on a lease that the store never gave it, and renews without asking, so that it never hears of its end. */
function neverDoubts(): Sabotage {
  let given = 0;
  return {
    options: (options) => {
      given = options.lease ?? given;
      return { ...options, lease: 600_000 };
    },
    store: (real) =>
      through(real, (name, call, [holder, options]) => {
        const now = Date.now();
        if (name === "renewHolder") return Promise.resolve({ kind: "held", until: now + 600_000, now });
        if (name !== "openHolder") return call();
        return real.openHolder(holder as string, { ...(options as HolderOptions), lease: given });
      }),
  };
}

type HolderOptions = Parameters<Store["openHolder"]>[1];

const broken: { readonly [rule: string]: Sabotage } = {
  "DUR-acknowledged-kept": { store: acknowledgesEarly },
  "DUR-accepted-order": store(async (name, call) => {
    const answer = await call();
    if (name !== "load" || answer === undefined) return answer;
    const state = answer as StreamState;
    const [first, ...waiting] = state.tail as [LogRecord, ...LogRecord[]];
    return { ...state, tail: first.applies ? [first, ...waiting.reverse()] : state.tail };
  }),
  "DUR-lost-answer": items(freshCommit),
  "DUR-start-key": { store: forgetful((scope) => scope === "start") },
  "DUR-receipts": { store: forgetful((scope) => scope !== "start") },
  "DUR-refused-before-acceptance": steps((step) => {
    if ("error" in step || step.effect.kind !== "none") return step;
    return { ...step, effect: { ...step.effect, refuse: false } };
  }),
  "DUR-group-commit": {
    store: (real) => {
      const info = { ...real.info, limits: { ...real.info.limits, itemsPerBatch: 1 } };
      return new Proxy(real, {
        get: (target, name) => {
          const member = Reflect.get(target, name) as unknown;
          if (name === "info") return info;
          return typeof member === "function" ? member.bind(target) : member;
        },
      });
    },
  },
  "DUR-dispatch-after-commit": { store: acknowledgesEarly },
  "DUR-takeover": model((real) => ({
    transition: (prepared, state, event) => {
      if (event.type !== "unknown") return real.transition(prepared, state, event);
      const error = { code: "lost", message: "The host is gone.", details: null };
      const { id, position, at, invocation, attempt } = event;
      return real.transition(prepared, state, {
        id,
        position,
        at,
        invocation,
        attempt,
        type: "failure",
        retryable: true,
        error,
      });
    },
  })),
  "DUR-withdraw": without("withdraw"),
  "DUR-late-answer": store((name, call) => (name === "note" ? Promise.resolve(true) : call())),
  "DUR-pinning": newestDefinition,
  "DUR-recovery": failsOnce(["unapplied", "orphaned", "abandoned"]),
  "DUR-lease": neverDoubts(),
  "DUR-exclusive": store((name, call, given) => {
    if (name === "openHolder") Object.assign(given[1] as object, { exclusive: false });
    return call();
  }),
  "DUR-shared-runs": store(async (name, call) => {
    const answer = await call();
    if (name !== "load" || answer === undefined) return answer;
    const { owner: _nobody, ...state } = answer as StreamState;
    return state;
  }),
  "DUR-wake-ups": store((name, call) => (name === "unapplied" ? Promise.resolve([]) : call())),
  "DUR-drain": { close: (host) => host.close({ drain: 0 }) },
  "DUR-retention": store((name, call) =>
    name === "prune" ? Promise.resolve({ streams: 0, records: 0, blobs: 0, more: false }) : call(),
  ),
  // It serves whatever it meets.
  "DUR-created-runs": {
    options: (options) => {
      const provider = options.bindings as Provider;
      return { ...options, bindings: { ...provider, has: () => true } };
    },
  },
  "DUR-publications": items((item) => {
    const { applies: _waits, ...rest } = item;
    return item.records[0]?.kind === "published" ? rest : item;
  }),
  "DUR-quarantine": items(({ hold: _dropped, ...item }) => item),
  "DUR-concurrency": { options: ({ concurrency: _ignored, ...options }) => options },
  "DUR-accepted": model((real) => ({
    transition: (prepared, state, event) => {
      if (event.type !== "accepted") return real.transition(prepared, state, event);
      const { handle: _lost, ...of } = event;
      const error = { code: "accepted", message: "What is no result is a failure.", details: null };
      return real.transition(prepared, state, { ...of, type: "failure", retryable: true, error });
    },
  })),
  "DUR-completion": { store: forgetful((scope) => scope !== "start") },
  "DUR-inspect": without("inspect"),
  "DUR-cancel-request": without("cancel-invocation"),
  "DUR-terminate": items((item) => {
    const { close: _open, ...rest } = item;
    return item.records[0]?.kind === "terminated" ? rest : item;
  }),
  "DUR-release": store((name, call) => (name === "notes" ? Promise.resolve([]) : call())),
  "DUR-update": steps((step) => {
    if ("error" in step || step.effect.kind !== "none") return step;
    return { ...step, effect: { ...step.effect, refuse: false } };
  }),
};

const ruleChecks = hostChecks.filter(({ mandatory }) => mandatory === undefined);

const tally = tallied("caught by the check of their rule", ruleChecks.length);

describe.concurrent(`a broken host, of ${ruleChecks.length}`, () => {
  it("exists for every check of the chapter", () => {
    const rules = ruleChecks.filter(({ title }) => !(title in brokenClaims)).map(({ rule }) => rule);
    expect(Object.keys(broken).sort()).toEqual(rules.sort());
    expect(ruleChecks).toHaveLength(rules.length + Object.keys(brokenClaims).length);
  });

  for (const check of ruleChecks) {
    it(`is caught: ${check.title} [${check.rule}]`, async () => {
      const sabotage = brokenClaims[check.title] ?? broken[check.rule];
      tally.caught(await check.run(hostHarness("broken", sabotage)));
    });
  }
});
