import fc from "fast-check";
import { z } from "zod/v4";

/** Of a JSON schema, what the contract's schemas become. */
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

/** Values that pass by the name of their field, where a schema alone would seldom find one. */
export type Familiar = Record<string, fc.Arbitrary<unknown>>;

/** Mostly what the schema takes: a request must get past it to reach what lies behind. */
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
