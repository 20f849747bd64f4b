/** The worker's side of the protocol: five calls. Spec: INV-worker-trips. */
import { isJsonObject, type JsonObject, SwlError } from "@swl/base";
import type { HeartbeatAnswer, RemoteTask, SettlementAnswer, WorkSettlement } from "@swl/invocation-control";
import { type CallOf, Transport, type TransportOptions } from "../client/transport.js";
import type { Bodies } from "../contracts/requests.js";
import type { Operation } from "../routes.js";

type Claim = Omit<Bodies["workClaim"], "worker">;

export class WorkClient {
  readonly #transport: Transport;
  readonly #worker: string;

  constructor(options: TransportOptions, worker: string) {
    this.#transport = new Transport(options);
    this.#worker = worker;
  }

  async claim(claim: Claim, signal?: AbortSignal): Promise<readonly RemoteTask[]> {
    const { tasks } = await this.#post("workClaim", { worker: this.#worker, ...claim }, signal);
    return tasks as unknown as readonly RemoteTask[];
  }

  async heartbeat(tasks: readonly string[], lease: number): Promise<HeartbeatAnswer> {
    return (await this.#post("workHeartbeat", { worker: this.#worker, tasks: [...tasks], lease })) as never;
  }

  async settle(
    settlements: readonly WorkSettlement[],
    claim?: Claim,
  ): Promise<{ readonly settled: readonly SettlementAnswer[]; readonly tasks: readonly RemoteTask[] }> {
    const body = {
      worker: this.#worker,
      settlements: [...settlements],
      ...(claim !== undefined && { claim }),
    };
    return (await this.#post("workSettle", body as never)) as never;
  }

  async held(lease: number): Promise<readonly RemoteTask[]> {
    const { tasks } = await this.#post("workHeld", { worker: this.#worker, lease });
    return tasks as unknown as readonly RemoteTask[];
  }

  async release(tasks: readonly string[]): Promise<void> {
    await this.#transport.call("workRelease", { body: { worker: this.#worker, tasks: [...tasks] } });
  }

  async #post<O extends Operation>(
    operation: O,
    body: NonNullable<CallOf<O>["body"]>,
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    const { body: answer } = await this.#transport.call(operation, { body, signal } as CallOf<O>);
    if (isJsonObject(answer)) return answer;
    throw new SwlError("client.answer-invalid", "The answer is no object: it is not of this server.");
  }
}
