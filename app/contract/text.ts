import { z } from "zod/v4";

/** A zero byte, or half of a surrogate pair: not every database can store them. */
const UNKEEPABLE = /\0|\p{Cs}/u;
/** A text longer than this many times its limit is refused before it is tidied. */
const UNTIDIED_FACTOR = 10;
/** Text without any visible character. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** Base of all text fields from outside: every database can store such a text. */
export const text = z.string().refine(isKeepable, named("invalid", "Not a text"));

/**
 * Text of several lines, written by a person. It is trimmed, and line breaks become LF. The length
 * counts code points, so that an emoji counts the same in the browser and on the server.
 */
export const writtenText = (max: number) => written(max, (text) => text.replace(/\r\n?/g, "\n"));

/** Text of one line, written by a person. */
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

/** An English message for API clients, and a code for which the site has its own text. */
function named(code: string, message: string) {
  return { message, params: { code } };
}
