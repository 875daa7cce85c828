import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { RequestValidationError } from "~/api/errors";
import { prepare } from "~/api/prepare";
import type { Endpoint } from "~/contract/endpoint";
import { endpoints, type EndpointName } from "~/contract/endpoints";

const ALL = Object.entries<Endpoint>(endpoints) as [EndpointName, Endpoint][];
const PARTS = ["params", "query", "headers", "body"] as const;

/** Other programs keep fields of their own here. */
const OPEN = ["setMetadata body", "setMetadata body.profile"];

/** Each field of the contract accepts one of these. */
const VALUES = [
  "new",
  "Ada",
  "ada@exemple.fr",
  "abcdef-0123456789",
  "a".repeat(64),
  "4242424242424242",
  "123",
  "10",
  "2027-01-05",
  1,
  2030,
  true,
];

/** A value that fits a schema, with all fields that it knows. */
function wholeValue(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return wholeValue(schema.unwrap());
  }
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodArray) return [wholeValue(schema.element)];
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.core.$ZodType>(schema.shape);
    return Object.fromEntries(fields.map(([name, field]) => [name, wholeValue(field)]));
  }
  const fit = VALUES.find((value) => z.safeParse(schema, value).success);
  if (fit === undefined) throw new Error(`No value fits a ${schema._zod.def.type}`);
  return fit;
}

function wholeInput({ request }: Endpoint): Record<string, unknown> {
  const known = PARTS.flatMap((part) => {
    const schema = request[part];
    return schema ? [[part, wholeValue(schema)] as const] : [];
  });
  return Object.fromEntries(known);
}

/** The value once for each object in it, with a field more there. */
function withOneMore(value: unknown, at: string): { at: string; value: unknown }[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, part]) =>
    withOneMore(part, `${at}.${key}`).map((more) => ({
      at: more.at,
      value: { ...value, [key]: more.value },
    })),
  );
  return Array.isArray(value) ? inner : [{ at, value: { ...value, unknown: "x" } }, ...inner];
}

describe("a field that the contract does not know", () => {
  it.each(ALL)("is refused before %s is sent", (name, endpoint) => {
    const input = wholeInput(endpoint);
    expect(() => prepare(name, input, {})).not.toThrow();
    for (const part of PARTS) {
      for (const { at, value } of withOneMore(input[part] ?? {}, part)) {
        const call = () => prepare(name, { ...input, [part]: value }, {});
        if (OPEN.includes(`${name} ${at}`)) expect(call, at).not.toThrow();
        else expect(call, at).toThrow(RequestValidationError);
      }
    }
  });

  it("is named with its place", () => {
    const input = wholeInput(endpoints.pay);
    const [, inner] = withOneMore(input["body"], "body");
    const call = () => prepare("pay", { ...input, body: inner?.value }, {});
    expect(call).toThrow(/ at body\.creditCard\.unknown$/);
  });
});
