/**
 * Deliberately broken control planes, one for each rule: the real one with one thing wrong. Each must be caught by the
 * check of its rule.
 */
import { controlChecks } from "@swl/conformance";
import type { ChangingOperation, ControlService } from "@swl/invocation-control";
import { describe, expect, it } from "vitest";
import { hostHarness } from "./host-harness.js";
import { tallied } from "./sabotage.js";

/** The real one with some operations replaced. */
function control(
  change: (real: ControlService) => Partial<ControlService>,
): (real: ControlService) => ControlService {
  return (real) => {
    const changed = change(real);
    return new Proxy(real, {
      get(target, name) {
        const member = (Reflect.get(changed, name) ?? Reflect.get(target, name)) as unknown;
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
  };
}

const verbs: readonly ChangingOperation[] = [
  ...(["publish", "start", "signal", "update", "complete", "resolve"] as const),
  ...(["cancel", "terminate", "redrive", "release"] as const),
];

/** Asked what the operation would do it does it. */
function doing(verb: ChangingOperation): (real: ControlService) => ControlService {
  return control((real) => ({
    dryRun: async (operation, request) => {
      const dry = await real.dryRun(operation, request);
      const act = real[verb].bind(real) as (given: unknown) => Promise<unknown>;
      if (operation === verb) await act(request);
      return dry;
    },
  }));
}

let unique = 0;

const broken: { readonly [rule: string]: (real: ControlService) => ControlService } = {
  // A repeated request is a new one to it.
  "INV-operations": control((real) => ({
    redrive: (request, options) =>
      real.redrive({ ...request, requestId: `${request.requestId}.${++unique}` }, options),
  })),
  // It takes the revision that a name first had.
  "INV-publish": control((real) => {
    const first = new Map<string, Parameters<ControlService["publish"]>[0]["definition"]>();
    return {
      publish: (request) => {
        const name = request.name ?? "";
        if (!first.has(name)) first.set(name, request.definition);
        return real.publish({ ...request, definition: first.get(name) ?? request.definition });
      },
    };
  }),
  // It leaves the input out.
  "INV-start": control((real) => ({
    start: ({ input: _lost, ...request }, options) => real.start(request, options),
  })),
  // It starts anew instead.
  "INV-redrive": control((real) => ({
    redrive: async ({ run, requestId }, options) => {
      const definition = await real.definition(run);
      return real.start({ definition, input: "in", startKey: requestId }, options);
    },
  })),
  // It does not look first.
  "INV-bulk": control((real) => ({ bulk: (request) => real.bulk({ ...request, apply: true }) })),
  "INV-dry-run": doing("cancel"),
  // It names no verb.
  "INV-why": control((real) => ({
    why: async (run) => {
      const said = await real.why(run);
      return { ...said, blockers: said.blockers.map((blocker) => ({ ...blocker, options: [] })) };
    },
  })),
  // It believes what is stored.
  "INV-verify": control((real) => ({
    verify: async (run, options) => ({ ...(await real.verify(run, options)), differing: [] }),
  })),
  // It asks nobody.
  "INV-authorization": control((real) => ({ as: () => real })),
  // It shows everything to everybody.
  "INV-masking": control((real) => ({
    status: (run) => real.status(run, { reveal: true }),
    result: (run, options) => real.result(run, { ...options, reveal: true }),
  })),
};

const tally = tallied(
  "caught by the check of their rule",
  Object.keys(broken).length,
  "broken control planes",
);

describe.concurrent(`a broken control plane, of ${Object.keys(broken).length}`, () => {
  for (const check of controlChecks) {
    const sabotage = broken[check.rule];
    if (sabotage === undefined) continue;
    it(`is caught: ${check.title} [${check.rule}]`, async () => {
      tally.caught(await check.run(hostHarness("broken", { control: sabotage })));
    });
  }

  it.each(verbs)("is caught when a dry run does what it is asked about: %s [INV-dry-run]", async (verb) => {
    const check = controlChecks.find(({ rule }) => rule === "INV-dry-run")!;
    const problems = await check.run(hostHarness("broken", { control: doing(verb) }));
    expect(problems).toContain("something was written");
  });

  it("exists for every rule of the control plane", () => {
    // The last two are about what hosts tell providers and senders: control.test.ts breaks the host for them.
    expect(Object.keys(broken).sort()).toEqual(
      controlChecks
        .map(({ rule }) => rule)
        .slice(0, -2)
        .sort(),
    );
  });
});
