/** Words for tests of operations that outlive their attempts: a provider that counts, and what others append. */
import { type Definition, defineWorkflow } from "@swl/definition";
import type { EventBody } from "@swl/execution/model";
import type {
  CancelAnswer,
  InspectAnswer,
  Operation,
  Provider,
  ProviderAnswer,
} from "@swl/invocation-control";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import type { Store } from "@swl/store-provider";
import { expect } from "vitest";
import { createHost, type Host, type HostOptions } from "../src/index.js";
import { core, until } from "./lab.js";

export type Effect = "idempotent" | "unsafe" | "reconcilable" | "read-only";

export function workflow(effect: Effect, given: object = {}): Definition {
  return defineWorkflow({
    id: "deferred",
    start: "work",
    requires: ["core", "cancellation-acks", "deferred-actions", "reconciliation"],
    actions: {
      work: { effect, outcomes: { ok: {} }, deferred: true, cancellation: "requestable", ...given },
    },
    nodes: {
      work: { kind: "activity", action: "work", routes: { ok: "done" } },
      done: { kind: "complete", output: { $get: ["from", "output"] } },
    },
  } as never) as unknown as Definition;
}

interface Behaviour {
  invoke?(attempt: number): ProviderAnswer | Promise<ProviderAnswer>;
  inspect?(of: Operation): InspectAnswer | Promise<InspectAnswer>;
  cancel?(of: Operation): CancelAnswer | Promise<CancelAnswer>;
}

export const accepted = (handle = "op-1"): ProviderAnswer => ({ kind: "accepted", handle });
export const unknown: ProviderAnswer = { kind: "unknown", reason: "crash" };

let message = 0;
const worlds = new Set<World>();

export async function endWorlds(): Promise<void> {
  await Promise.all([...worlds].map((world) => world.end()));
  worlds.clear();
}

/** The lease of a host that dies or is stopped: another host has what it had soon after. */
export const short = 500;

/** One storage, its hosts, and a count of what their providers are asked. */
export class World {
  readonly #backing = createMemoryBacking();
  readonly #hosts: Host[] = [];
  readonly invoked: number[] = [];
  readonly inspected: Operation[] = [];
  readonly canceled: Operation[] = [];

  constructor() {
    worlds.add(this);
  }

  store(): Store {
    return openMemoryStore({ backing: this.#backing });
  }

  async end(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.close({ drain: 10 })));
  }

  provider(behaviour: Behaviour): Provider {
    const { inspect, cancel } = behaviour;
    return {
      id: "lab",
      has: (action) => action === "work",
      invoke: async ({ attempt }) => {
        this.invoked.push(attempt);
        return behaviour.invoke?.(attempt) ?? accepted();
      },
      ...(inspect && {
        inspect: async (of) => {
          this.inspected.push(of);
          return inspect(of);
        },
      }),
      ...(cancel && {
        cancel: async (of) => {
          this.canceled.push(of);
          return cancel(of);
        },
      }),
    };
  }

  async host(behaviour: Behaviour, given: Partial<HostOptions> = {}): Promise<Host> {
    const options = { models: [core], poll: 10, lease: 60_000, grace: 30, store: this.store() };
    const host = await createHost({ ...options, bindings: this.provider(behaviour), ...given });
    this.#hosts.push(host);
    return host;
  }

  /** What somebody else appends, with no host's help. */
  async append(run: string, body: object): Promise<void> {
    const id = `m${++message}`;
    const at = Date.now();
    const event = { ...body, id, at } as never;
    const [answer] = await this.store().append([
      {
        stream: run,
        commit: `request:${id}`,
        expect: "next",
        stamp: at,
        records: [{ kind: "event", document: { event } }],
        receipts: [{ scope: run, request: id, digest: id }],
      },
    ]);
    expect(answer).toMatchObject({ kind: "accepted" });
  }

  /** The events of a run's log. */
  async typesOf(run: string): Promise<readonly string[]> {
    const records = await this.store().read(run);
    return records.flatMap(({ document }) => {
      const { event } = document as { readonly event?: { readonly type: string } };
      return event === undefined ? [] : [event.type];
    });
  }
}

export const completion = (run: string, handle: string | undefined, output: unknown): EventBody => ({
  type: "completion",
  invocation: `${run}/work#1`,
  ...(handle !== undefined && { handle }),
  messageId: `c${++message}`,
  result: { outcome: "ok", output: output as null },
});

/** Until the run names a blocker with this reason. */
export async function waiting(host: Host, run: string, reason: string): Promise<boolean> {
  return until(async () => {
    const { blockers } = await host.control.why(run);
    return blockers.some((one) => "reason" in one && one.reason === reason);
  });
}
