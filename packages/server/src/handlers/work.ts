/**
 * Remote workers: claims, heartbeats, settlements. A worker's name belongs to the bearer that used it: workers of two
 * tokens never hold each other's claims. Spec: INV-worker-lease, INV-worker-settlement, INV-worker-trips.
 */
import { SwlError } from "@swl/base";
import type { RemoteTask, RemoteWork, WorkClaim, WorkSettlement } from "@swl/invocation-control";
import { type Call, empty, type Handler, json } from "../call.js";
import type { Bodies } from "../contracts/requests.js";

export const workClaim: Handler = async (call) => {
  const { worker, ...claim } = call.body as Bodies["workClaim"];
  return json(200, { tasks: await claimed(call, worker, claim) });
};

export const workHeartbeat: Handler = async (call) => {
  const { worker, ...rest } = call.body as Bodies["workHeartbeat"];
  const { lease } = rest;
  const request = { worker: named(call, worker), tasks: rest.tasks, ...(lease !== undefined && { lease }) };
  return json(200, await port(call).heartbeat(request));
};

/** The settlements first: whatever they free may be in the claim. */
export const workSettle: Handler = async (call) => {
  const { worker, settlements, claim } = call.body as Bodies["workSettle"];
  const settled = await port(call).settle(named(call, worker), settlements as readonly WorkSettlement[]);
  const tasks = claim === undefined ? [] : await claimed(call, worker, claim);
  return json(200, { settled, tasks });
};

export const workHeld: Handler = async (call) => {
  const { worker, lease } = call.body as Bodies["workHeld"];
  return json(200, { tasks: await port(call).held(named(call, worker), lease) });
};

export const workRelease: Handler = async (call) => {
  const { worker, tasks } = call.body as Bodies["workRelease"];
  await port(call).release(named(call, worker), tasks);
  return empty(204);
};

async function claimed(
  call: Call,
  worker: string,
  claim: NonNullable<Bodies["workSettle"]["claim"]>,
): Promise<readonly RemoteTask[]> {
  const work = port(call);
  const request = { ...claim, worker: named(call, worker) } as WorkClaim;
  const tasks = await work.claim(request, { signal: call.gone });
  if (!call.gone.aborted || tasks.length === 0) return tasks;
  // Nobody hears of them: others need not wait until the lease is over.
  await work.release(
    request.worker,
    tasks.map(({ task }) => task),
  );
  return [];
}

function named({ principal }: Call, worker: string): string {
  return `${principal.id}/${worker}`;
}

function port({ core }: Call): RemoteWork {
  if (core.work !== undefined) return core.work;
  throw new SwlError("server.route-unknown", "This server hands out no work.");
}
