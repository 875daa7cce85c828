import { FORM_LIMITS } from "~/contract/limits";

/** Name and value as they were sent, and whether the form holds what no page of ours sends. */
export type PostedEntries = { entries: [name: string, value: string][]; foreign: boolean };

const URL_ENCODED = /^application\/x-www-form-urlencoded(?:$|[\s;])/i;
const AMPERSAND = 0x26;

/**
 * The entries of a posted body. What is bounded is bounded before it is parsed: the parser
 * sees at most so many entries, and what comes after them is left aside. The pages send their forms
 * URL-encoded; of another encoding nothing is read.
 */
export function readEntries(contentType: string | null, body: Buffer): PostedEntries {
  if (body.length === 0) return { entries: [], foreign: false };
  if (!URL_ENCODED.test(contentType ?? "")) return { entries: [], foreign: true };
  const end = endOfEntries(body);
  const sent = new URLSearchParams(body.toString("utf8", 0, end));
  const entries = [...sent].filter(([name]) => name.length <= FORM_LIMITS.nameLength);
  return { entries, foreign: end < body.length || entries.length < sent.size };
}

/**
 * Of the entries those that the form knows, each name once: names such as `a[4294967295]` or
 * `__intent__` mean something to the form library, so that only known ones may reach it.
 */
export function keepKnownFields(
  { entries, foreign }: PostedEntries,
  known: Iterable<string>,
): PostedEntries {
  const missing = new Set(known);
  const kept = entries.filter(([name]) => missing.delete(name));
  return { entries: kept, foreign: foreign || kept.length < entries.length };
}

/** Where the last entry ends that may be read. */
function endOfEntries(body: Buffer): number {
  let end = -1;
  for (let count = 0; count < FORM_LIMITS.entries; count++) {
    end = body.indexOf(AMPERSAND, end + 1);
    if (end === -1) return body.length;
  }
  return end;
}
