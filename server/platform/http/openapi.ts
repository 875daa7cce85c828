import { z } from "zod/v4";
import { errorSchema, type Endpoint } from "../../../app/contract/endpoint";
import { endpoints } from "../../../app/contract/endpoints";
import { sharedJsonAnswer } from "../../whole-body";

type Paths = Record<string, Record<string, unknown>>;

/** Described at the first call and kept: it takes as long as dozens of pages, and anybody may ask for it. */
let described: Paths | undefined;

/** Describes the contract as OpenAPI 3.1, from the schemas that validate the calls. */
export function openApi(siteTitle: string, origin: string) {
  const paths = (described ??= describePaths());
  return {
    openapi: "3.1.0",
    info: { title: siteTitle, version: "1" },
    servers: [{ url: `${origin}/api` }],
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        support: { type: "apiKey", in: "header", name: "Support-Authorization" },
      },
    },
    paths,
  };
}

let written: { title: string; origin: string; bytes: Uint8Array<ArrayBuffer> } | undefined;

/** The description as JSON. The last one is kept and shared: it has some 400 KB, and clients may read slowly. */
export function openApiAnswer(title: string, origin: string): Response {
  if (written?.title !== title || written.origin !== origin) {
    const bytes = new TextEncoder().encode(JSON.stringify(openApi(title, origin)));
    written = { title, origin, bytes };
  }
  return sharedJsonAnswer(written.bytes);
}

function describePaths(): Paths {
  const paths: Paths = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    paths[endpoint.path] ??= {};
    Object.assign(paths[endpoint.path] ?? {}, {
      [endpoint.method.toLowerCase()]: operation(name, endpoint),
    });
  }
  return paths;
}

function operation(operationId: string, { request, answers, errors }: Endpoint) {
  return {
    operationId,
    security: security(request.authorization),
    parameters: [
      ...parameters("path", request.params),
      ...parameters("query", request.query),
      ...parameters("header", request.headers),
    ],
    ...(request.body && { requestBody: { required: true, ...json(request.body, "input") } }),
    responses: Object.fromEntries<object>([
      ...Object.entries(answers).map(([status, schema]) => [status, response(schema)] as const),
      ...errors.map((status) => [String(status), response(errorSchema(status))] as const),
    ]),
  };
}

function security(authorization: Endpoint["request"]["authorization"]) {
  if (authorization === "bearer") return [{ bearer: [] }];
  if (authorization === "support") return [{ support: [] }, { bearer: [] }];
  return [{}, { bearer: [] }];
}

function parameters(place: "path" | "query" | "header", schema: z.ZodType | undefined) {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === "path" || !z.safeParse(field, undefined).success,
    ...(place === "query" && name === "sort" ? { style: "deepObject" } : {}),
    schema: jsonSchema(field, "input"),
  }));
}

function response(schema: z.ZodType | null) {
  return { description: "", ...(schema ? json(schema, "output") : {}) };
}

function json(schema: z.ZodType, io: "input" | "output") {
  return { content: { "application/json": { schema: jsonSchema(schema, io) } } };
}

function jsonSchema(schema: z.core.$ZodType, io: "input" | "output") {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
