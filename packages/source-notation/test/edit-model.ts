/** What a graph says, as plain data, and what an operation does to that: to compare edited texts with. */
import type { DotDocument, EditOperation } from "../src/index.js";

type Attributes = { [name: string]: string };

export interface Model {
  readonly graph: Attributes;
  readonly nodes: { [id: string]: Attributes };
  readonly routes: { [from: string]: { [outcome: string]: { to: string; attributes: Attributes } } };
}

/** Of what is said several times the last one counts. */
export function modelOf({ statements }: DotDocument): Model {
  const model: Model = { graph: {}, nodes: {}, routes: {} };
  for (const statement of statements) {
    if (statement.type === "assignment") model.graph[statement.name.text] = statement.value.text;
    else {
      const said = Object.fromEntries(statement.attributes.map(({ name, value }) => [name.text, value.text]));
      if (statement.type === "node")
        model.nodes[statement.id.text] = { ...model.nodes[statement.id.text], ...said };
      else if (statement.type === "defaults") {
        if (statement.of === "graph") Object.assign(model.graph, said);
      } else {
        const { on = "ok", ...attributes } = said;
        statement.ids.slice(1).forEach(({ text: to }, index) => {
          const from = statement.ids[index]!.text;
          model.routes[from] = { ...model.routes[from], [on]: { to, attributes: { ...attributes } } };
        });
      }
    }
  }
  return model;
}

/** The model with the operation done; undefined when it cannot be. */
export function applied(before: Model, operation: EditOperation): Model | undefined {
  const model: Model = structuredClone(before);
  return change(model, operation) ? model : undefined;
}

const ends = (node: Attributes | undefined): boolean =>
  node?.["kind"] === "complete" || node?.["kind"] === "fail";

function change(model: Model, operation: EditOperation): boolean {
  const { graph, nodes, routes } = model;
  switch (operation.op) {
    case "rename-node": {
      const { node, to } = operation;
      if (!nodes[node] || (to !== node && nodes[to]) || !/^[A-Za-z_][\w-]*$/.test(to)) return false;
      const all = JSON.parse(
        JSON.stringify({ nodes, routes, start: graph["start"] }),
        (key, value: unknown) =>
          typeof value === "object" && value !== null && !Array.isArray(value)
            ? Object.fromEntries(
                Object.entries(value).map(([name, inner]) => [name === node ? to : name, inner]),
              )
            : (key === "to" || key === "start") && value === node
              ? to
              : value,
      ) as Model & { start: string };
      Object.assign(model, { nodes: all.nodes, routes: all.routes, graph: { ...graph, start: all.start } });
      return true;
    }
    case "add-node": {
      if (nodes[operation.node] || !/^[A-Za-z_][\w-]*$/.test(operation.node)) return false;
      const kind =
        operation.kind === undefined || operation.kind === "activity" ? {} : { kind: operation.kind };
      nodes[operation.node] = { ...kind, ...operation.attributes };
      return true;
    }
    case "remove-node": {
      const { node } = operation;
      const entered = Object.entries(routes).some(
        ([from, some]) => from !== node && Object.values(some).some(({ to }) => to === node),
      );
      if (!nodes[node] || graph["start"] === node || entered) return false;
      delete nodes[node];
      delete routes[node];
      return true;
    }
    case "add-route": {
      const { from, outcome = "ok", to, attributes = {} } = operation;
      if (!nodes[from] || !nodes[to] || ends(nodes[from]) || routes[from]?.[outcome]) return false;
      routes[from] = { ...routes[from], [outcome]: { to, attributes } };
      return true;
    }
    case "retarget-route": {
      const route = routes[operation.from]?.[operation.outcome ?? "ok"];
      if (!route || !nodes[operation.to]) return false;
      route.to = operation.to;
      return true;
    }
    case "remove-route": {
      const { from, outcome = "ok" } = operation;
      if (!routes[from]?.[outcome]) return false;
      delete routes[from][outcome];
      if (Object.keys(routes[from]).length === 0) delete routes[from];
      return true;
    }
    default:
      return changeAttribute(model, operation);
  }
}

function changeAttribute(
  { graph, nodes, routes }: Model,
  operation: Extract<EditOperation, { op: "set-attribute" | "remove-attribute" }>,
): boolean {
  const { of, name } = operation;
  const value = operation.op === "set-attribute" ? operation.value : undefined;
  if ("from" in of) {
    const some = routes[of.from];
    const outcome = of.outcome ?? "ok";
    const route = some?.[outcome];
    if (!some || !route) return false;
    if (name !== "on") return assign(route.attributes, name, value);
    if (value === undefined && outcome === "ok") return false;
    const next = value ?? "ok";
    if (next !== outcome && some[next]) return false;
    delete some[outcome];
    some[next] = route;
    return true;
  }
  if ("graph" in of) return assign(graph, name, value) && nodes[graph["start"] ?? ""] !== undefined;
  const node = nodes[of.node];
  return node !== undefined && assign(node, name, value) && !(ends(node) && routes[of.node]);
}

function assign(attributes: Attributes, name: string, value: string | undefined): boolean {
  if (value === undefined && !Object.hasOwn(attributes, name)) return false;
  if (value === undefined) delete attributes[name];
  else attributes[name] = value;
  return true;
}
