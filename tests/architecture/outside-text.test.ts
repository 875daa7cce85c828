import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import type { Endpoint } from "~/contract/endpoint";
import { endpoints } from "~/contract/endpoints";
import { filesBelow } from "./sources";

const ZERO = ["\0", "a\0b", "12345678\0", "ada@exemple.fr\0", "a\0da@exemple.fr", "2026-01-01\0"];

type Named = [name: string, schema: z.core.$ZodType];

const PARTS = ["params", "query", "headers", "body"] as const;

const requests = Object.entries<Endpoint>(endpoints).flatMap(([name, { request }]) =>
  PARTS.flatMap((part): Named[] => {
    const schema = request[part];
    return schema ? [[`${name} ${part}`, schema]] : [];
  }),
);

const files = [
  ...filesBelow("app/routes", /\/form\.ts$/),
  "app/support/form.ts",
  "app/forms/name.ts",
];

/** PostgreSQL cannot store a zero byte. */
describe("a zero byte is refused", () => {
  it.each(requests)("in %s", (name, schema) => {
    expect(textsOf(name, schema).filter(takesZero)).toEqual([]);
  });

  it.each(files)("in %s", async (file) => {
    const exported = (await import(/* @vite-ignore */ `../../${file}`)) as Record<string, unknown>;
    const forms = Object.entries(exported).filter(
      (entry): entry is Named => entry[1] instanceof z.ZodType,
    );
    expect(forms.length).toBeGreaterThan(0);
    const texts = forms.flatMap(([name, schema]) => textsOf(name, schema));
    expect(texts.filter(takesZero).map(([name]) => name)).toEqual([]);
  });
});

const takesZero = ([, schema]: Named) => ZERO.some((text) => z.safeParse(schema, text).success);

/** The parts of a schema that take a text. A schema with transforms counts as a whole. */
function textsOf(name: string, schema: z.core.$ZodType): Named[] {
  if (schema instanceof z.ZodObject) {
    const shape: Record<string, z.core.$ZodType> = schema.shape;
    return Object.entries(shape).flatMap(([key, field]) => textsOf(`${name}.${key}`, field));
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return textsOf(name, schema.unwrap());
  }
  if (schema instanceof z.ZodArray) return textsOf(`${name}[]`, schema.element);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => textsOf(name, one));
  return [[name, schema]];
}
