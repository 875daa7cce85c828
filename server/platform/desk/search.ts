import { sql, type ExpressionBuilder } from "kysely";
import type { Database, Tables } from "../database/tables";
import type { Term } from "../support/words";

/** Up to so many tickets with a word are gathered and sorted; of more, the newest are tried. */
const RARE = 5_000;
/** After every other character, byte by byte. */
const LAST = "\u{10ffff}";

/** `rarest`: the word that fewest tickets have. */
export type Search = { terms: readonly Term[]; rarest: Term; isRare: boolean };

/** How to look for words; null where one of them stands nowhere. */
export async function planSearch(db: Database, terms: readonly Term[]): Promise<Search | null> {
  let rarest: { term: Term; count: number } | null = null;
  for (const term of terms) {
    const count = await countUpTo(db, term, RARE + 1);
    if (count === 0) return null;
    if (rarest === null || count < rarest.count) rarest = { term, count };
  }
  return rarest && { terms, rarest: rarest.term, isRare: rarest.count <= RARE };
}

/** The tickets that have a word, through the word. */
export const ticketsWith = (db: Database, term: Term) =>
  db.selectFrom("ticket_word").select("ticket_uid").where(isTerm(term));

/**
 * That a ticket has all the words, through the ticket. A value and no `exists`: a planner must not
 * turn it around and begin with the words, which are common here.
 */
export const hasAll = (terms: readonly Term[]) => (e: ExpressionBuilder<Tables, "ticket">) =>
  e.and(
    terms.map((term) =>
      e(
        e
          .selectFrom("ticket_word")
          .select(sql<number>`1`.as("one"))
          .whereRef("ticket_word.ticket_uid", "=", "ticket.uid")
          .where(isTerm(term))
          .limit(1),
        "is not",
        null,
      ),
    ),
  );

const isTerm =
  ({ word, isPrefix }: Term) =>
  (e: ExpressionBuilder<Tables, "ticket_word">) =>
    isPrefix
      ? e.and([e("word", ">=", word), e("word", "<", `${word}${LAST}`)])
      : e("word", "=", word);

async function countUpTo(db: Database, term: Term, max: number): Promise<number> {
  const some = ticketsWith(db, term).limit(max).as("some");
  const { count } = await db
    .selectFrom(some)
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}
