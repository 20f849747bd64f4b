/** The handler of every route: the compiler sees to it that none is missing. */
import type { Handler } from "../call.js";
import type { Operation } from "../routes.js";
import { type ListFeed, listEvents } from "../streams/list-events.js";
import { runEvents } from "../streams/run-events.js";
import * as changing from "./changing.js";
import * as reading from "./reading.js";
import * as work from "./work.js";

export function handlers(feed: () => ListFeed): { readonly [operation in Operation]: Handler } {
  return {
    start: changing.start,
    list: reading.list,
    status: reading.status,
    result: reading.result,
    history: reading.history,
    why: reading.why,
    path: reading.path,
    definition: reading.definition,
    verify: reading.verify,
    runEvents,
    listEvents: listEvents(feed),
    signal: changing.signal,
    update: changing.update,
    complete: changing.complete,
    callback: changing.callback,
    resolve: changing.resolve,
    cancel: changing.cancel,
    terminate: changing.terminate,
    redrive: changing.redrive,
    release: changing.release,
    bulk: changing.bulk,
    publish: changing.publish,
    published: reading.published,
    workClaim: work.workClaim,
    workHeartbeat: work.workHeartbeat,
    workSettle: work.workSettle,
    workHeld: work.workHeld,
    workRelease: work.workRelease,
    index: reading.index,
    openapi: reading.openapi,
    health: reading.health,
  };
}
