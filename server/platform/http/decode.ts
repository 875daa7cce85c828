import type { z } from "zod/v4";
import type { JsonLimits } from "../../../app/contract/endpoint";
import type { Violation } from "../../../app/contract/errors";
import { BODY_LIMIT_BYTES, QUERY_LIMITS, VIOLATIONS_TOLD } from "../../../app/contract/limits";
import { readBodyUpTo } from "../../../app/contract/read-body.server";
import { Refusal } from "./refusal";

/**
 * `a=1&a=2` becomes a list, `sort[date]=asc` an object: the reverse of the client's encoding.
 * @throws Refusal 400 above the limits
 */
export function decodeQuery(search: URLSearchParams): Record<string, unknown> {
  const query = new Map<string, Value | Map<string, Value>>();
  for (const [key, values] of valuesByName(search)) {
    const value = values.length === 1 && values[0] !== undefined ? values[0] : values;
    const [, name, index] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(key) ?? [];
    if (name === undefined || index === undefined) query.set(key, value);
    else mapAt(query, name).set(index, value);
  }
  const plain = [...query].map(([name, value]): [string, unknown] => [
    name,
    value instanceof Map ? Object.fromEntries(value) : value,
  ]);
  return Object.fromEntries(plain);
}

type Value = string | string[];

function valuesByName(search: URLSearchParams): Map<string, string[]> {
  const { names, values } = QUERY_LIMITS;
  if (search.size > values) throw new Refusal(400, `The query has more than ${values} values`);
  const found = new Map<string, string[]>();
  for (const [name, value] of search) {
    const known = found.get(name);
    if (known) known.push(value);
    else found.set(name, [value]);
  }
  if (found.size > names) throw new Refusal(400, `The query has more than ${names} names`);
  return found;
}

function mapAt(query: Map<string, Value | Map<string, Value>>, name: string) {
  const known = query.get(name);
  if (known instanceof Map) return known;
  const map = new Map<string, Value>();
  query.set(name, map);
  return map;
}

/** @throws Refusal 413 above the limits, 400 when the body is not JSON or has what cannot be kept */
export async function readJson(request: Request, limits: JsonLimits): Promise<unknown> {
  const bytes = await readBody(request, limits.bytes);
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    throw new Refusal(400, "The body must be JSON, with content-type application/json");
  }
  return readJsonText(bytes, limits);
}

/** @throws Refusal 413 above the limits, 400 for what is not JSON or cannot be kept */
export function readJsonText(bytes: Uint8Array, limits: JsonLimits): unknown {
  if (bytes.length > limits.bytes) throw tooLarge(limits.bytes);
  refuseLargeJson(bytes, limits);
  const value = parseJson(bytes);
  refuseUnkept(value);
  return value;
}

const tooLarge = (bytes: number) => new Refusal(413, `The body is larger than ${bytes} bytes`);

/** @throws Refusal 413 above the limit */
export async function readBody(request: Request, limit = BODY_LIMIT_BYTES): Promise<Uint8Array> {
  const body = await readBodyUpTo(limit, request);
  if (!body) throw tooLarge(limit);
  return body;
}

/**
 * @throws Refusal 400 with one violation per invalid property, without its value. When the whole
 *   value has the wrong type, there is only a message.
 */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const whole = result.error.issues.find(
    ({ code, path }) => code === "invalid_type" && !path.length,
  );
  if (whole) throw new Refusal(400, whole.message);
  const { violations, more } = violationsOf(result.error, value);
  const message = more
    ? `Validation failed; these are the first ${VIOLATIONS_TOLD} faults`
    : "Validation failed";
  throw new Refusal(400, message, violations);
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Checks depth and size before parsing, by counting brackets and commas outside strings. */
function refuseLargeJson(bytes: Uint8Array, { depth, values }: JsonLimits) {
  let level = 0;
  let count = 1;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA) count++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      level++;
      count++;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) level--;
    if (level > depth) throw new Refusal(400, `The body is nested more than ${depth} deep`);
    if (count > values) throw new Refusal(413, `The body has more than ${values} values`);
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, "The body is not valid JSON");
  }
}

/**
 * Refuses `__proto__`, because code that copies such an object would set the prototype of the copy, and numbers
 * beyond those of IEEE 754, which would be stored as `null`.
 */
function refuseUnkept(value: unknown) {
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === Infinity || next === -Infinity) {
      throw new Refusal(400, "The body has a number that is too large");
    }
    if (typeof next !== "object" || next === null) continue;
    if (Object.hasOwn(next, "__proto__")) {
      throw new Refusal(400, "The body has a property named __proto__");
    }
    for (const inner of Object.values(next)) open.push(inner);
  }
}

/** Lists the first violations only: a body may have thousands. */
function violationsOf(error: z.ZodError, value: unknown) {
  const found = new Map<string, Violation>();
  for (const issue of error.issues) {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
    const property = [...issue.path, ...keys.slice(0, VIOLATIONS_TOLD)].map(String).join(".");
    const name = property.slice(0, PROPERTY_LENGTH) || "body";
    if (found.has(name)) continue;
    if (found.size === VIOLATIONS_TOLD) return { violations: [...found.values()], more: true };
    const missing = keys.length === 0 && isBlank(issue.path.reduce(ownValue, value));
    const type = missing ? "missing" : "invalid";
    found.set(name, { property: name, message: issue.message.slice(0, MESSAGE_LENGTH), type });
  }
  return { violations: [...found.values()], more: false };
}

/** Limits for names and messages, which may repeat sent data. */
const PROPERTY_LENGTH = 200;
const MESSAGE_LENGTH = 500;

function ownValue(holder: unknown, key: PropertyKey): unknown {
  const isHolder = typeof holder === "object" && holder !== null && Object.hasOwn(holder, key);
  return isHolder ? Reflect.get(holder, key) : undefined;
}

/** True for absent values and for spaces, which a form sends for an empty field. */
function isBlank(given: unknown) {
  return given === undefined || given === null || (typeof given === "string" && !given.trim());
}
