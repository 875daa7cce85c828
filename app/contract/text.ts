import { z } from "zod/v4";

/** What no database keeps: a zero byte, half of a surrogate pair. */
const UNKEEPABLE = /\0|\p{Cs}/u;
/** Far above the greatest length, blanks and all, a text is not even tidied. */
const UNTIDIED_FACTOR = 10;
/** Nothing that anybody would see. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** Any text that comes from outside: each field is made of it, so that every database keeps it. */
export const text = z.string().refine(isKeepable, named("invalid", "Not a text"));

/**
 * Written by a person, over several lines: trimmed, lines ended as a browser counts them, and at
 * most so many code points, so that an emoji is as long on every side.
 */
export const writtenText = (max: number) => written(max, (text) => text.replace(/\r\n?/g, "\n"));

/** The same on one line. */
export const writtenLine = (max: number) => written(max, (text) => text.replace(/\s+/g, " "));

function written(max: number, tidy: (text: string) => string) {
  const tooLong = named("too_long", `At most ${max} characters`);
  return z
    .string()
    .refine((text) => text.length <= UNTIDIED_FACTOR * max, { ...tooLong, abort: true })
    .overwrite((text) => tidy(text).trim())
    .min(1)
    .refine((text) => [...text].length <= max, tooLong)
    .refine(isKeepable, named("invalid", "Not a text"))
    .refine((text) => !INVISIBLE.test(text), named("missing", "Nothing to read"));
}

function isKeepable(text: string) {
  return !UNKEEPABLE.test(text);
}

/** A fault for those who read, and its code for those who have words of their own. */
function named(code: string, message: string) {
  return { message, params: { code } };
}
