import fc from "fast-check";
import { z } from "zod/v4";

/** The part of JSON Schema that the contract's schemas use. */
type Shape = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: Shape | boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

/** Valid values by name of a field, where random values seldom match the schema. */
export type Familiar = Record<string, fc.Arbitrary<unknown>>;

/** Mostly valid values: only a request that passes the schema reaches the code behind it. */
export function arbitraryOf(schema: z.ZodType, familiar: Familiar): fc.Arbitrary<unknown> {
  return ofShape(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Shape, {
    familiar,
  });
}

function ofShape(shape: Shape, at: { familiar: Familiar; name?: string }): fc.Arbitrary<unknown> {
  const known = at.name === undefined ? undefined : at.familiar[at.name];
  if (known && shape.type !== "object") return known;
  if ("const" in shape) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  const choices = shape.anyOf ?? shape.oneOf ?? shape.allOf;
  if (choices) return fc.oneof(...choices.map((choice) => ofShape(choice, at)));
  switch (shape.type) {
    case "object":
      return ofObject(shape, at.familiar);
    case "array":
      return fc.array(ofShape(shape.items ?? {}, at), { maxLength: 4 });
    case "integer":
      return fc.integer({
        min: Math.max(shape.minimum ?? -1, -1_000_000),
        max: Math.min(shape.maximum ?? 1_000, 1_000_000),
      });
    case "number":
      return fc.double();
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return fc.string({
        minLength: Math.min(shape.minLength ?? 0, 20),
        maxLength: Math.min(shape.maxLength ?? 40, 40),
      });
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function ofObject({ properties, required, additionalProperties }: Shape, familiar: Familiar) {
  if (!properties) {
    const values = typeof additionalProperties === "object" ? additionalProperties : {};
    return fc.dictionary(fc.string({ maxLength: 10 }), ofShape(values, { familiar }), {
      maxKeys: 3,
    });
  }
  const fields = Object.entries(properties).map(
    ([name, shape]) => [name, ofShape(shape, { familiar, name })] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: required ?? [] });
}
