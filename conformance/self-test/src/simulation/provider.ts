/**
 * The provider that every simulated host binds: what it does stands in the ledger, its calls are the scheduler's. Before
 * it does anything it checks that the host was allowed to call: the intent is in the store. Spec: DUR-dispatch-after-commit.
 */
import type { Invocation, Operation, Provider, ProviderAnswer } from "@swl/invocation-control";
import type { Calls } from "./calls.ts";
import type { Ledger, LedgerCall } from "./ledger.ts";
import type { Life } from "./life.ts";
import type { World } from "./world.ts";

/** What is done, wherever it is done. */
export interface Doing {
  readonly world: World;
  readonly ledger: Ledger;
  /** Milliseconds since the beginning: before it what fails, fails. */
  readonly repaired: number;
  /** Work that goes on by itself ends some day. */
  readonly began: (handle: string) => void;
}

export interface ProviderParts extends Doing {
  readonly calls: Calls;
  readonly life: Life;
  readonly lacking: string | undefined;
  /** Whether the store holds the intent of this attempt, now. */
  readonly intended: (call: Invocation) => Promise<boolean>;
}

const visitOf = (activation: string): number => Number(activation.split("#")[1] ?? 1);
/** In milliseconds. */
export const takes = 60;

/** What workers pull. */
export const farActions = ["unsafe_far", "work_far", "pure_far", "readonly_far"];

export function simulatedProvider(parts: ProviderParts): Provider {
  const { world, calls, ledger, life } = parts;
  return {
    id: "simulated",
    has: (action) => action !== parts.lacking && !farActions.includes(action),
    can: () => ["accept", "inspect", "cancel"],
    async invoke(call) {
      if (!(await parts.intended(call)))
        world.wrong(
          `dispatch: ${call.invocation} attempt ${call.attempt} began without its intent in the store`,
        );
      if (life.dead) return new Promise(() => undefined);
      const entry = ledger.begin(call, life.name);
      const answer = await calls.make(life, {
        name: "invoke",
        takes,
        perform: async () => carryOut(parts, entry),
        failed(carriedOut) {
          entry.underWay = false;
          entry.unwilling = !carriedOut;
          return { answer: carriedOut ? lost : unwilling };
        },
      });
      entry.answers += 1;
      return answer as ProviderAnswer;
    },
    async inspect(operation) {
      return (await calls.make(life, {
        name: "inspect",
        takes,
        perform: async () => found(ledger, operation),
        failed: () => ({ answer: { kind: "unavailable" } }),
      })) as Awaited<ReturnType<NonNullable<Provider["inspect"]>>>;
    },
    async cancel(operation) {
      return (await calls.make(life, {
        name: "cancel",
        takes,
        perform: async () => {
          const work = ledger.operations.get(operation.handle ?? "");
          if (work !== undefined) work.stopped = true;
          return { kind: "acknowledged" };
        },
        failed: () => ({ answer: { kind: "unavailable" } }),
      })) as Awaited<ReturnType<NonNullable<Provider["cancel"]>>>;
    },
  };
}

export const lost: ProviderAnswer = { kind: "unknown", reason: "ack-lost" };
export const unwilling: ProviderAnswer = {
  kind: "failed",
  retryable: true,
  error: { code: "busy", message: "Nothing was done.", details: null },
};

const broken: ProviderAnswer = {
  kind: "failed",
  retryable: false,
  error: { code: "broken", message: "It does not work yet.", details: null },
};

export function carryOut(parts: Doing, entry: LedgerCall): ProviderAnswer {
  const { world, ledger } = parts;
  const { call } = entry;
  const { invocation, action, activation } = call;
  entry.underWay = false;
  if (world.random.oneIn(16)) {
    entry.unwilling = true;
    return unwilling;
  }
  if (action.endsWith("_fails") && world.elapsed < parts.repaired) return broken;
  entry.done = true;
  world.tell(`did ${action} of ${invocation}`);
  if (action.endsWith("_later")) return later(parts, call);
  const again = action.endsWith("_again") && visitOf(activation) < 3;
  const done = { outcome: again ? "again" : "ok", output: `${action} of ${activation}` };
  ledger.done.set(invocation, done);
  return { kind: "completed", ...done };
}

/** Begun once for an invocation, however often it is asked for. */
function later({ ledger, began }: Doing, call: Invocation): ProviderAnswer {
  const handle = call.invocation;
  const done = ledger.done.get(handle);
  if (done !== undefined) return { kind: "completed", ...done };
  if (!ledger.operations.has(handle)) {
    ledger.operations.set(handle, { call, stopped: false, over: false });
    began(handle);
  }
  return { kind: "accepted", handle };
}

function found(
  ledger: Ledger,
  { invocation }: Operation,
): Awaited<ReturnType<NonNullable<Provider["inspect"]>>> {
  const done = ledger.done.get(invocation);
  if (done !== undefined) return { kind: "completed", ...done };
  return ledger.isUnderWay(invocation) ? { kind: "running" } : { kind: "not-found" };
}
