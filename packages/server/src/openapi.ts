/**
 * The OpenAPI 3.1 document, made of the list of routes and the schemas that check requests: there is no second list.
 * Spec: INV-http-openapi.
 */
import { codes } from "@swl/base";
import { z } from "zod";
import { answers, problem } from "./contracts/answers.js";
import { bodies, queries } from "./contracts/requests.js";
import { statusCodes } from "./problem.js";
import { type Operation, operations, routes } from "./routes.js";
import { version } from "./version.js";

type Part = { readonly [member: string]: unknown };

/** The document as data; the same every time. */
export function openApi(): Part {
  const paths: { [path: string]: { [method: string]: Part } } = {};
  for (const operation of operations) {
    const { method, path } = routes[operation];
    const template = path.replace(/:(\w+)/g, "{$1}");
    paths[template] = { ...paths[template], [method.toLowerCase()]: operationOf(operation) };
  }
  return {
    openapi: "3.1.0",
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: {
      title: "Spore Workflow Language control plane",
      version,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: components(),
      responses: { Problem: problemAnswer() },
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    },
  };
}

function operationOf(operation: Operation): Part {
  const { path, scope, summary, keyed, waits, stream } = routes[operation];
  const body = member(bodies, operation);
  return {
    operationId: operation,
    summary,
    ...(scope !== "none" && scope !== "callback" && { description: `Needs the scope \`${scope}\`.` }),
    security: scope === "none" || scope === "callback" ? [] : [{ bearer: [] }],
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
        name,
        in: "path",
        required: true,
        schema: { type: "string", minLength: 1 },
      })),
      ...queryParameters(operation),
      ...(keyed
        ? [header("Idempotency-Key", "The request ID: the same ID with the same content is the same request")]
        : []),
      ...(waits ? [header("Prefer", "`wait=N`: seconds to wait, at most 60")] : []),
      ...(stream ? [header("Last-Event-ID", "Where a reader that comes back was")] : []),
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: schemaOf(body, "input") } } },
    }),
    responses: responsesOf(operation),
  };
}

function responsesOf(operation: Operation): Part {
  const { stream } = routes[operation];
  const responses: { [status: string]: Part } = {};
  for (const [status, schema] of Object.entries(
    answers[operation] as { [status: string]: z.ZodType | undefined },
  )) {
    const type = stream ? "text/event-stream" : "application/json";
    responses[status] = {
      description: stream ? "Server-sent events; `data` is JSON of this form" : (said[status] ?? "Done"),
      ...(schema !== undefined && { content: { [type]: { schema: schemaOf(schema, "output") } } }),
    };
  }
  return { ...responses, default: { $ref: "#/components/responses/Problem" } };
}

const said: { readonly [status: string]: string } = {
  200: "As asked",
  201: "The run exists",
  202: "Durably accepted, and not over yet",
  204: "Nothing to say",
};

function problemAnswer(): Part {
  const table = statusCodes.map(([code, status]) => `${status} \`${code}\``).join(", ");
  return {
    description: `Refused. By status: ${table}; 400 \`json.*\`; 409 any other code.`,
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
}

function queryParameters(operation: Operation): readonly Part[] {
  const query = member(queries, operation);
  if (query === undefined) return [];
  const { properties = {} } = schemaOf(query, "input") as { properties?: { [name: string]: Part } };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", required: false, schema }));
}

function header(name: string, description: string): Part {
  return { name, in: "header", required: false, description, schema: { type: "string" } };
}

const reference = (id: string): string => `#/components/schemas/${id}`;

function schemaOf(schema: z.ZodType, io: "input" | "output"): Part {
  const made = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    unrepresentable: "any",
    io,
    override: ({ jsonSchema }) => {
      delete jsonSchema["~standard" as keyof typeof jsonSchema];
    },
  }) as { [member: string]: unknown };
  const { $schema: _, $defs: __, ...rest } = made;
  return relinked(rest) as Part;
}

/** Named schemas stand once, under `components`. */
function components(): Part {
  const found: { [id: string]: unknown } = { Code: { enum: [...codes] } };
  const all = [...Object.values(answers).flatMap((byStatus) => Object.values(byStatus)), problem];
  for (const schema of all) {
    if (schema === undefined) continue;
    const made = z.toJSONSchema(schema as z.ZodType, { unrepresentable: "any", io: "output" });
    for (const [id, definition] of Object.entries(made.$defs ?? {})) found[id] = relinked(bare(definition));
    const { id } = (schema as z.ZodType).meta() ?? {};
    if (id !== undefined) {
      const { $schema: _, $defs: __, ...rest } = made;
      found[id] = relinked(bare(rest));
    }
  }
  return Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function bare(schema: object): object {
  const { id: _, ...rest } = schema as { readonly id?: unknown };
  return rest;
}

function relinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relinked);
  if (typeof value !== "object" || value === null) return value;
  const link = (value as { readonly $ref?: unknown }).$ref;
  const id = (value as { readonly id?: unknown }).id;
  if (typeof link === "string" && link.startsWith("#/$defs/"))
    return { $ref: reference(link.slice("#/$defs/".length)) };
  if (typeof id === "string" && Object.keys(value).length > 1) return { $ref: reference(id) };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, relinked(member)]));
}

function member<T extends object>(table: T, operation: string): z.ZodType | undefined {
  return Object.hasOwn(table, operation) ? (table[operation as keyof T] as z.ZodType) : undefined;
}
