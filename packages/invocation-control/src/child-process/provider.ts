/**
 * The provider of actions that are programs: one run of a program an attempt, one JSON document in, one out. A program
 * gets no shell, only the environment that its binding names, and a process group of its own that ends with it.
 * Spec: INV-child-process, INV-child-answer.
 */
import type { Json } from "@swl/base";
import { type ActionSettings, type KindContext, openKind, type ProviderKind } from "../bindings/kind.js";
import type { Environment } from "../bindings/secrets.js";
import { type LogEntry, tell } from "../log-entry.js";
import type {
  CancelAnswer,
  InspectAnswer,
  Invocation,
  Operation,
  Provider,
  ProviderAnswer,
} from "../provider.js";
import { failed } from "../reading/ending.js";
import { readInspection } from "../reading/operation-document.js";
import { keepable } from "../reading/text.js";
import { answerOfProcess } from "./answer.js";
import { type ChildAction, type ChildBinding, environmentFor, readChild } from "./binding.js";
import { type ProcessEnd, runProcess } from "./process.js";

export interface ChildProcessOptions {
  /** Default `child-process`; pinned with the run. */
  readonly id?: string;
  /** Default `process.env`. Only what bindings name is taken of it. */
  readonly environment?: Environment;
  /** Gets the tail of what programs print to standard error; default: nowhere. What it throws is dropped. */
  readonly log?: (entry: LogEntry) => void;
}

/** A provider of programs by action name. Throws `binding.invalid` or `binding.secret-missing` with every finding. */
export function childProcess(
  bindings: { readonly [action: string]: ChildBinding },
  options: ChildProcessOptions = {},
): Provider {
  return openKind(childProcessKind, bindings, { environment: process.env, ...options });
}

/** The kind `child-process` of a bindings document. */
export const childProcessKind: ProviderKind = {
  name: "child-process",
  open(actions: ActionSettings, context: KindContext): Provider | undefined {
    const served = new Map<string, ChildAction>();
    for (const [action, settings] of actions) {
      const child = readChild(settings);
      settings.done();
      if (child !== undefined) served.set(action, child);
    }
    return served.size === actions.size ? new ChildProcessProvider(served, context) : undefined;
  },
};

/** UTF-16 code units of standard error that the log gets. */
const shownTail = 4_096;

class ChildProcessProvider implements Provider {
  readonly id: string;
  readonly #actions: ReadonlyMap<string, ChildAction>;
  readonly #context: KindContext;

  constructor(actions: ReadonlyMap<string, ChildAction>, context: KindContext) {
    this.id = context.id;
    this.#actions = actions;
    this.#context = context;
  }

  has(action: string): boolean {
    return this.#actions.has(action);
  }

  can(action: string): readonly ("accept" | "inspect" | "cancel")[] {
    const binding = this.#actions.get(action);
    return [
      ...(binding?.answer === "document" ? (["accept"] as const) : []),
      ...(binding?.inspect ? (["inspect"] as const) : []),
      ...(binding?.cancel ? (["cancel"] as const) : []),
    ];
  }

  async invoke(
    invocation: Invocation,
    { effect }: { readonly effect: string },
    { signal }: { readonly signal: AbortSignal },
  ): Promise<ProviderAnswer> {
    const { action, input, parameters } = invocation;
    const binding = this.#actions.get(action);
    if (binding === undefined)
      return failed("binding.missing", `no program is bound to action ${action}`, false);
    const stop = stopOf(signal, binding.timeoutMs);
    const document = { ...identityOf(invocation), input, parameters };
    const end = await this.#run(binding, binding.command, invocation, document, stop);
    const answer = answerOfProcess(end, binding, {
      action,
      effect,
      signal: stop,
      secrets: this.#context.secrets,
    });
    return this.#context.secrets.scrubbed(answer);
  }

  async inspect(operation: Operation, { signal }: { readonly signal: AbortSignal }): Promise<InspectAnswer> {
    const binding = this.#actions.get(operation.action);
    if (binding?.inspect === undefined) return { kind: "unknown", message: "its binding says no way to ask" };
    const end = await this.#ask(binding, binding.inspect, operation, signal);
    const answer =
      end.kind === "ended" && end.exit === 0
        ? readInspection({
            bytes: end.stdout,
            maxBytes: binding.maxOutputBytes,
            secrets: this.#context.secrets,
          })
        : unavailable(end);
    return this.#context.secrets.scrubbed(answer);
  }

  /** Exit code 0 says that it was heard. */
  async cancel(operation: Operation, { signal }: { readonly signal: AbortSignal }): Promise<CancelAnswer> {
    const binding = this.#actions.get(operation.action);
    if (binding?.cancel === undefined) return { kind: "unsupported" };
    const end = await this.#ask(binding, binding.cancel, operation, signal);
    return end.kind === "ended" && end.exit === 0 ? { kind: "acknowledged" } : unavailable(end);
  }

  #ask(
    binding: ChildAction,
    command: readonly string[],
    operation: Operation,
    signal: AbortSignal,
  ): Promise<ProcessEnd> {
    const { handle } = operation;
    const document = { ...identityOf(operation), ...(handle !== undefined && { handle }) };
    return this.#run(binding, command, operation, document, stopOf(signal, binding.timeoutMs));
  }

  async #run(
    binding: ChildAction,
    [command = "", ...args]: readonly string[],
    of: Operation,
    document: { readonly [member: string]: Json },
    signal: AbortSignal,
  ): Promise<ProcessEnd> {
    const { cwd, maxOutputBytes, killAfterMs } = binding;
    const { environment: host, secrets, log } = this.#context;
    const end = await runProcess({
      command,
      args,
      cwd,
      environment: environmentFor(binding, host, variablesOf(of)),
      stdin: `${JSON.stringify(document)}\n`,
      maxOutputBytes,
      killAfterMs,
      signal,
    });
    if (end.kind === "ended" && end.stderr !== "") {
      const tail = secrets
        .scrub(end.stderr)
        .slice(-shownTail)
        .replace(/\p{Surrogate}/gu, "\ufffd");
      tell(log, of, "the program wrote to standard error", { stderr: tail });
    }
    return end;
  }
}

function identityOf(of: Operation) {
  const { run, invocation, activation, action, attempt, idempotencyKey } = of;
  return { run, invocation, activation, action, attempt, idempotencyKey };
}

function variablesOf(of: Operation | Invocation) {
  const { run, invocation, action, attempt, idempotencyKey } = of;
  return {
    ...("traceparent" in of && { TRACEPARENT: of.traceparent }),
    SWL_RUN: run,
    SWL_INVOCATION: invocation,
    SWL_ACTION: action,
    SWL_ATTEMPT: String(attempt),
    SWL_IDEMPOTENCY_KEY: idempotencyKey,
  };
}

/** The host's request to stop, or the binding's own, whichever comes first. */
function stopOf(signal: AbortSignal, timeoutMs: number | undefined): AbortSignal {
  return timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

function unavailable(end: ProcessEnd): { readonly kind: "unavailable"; readonly message: string } {
  const how =
    end.kind === "ended" ? `ended with ${end.exit ?? end.signal}` : `could not be started: ${end.errno}`;
  return { kind: "unavailable", message: keepable(`the program that is asked ${how}`) };
}
