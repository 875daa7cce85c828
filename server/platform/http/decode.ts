import type { z } from "zod/v4";
import { BODY_LIMIT_BYTES } from "../../../app/contract/limits";
import type { Violation } from "../../../app/contract/errors";
import { Refusal } from "./refusal";

/** `a=1&a=2` becomes a list, `sort[date]=asc` an object: the reverse of the client's encoding. */
export function decodeQuery(search: URLSearchParams): Record<string, unknown> {
  const query = Object.create(null) as Record<string, unknown>;
  for (const key of new Set(search.keys())) {
    const values = search.getAll(key);
    const value = values.length > 1 ? values : values[0];
    const map = /^([^[\]]+)\[([^[\]]+)\]$/.exec(key);
    if (!map?.[1] || !map[2]) query[key] = value;
    else query[map[1]] = { ...entries(query[map[1]]), [map[2]]: value };
  }
  return query;
}

/** @throws Refusal 413 above the limit, 400 when the body is no JSON */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBody(request);
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    throw new Refusal(400, "The body must be JSON, with content-type application/json");
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, "The body is not valid JSON");
  }
}

/** @throws Refusal 413 above the limit */
export async function readBody(request: Request): Promise<Uint8Array> {
  const tooLarge = new Refusal(413, `The body is larger than ${BODY_LIMIT_BYTES} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > BODY_LIMIT_BYTES) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!request.body) return new Uint8Array();
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > BODY_LIMIT_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * @throws Refusal 400 with one violation per faulty property, without its value; where the whole is
 * of the wrong kind no property is at fault, and the message says it alone
 */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const whole = result.error.issues.find(
    ({ code, path }) => code === "invalid_type" && !path.length,
  );
  if (whole) throw new Refusal(400, whole.message);
  throw new Refusal(400, "Validation failed", violationsOf(result.error, value));
}

function violationsOf(error: z.ZodError, value: unknown): Violation[] {
  const found = new Map<string, Violation>();
  for (const issue of error.issues) {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
    const property = [...issue.path, ...keys].map(String).join(".") || "body";
    const given = issue.path.reduce<unknown>((at, key) => entries(at)[String(key)], value);
    const missing = keys.length === 0 && isBlank(given);
    if (found.has(property)) continue;
    found.set(property, {
      property,
      message: issue.message,
      type: missing ? "missing" : "invalid",
    });
  }
  return [...found.values()];
}

/** Spaces alone are nothing either: what a form sends for a field that was left empty. */
function isBlank(given: unknown) {
  return given === undefined || given === null || (typeof given === "string" && !given.trim());
}

function entries(value: unknown): Record<string, unknown> {
  return value && typeof value === "object" ? Object.fromEntries(Object.entries(value)) : {};
}
