import { z } from "zod/v4";

export function whole(min: number, max: number, unit = "") {
  return z
    .string()
    .regex(/^\d{1,9}$/, `give a whole number ${unit}from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `give a number ${unit}from ${min} to ${max}`);
}

export function matching(pattern: RegExp, advice: string) {
  return z.string().trim().regex(pattern, advice);
}

export function oneOf<const T extends readonly string[]>(values: T) {
  return z.enum(values, { error: `give ${values.join(" or ")}` });
}

export function path() {
  return matching(/^\/(?:[^/\\\s][^\\\s]*)?$/, "give a path of this site, such as /account");
}

export function list(item: RegExp, advice: string) {
  return z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .refine((items) => items.every((part) => item.test(part)), advice);
}

export function url(protocols: readonly string[], example: string) {
  const advice = `give ${example}`;
  return z
    .string()
    .trim()
    .refine(
      (text) => {
        const parsed = URL.canParse(text) ? new URL(text) : null;
        return parsed !== null && parsed.hostname !== "" && protocols.includes(parsed.protocol);
      },
      { message: advice, abort: true },
    );
}
