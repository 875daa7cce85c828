import { FORM_LIMITS } from "~/contract/limits";

/** The posted entries. `foreign`: the form holds something that no page of this site sends. */
export type PostedEntries = { entries: [name: string, value: string][]; foreign: boolean };

const URL_ENCODED = /^application\/x-www-form-urlencoded(?:$|[\s;])/i;
const AMPERSAND = 0x26;

/**
 * The entries of a posted body. The body is cut before it is parsed: the parser sees at most
 * `FORM_LIMITS.entries` entries. Only URL-encoded bodies are read, because the pages send no others.
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
 * Keeps the entries whose names the form knows, each name once. Unknown names must not reach the form
 * library: it interprets names such as `a[4294967295]` and `__intent__`.
 */
export function keepKnownFields(
  { entries, foreign }: PostedEntries,
  known: Iterable<string>,
): PostedEntries {
  const missing = new Set(known);
  const kept = entries.filter(([name]) => missing.delete(name));
  return { entries: kept, foreign: foreign || kept.length < entries.length };
}

/** End of the last entry within the limit. */
function endOfEntries(body: Buffer): number {
  let end = -1;
  for (let count = 0; count < FORM_LIMITS.entries; count++) {
    end = body.indexOf(AMPERSAND, end + 1);
    if (end === -1) return body.length;
  }
  return end;
}
