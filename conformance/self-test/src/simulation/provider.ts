/**
 * The provider that every simulated host binds: what it does stands in the ledger, its calls are the scheduler's. Before
 * it does anything it checks that the host was allowed to call: the intent is in the store. Spec: DUR-dispatch-after-commit.
 */
import type { Invocation, Operation, Provider, ProviderAnswer } from "@swl/invocation-control";
import type { Calls } from "./calls.ts";
import type { Ledger, LedgerCall } from "./ledger.ts";
import type { Life } from "./life.ts";
import type { World } from "./world.ts";

export interface ProviderParts {
  readonly world: World;
  readonly calls: Calls;
  readonly ledger: Ledger;
  readonly life: Life;
  readonly lacking: string | undefined;
  /** Whether the store holds the intent of this attempt, now. */
  readonly intended: (call: Invocation) => Promise<boolean>;
  /** Work that goes on by itself ends some day. */
  readonly began: (handle: string) => void;
}

const visitOf = (activation: string): number => Number(activation.split("#")[1] ?? 1);
/** In milliseconds. */
const takes = 60;

export function simulatedProvider(parts: ProviderParts): Provider {
  const { world, calls, ledger, life } = parts;
  return {
    id: "simulated",
    has: (action) => action !== parts.lacking,
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

const lost: ProviderAnswer = { kind: "unknown", reason: "ack-lost" };
const unwilling: ProviderAnswer = {
  kind: "failed",
  retryable: true,
  error: { code: "busy", message: "Nothing was done.", details: null },
};

function carryOut(parts: ProviderParts, entry: LedgerCall): ProviderAnswer {
  const { world, ledger } = parts;
  const { call } = entry;
  const { invocation, action, activation } = call;
  entry.underWay = false;
  if (world.random.oneIn(16)) {
    entry.unwilling = true;
    return unwilling;
  }
  entry.done = true;
  world.tell(`did ${action} of ${invocation}`);
  if (action.endsWith("_later")) return later(parts, call);
  const again = action.endsWith("_again") && visitOf(activation) < 3;
  const done = { outcome: again ? "again" : "ok", output: `${action} of ${activation}` };
  ledger.done.set(invocation, done);
  return { kind: "completed", ...done };
}

/** Begun once for an invocation, however often it is asked for. */
function later({ ledger, began }: ProviderParts, call: Invocation): ProviderAnswer {
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
