/**
 * The one list of routes: what the server registers, what the OpenAPI document says and what the client calls. Plain
 * data; what goes in and out of each is in contracts.ts. Spec: INV-http-routes.
 */

/** What a bearer may do. `operate` is also needed to see marked values. */
export const scopes = ["read", "start", "signal", "operate", "work"] as const;
export type Scope = (typeof scopes)[number];

export interface Route {
  readonly method: "GET" | "POST";
  /** `:name` is one segment. */
  readonly path: string;
  /** `none`: anybody; `callback`: whoever holds the token in the path. */
  readonly scope: Scope | "none" | "callback";
  readonly summary: string;
  /** Takes `Idempotency-Key`: the request ID. */
  readonly keyed?: true;
  /** Takes `Prefer: wait=N`. */
  readonly waits?: true;
  /** Answers with a stream of server-sent events. */
  readonly stream?: true;
}

const listed = {
  start: {
    method: "POST",
    path: "/runs",
    scope: "start",
    summary: "Start a run of a definition, or of what is published under a name",
    keyed: true,
    waits: true,
  },
  list: { method: "GET", path: "/runs", scope: "read", summary: "List runs, newest first" },
  status: { method: "GET", path: "/runs/:run", scope: "read", summary: "Where a run is" },
  result: {
    method: "GET",
    path: "/runs/:run/result",
    scope: "read",
    summary: "How a run ended, waiting for it when so preferred",
    waits: true,
  },
  history: { method: "GET", path: "/runs/:run/history", scope: "read", summary: "A run's log, oldest first" },
  why: { method: "GET", path: "/runs/:run/why", scope: "read", summary: "What a run waits for, and why" },
  path: { method: "GET", path: "/runs/:run/path", scope: "read", summary: "The edges that a run took" },
  definition: {
    method: "GET",
    path: "/runs/:run/definition",
    scope: "read",
    summary: "The definition that a run pins",
  },
  verify: {
    method: "GET",
    path: "/runs/:run/verification",
    scope: "read",
    summary: "Fold a run's log anew and compare",
  },
  runEvents: {
    method: "GET",
    path: "/runs/:run/events",
    scope: "read",
    summary: "A run's log as it grows, until the run ends",
    stream: true,
  },
  listEvents: {
    method: "GET",
    path: "/events",
    scope: "read",
    summary: "The newest runs as they change",
    stream: true,
  },
  signal: {
    method: "POST",
    path: "/runs/:run/signals",
    scope: "signal",
    summary: "Send a signal to a run",
    keyed: true,
    waits: true,
  },
  update: {
    method: "POST",
    path: "/runs/:run/updates",
    scope: "signal",
    summary: "Send an update, which is applied or refused and never kept",
    keyed: true,
    waits: true,
  },
  complete: {
    method: "POST",
    path: "/runs/:run/completions",
    scope: "signal",
    summary: "Say how an accepted operation ended, by invocation or handle",
    keyed: true,
    waits: true,
  },
  callback: {
    method: "POST",
    path: "/callbacks/:token",
    scope: "callback",
    summary: "Say how the operation ended that a callback token was made for",
    waits: true,
  },
  resolve: {
    method: "POST",
    path: "/runs/:run/resolutions",
    scope: "operate",
    summary: "Decide on a parked invocation",
    keyed: true,
    waits: true,
  },
  cancel: {
    method: "POST",
    path: "/runs/:run/cancel",
    scope: "operate",
    summary: "Cancel a run",
    keyed: true,
    waits: true,
  },
  terminate: {
    method: "POST",
    path: "/runs/:run/terminate",
    scope: "operate",
    summary: "Close a run in the store, whatever it does",
    keyed: true,
  },
  redrive: {
    method: "POST",
    path: "/runs/:run/redrive",
    scope: "operate",
    summary: "A new run from before the activation that failed",
    keyed: true,
    waits: true,
  },
  release: {
    method: "POST",
    path: "/runs/:run/release",
    scope: "operate",
    summary: "Let a quarantined run go on",
    keyed: true,
    waits: true,
  },
  bulk: {
    method: "POST",
    path: "/bulk",
    scope: "operate",
    summary: "One operation on every run that a filter holds for",
    keyed: true,
  },
  publish: {
    method: "POST",
    path: "/publications",
    scope: "operate",
    summary: "Publish a definition under a name",
    keyed: true,
  },
  published: {
    method: "GET",
    path: "/publications/:name",
    scope: "read",
    summary: "What a name stands for now",
  },
  workClaim: {
    method: "POST",
    path: "/work/claim",
    scope: "work",
    summary: "Claim attempts, waiting for them",
  },
  workHeartbeat: {
    method: "POST",
    path: "/work/heartbeat",
    scope: "work",
    summary: "Keep claims; learn which are lost or no longer wanted",
  },
  workSettle: {
    method: "POST",
    path: "/work/settle",
    scope: "work",
    summary: "Settle attempts, and claim the next in the same trip",
  },
  workHeld: {
    method: "POST",
    path: "/work/held",
    scope: "work",
    summary: "What a worker of this name holds: asked after a restart",
  },
  workRelease: {
    method: "POST",
    path: "/work/release",
    scope: "work",
    summary: "Give attempts back that were not begun",
  },
  index: { method: "GET", path: "/", scope: "none", summary: "What this is, and where to go on" },
  openapi: { method: "GET", path: "/openapi.json", scope: "none", summary: "This document" },
  health: { method: "GET", path: "/health", scope: "none", summary: "Whether the server takes requests" },
} as const satisfies { readonly [operation: string]: Route };

export type Operation = keyof typeof listed;

/** A member that a route does not have is absent. */
export const routes: { readonly [operation in Operation]: Route } = listed;

export const operations = Object.keys(listed) as readonly Operation[];

/** The path with its parameters filled in, each one segment whatever is in it. */
export function pathTo(operation: Operation, parameters: { readonly [name: string]: string } = {}): string {
  return routes[operation].path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(Object.hasOwn(parameters, name) ? parameters[name]! : ""),
  );
}
