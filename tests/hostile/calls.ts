import fc from "fast-check";
import type { z } from "zod/v4";
import type { Endpoint } from "~/contract/endpoint";
import { endpoints } from "~/contract/endpoints";
import { familiar, uidsBelow } from "./familiar";
import { arbitraryOf } from "./from-schema";
import { changed, pairChangesOf, pairsOf } from "./pairs";
import { encodePairs, encodePart, type Pairs, type Sender, type SentRequest } from "./request";
import { CONTROL_NAMES, hostileQuery, hostileValue } from "./values";

/** Calls that end the sender's session or account when they succeed. */
const ENDING = ["deleteUser", "endSessions", "endSession", "changePassword", "confirmEmailChange"];

/** A request to any endpoint of the contract, generated from its schemas. */
export const callRequest: fc.Arbitrary<SentRequest> = fc.oneof(
  ...Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ofEndpoint(name, endpoint)),
);

function ofEndpoint(name: string, endpoint: Endpoint): fc.Arbitrary<SentRequest> {
  const { method, path, request } = endpoint;
  const whole = fc.record({
    sender: senderOf(name),
    path: pathOf(path, request.params),
    query: fc
      .tuple(queryOf(request.query), pairChangesOf(hostileQuery))
      .map(([pairs, list]) => changed(pairs, list)),
    headers: headersOf(request.headers),
    body: request.body ? bodyOf(request.body) : fc.constant(""),
  });
  return whole.map(({ sender, path, query, headers, body }) => ({
    kind: "request",
    target: `${method} /api${endpoint.path}`,
    sender,
    method,
    path: `/api${path}${query.length ? `?${encodePairs(query)}` : ""}`,
    headers: {
      ...(request.body && { "content-type": "application/json" }),
      ...headers,
    },
    body,
    encoding: "utf8",
  }));
}

function senderOf(name: string): fc.Arbitrary<Sender> {
  return ENDING.includes(name)
    ? fc.constantFrom("nobody", "leaver")
    : fc.constantFrom("nobody", "vip", "vip", "coach");
}

function pathOf(path: string, params: z.ZodObject | undefined): fc.Arbitrary<string> {
  const values = Object.entries<z.ZodType>(params?.shape ?? {}).map(([name, schema]) => {
    const below = name === "uid" && uidsBelow.find(([start]) => path.startsWith(start))?.[1];
    const usual = below ? below : arbitraryOf(schema, { session: familiar.session ?? fc.uuid() });
    const value = fc.oneof({ weight: 7, arbitrary: usual.map(String) }, hostileQuery);
    return value.map((text) => [`{${name}}`, encodePart(text)] as const);
  });
  return fc
    .tuple(...values)
    .map((filled) => filled.reduce((whole, [name, value]) => whole.replace(name, value), path));
}

function queryOf(schema: z.ZodType | undefined): fc.Arbitrary<Pairs> {
  return schema ? arbitraryOf(schema, familiar).map(pairsOf) : fc.constant([]);
}

function headersOf(schema: z.ZodObject | undefined): fc.Arbitrary<Record<string, string>> {
  if (!schema) return fc.constant({});
  return arbitraryOf(schema, familiar).map((headers) =>
    Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])),
  );
}

/** A valid body with up to three faults put in. */
function bodyOf(schema: z.ZodType): fc.Arbitrary<string> {
  const faults = fc.array(
    fc.record(
      { at: fc.nat(40), name: fc.constantFrom(...CONTROL_NAMES), value: hostileValue },
      { requiredKeys: ["at", "value"] },
    ),
    { maxLength: 3, size: "xsmall" },
  );
  const twice = fc.option(fc.tuple(fc.constantFrom(...CONTROL_NAMES), hostileValue), { freq: 8 });
  return fc.tuple(arbitraryOf(schema, familiar), faults, twice).map(([value, list, again]) => {
    const faulty = list.reduce(
      (whole, { at, name, value }) => spoil(whole, at, value, name),
      value,
    );
    const text = JSON.stringify(faulty) ?? "null";
    // Added to the text, because an object can neither repeat a key nor have its own `__proto__`.
    if (!again || !text.startsWith("{")) return text;
    const pair = `${JSON.stringify(again[0])}:${JSON.stringify(again[1])}`;
    return text === "{}" ? `{${pair}}` : `${text.slice(0, -1)},${pair},${text.slice(1)}`;
  });
}

/** Replaces one value of a body, or adds the value under the given name. */
function spoil(whole: unknown, at: number, value: unknown, name?: string): unknown {
  if (typeof whole !== "object" || whole === null) return value;
  const entries = Object.entries(whole);
  if (name !== undefined) return Object.fromEntries([...entries, [name, value]]);
  const entry = entries[at % Math.max(entries.length, 1)];
  if (!entry || Array.isArray(whole)) return value;
  const [key, inner] = entry;
  const deeper = typeof inner === "object" && inner !== null && at > entries.length;
  const put: unknown = deeper ? spoil(inner, at - entries.length, value) : value;
  return { ...whole, [key]: put };
}
