import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Database } from "../../database/tables";
import { blocksOf } from "./plain-text";
import { isFoundBy, type Term } from "./query";
import { wordsIn } from "./stems";

/** Signs of an excerpt. */
const LENGTH = 200;
/** Signs before the first found word. */
const BEFORE = 60;

/** Parts of a text in turn: not found, found, not found … */
export type Excerpt = string[];

/**
 * An excerpt of each article in which terms stand, with the words found, made of what the reader may read: the
 * withheld part is read from the database only with `whole`.
 */
export async function readExcerpts(
  db: Database,
  uids: readonly string[],
  terms: readonly Term[],
  { whole }: { whole: boolean },
): Promise<Map<string, Excerpt>> {
  if (uids.length === 0) return new Map();
  const rows = await db
    .selectFrom("article")
    .select(["uid", "summary", "opening"])
    .$if(whole, (query) => query.select("remainder"))
    .where("uid", "in", uids)
    .execute();
  return excerptsOf(rows, terms);
}

type Row = { uid: string; summary: string; opening: string; remainder?: string };

/** Articles between two turns of the event loop: common words in a hundred articles take tenths of a second. */
const ARTICLES_PER_TURN = 4;

/** The excerpt of each row in which terms stand. Other requests are answered in between. */
export async function excerptsOf(
  rows: readonly Row[],
  terms: readonly Term[],
): Promise<Map<string, Excerpt>> {
  const excerpts = new Map<string, Excerpt>();
  for (const [index, { uid, summary, opening, remainder = "" }] of rows.entries()) {
    if (index > 0 && index % ARTICLES_PER_TURN === 0) await yieldToEventLoop();
    const blocks = blocksOf(opening + remainder).map(({ text }) => text);
    const excerpt = excerptOf([summary, ...blocks], terms);
    if (excerpt) excerpts.set(uid, excerpt);
  }
  return excerpts;
}

type Hit = { start: number; end: number; term: Term };

/** The passage with the most different terms, the first one on a tie. */
export function excerptOf(passages: readonly string[], terms: readonly Term[]): Excerpt | null {
  let best: { text: string; hits: Hit[]; count: number } | null = null;
  for (const text of passages) {
    const hits = hitsIn(text, terms);
    const count = new Set(hits.map(({ term }) => term)).size;
    if (count > (best?.count ?? 0)) best = { text, hits, count };
    if (count === terms.length) break;
  }
  return best && cutAround(best.text, best.hits);
}

function hitsIn(text: string, terms: readonly Term[]): Hit[] {
  const hits: Hit[] = [];
  for (const { start, end, stems } of wordsIn(text)) {
    const term = terms.find((one) => stems.some((stem) => isFoundBy(one, stem)));
    if (term) hits.push({ start, end, term });
  }
  return hits;
}

function cutAround(text: string, hits: readonly Hit[]): Excerpt {
  const [start, end] = windowAround(text, hits[0]?.start ?? 0);
  const parts: Excerpt = [];
  let at = start;
  for (const hit of hits) {
    if (hit.end > end) break;
    parts.push(text.slice(at, hit.start), text.slice(hit.start, hit.end));
    at = hit.end;
  }
  parts.push(text.slice(at, end));
  if (start > 0) parts[0] = `… ${parts[0]}`;
  if (end < text.length) parts.push(`${parts.pop()} …`);
  return parts;
}

/** The window begins and ends at a space, so that no word is cut. A word longer than it is shown whole. */
function windowAround(text: string, first: number): [number, number] {
  const early = Math.max(0, first - BEFORE);
  const space = early === 0 ? -1 : text.indexOf(" ", early);
  const start = space >= 0 && space < first ? space + 1 : early === 0 ? 0 : first;
  const late = start + LENGTH;
  if (late >= text.length) return [start, text.length];
  const before = text.lastIndexOf(" ", late);
  if (before > first) return [start, before];
  const after = text.indexOf(" ", first);
  return [start, after < 0 ? text.length : after];
}
