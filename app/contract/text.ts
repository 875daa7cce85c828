import { z } from "zod/v4";

/** What no database keeps: a zero byte, half of a surrogate pair. */
const UNKEEPABLE = /\0|\p{Cs}/u;
/** Nothing that anybody would see. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * Written by a person, over several lines: trimmed, lines ended as a browser counts them, and at
 * most so many code points, so that an emoji is as long on every side.
 */
export const writtenText = (max: number) => written(max, (text) => text.replace(/\r\n?/g, "\n"));

/** The same on one line. */
export const writtenLine = (max: number) => written(max, (text) => text.replace(/\s+/g, " "));

function written(max: number, tidy: (text: string) => string) {
  return z
    .string()
    .overwrite((text) => tidy(text).trim())
    .min(1)
    .refine((text) => [...text].length <= max, `At most ${max} characters`)
    .refine((text) => !UNKEEPABLE.test(text), "Not a text")
    .refine((text) => !INVISIBLE.test(text), "Nothing to read");
}
