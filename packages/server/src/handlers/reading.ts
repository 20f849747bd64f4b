/** The reading operations: what the control service says, as it says it. Spec: INV-http-answers. */
import { isSwlError, SwlError } from "@swl/base";
import type { ListRequest } from "@swl/invocation-control";
import { type Handler, json } from "../call.js";
import { routes } from "../routes.js";
import { version } from "../version.js";

export const list: Handler = async ({ control, query }) =>
  json(200, await control.list(present(query) as ListRequest));

export const status: Handler = async ({ control, parameters, query }) =>
  json(200, await control.status(parameters["run"]!, present(query)));

export const why: Handler = async ({ control, parameters, query }) =>
  json(200, await control.why(parameters["run"]!, present(query)));

export const history: Handler = async ({ control, parameters, query }) =>
  json(200, await control.history(parameters["run"]!, present(query)));

export const path: Handler = async ({ control, parameters }) =>
  json(200, await control.path(parameters["run"]!));

export const definition: Handler = async ({ control, parameters }) =>
  json(200, await control.definition(parameters["run"]!));

export const verify: Handler = async ({ control, parameters, query }) =>
  json(200, await control.verify(parameters["run"]!, present(query)));

/** Not ended within the wait: 202, which says so. */
export const result: Handler = async (call) => {
  const { control, parameters, query, wait } = call;
  try {
    const options = { ...present(query), timeout: wait, ...(wait > 0 && { signal: call.gone }) };
    return json(200, await control.result(parameters["run"]!, options));
  } catch (error) {
    if (isSwlError(error) && error.code === "answer.timeout") return json(202, { status: "pending" });
    throw error;
  }
};

export const published: Handler = async ({ control, parameters }) => {
  const name = parameters["name"]!;
  const publication = await control.published(name);
  if (publication !== undefined) return json(200, publication);
  throw new SwlError("name.not-found", `Nothing is published under the name ${JSON.stringify(name)}.`);
};

/** For who knows the address alone. */
export const index: Handler = async () => {
  const { openapi, health, list, listEvents } = routes;
  const paths = { document: openapi.path, health: health.path, runs: list.path, events: listEvents.path };
  return json(200, { service: "Spore Workflow Language control plane", version, ...paths });
};

export const openapi: Handler = async ({ core }) => json(200, core.document);

export const health: Handler = async () => json(200, { status: "ok" });

/** Members that were not given are absent. */
function present<T extends object>(query: T): T {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as T;
}
