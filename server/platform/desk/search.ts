import { sql, type ExpressionBuilder } from "kysely";
import type { Database, Tables } from "../database/tables";
import type { Term } from "../support/words";

/** A word in at most this many tickets is rare: its tickets are read and sorted. */
const RARE = 5_000;
/** Sorts after every other character. */
const LAST = "\u{10ffff}";

/** `rarest` is the word in the fewest tickets. */
export type Search = { terms: readonly Term[]; rarest: Term; isRare: boolean };

/** Plans the search; null when a word is in no ticket. */
export async function planSearch(db: Database, terms: readonly Term[]): Promise<Search | null> {
  let rarest: { term: Term; count: number } | null = null;
  for (const term of terms) {
    const count = await countUpTo(db, term, RARE + 1);
    if (count === 0) return null;
    if (rarest === null || count < rarest.count) rarest = { term, count };
  }
  return rarest && { terms, rarest: rarest.term, isRare: rarest.count <= RARE };
}

/** Selects tickets with a word, starting from the word index. */
export const selectTicketsWith = (db: Database, term: Term) =>
  db.selectFrom("ticket_word").select("ticket_uid").where(matchesTerm(term));

/**
 * True when a ticket has all words, starting from the ticket. It compares a value instead of using
 * `exists`, so that the planner does not start from the words, which are common here.
 */
export const hasAllWords = (terms: readonly Term[]) => (e: ExpressionBuilder<Tables, "ticket">) =>
  e.and(
    terms.map((term) =>
      e(
        e
          .selectFrom("ticket_word")
          .select(sql<number>`1`.as("one"))
          .whereRef("ticket_word.ticket_uid", "=", "ticket.uid")
          .where(matchesTerm(term))
          .limit(1),
        "is not",
        null,
      ),
    ),
  );

const matchesTerm =
  ({ word, isPrefix }: Term) =>
  (e: ExpressionBuilder<Tables, "ticket_word">) =>
    isPrefix
      ? e.and([e("word", ">=", word), e("word", "<", `${word}${LAST}`)])
      : e("word", "=", word);

async function countUpTo(db: Database, term: Term, max: number): Promise<number> {
  const some = selectTicketsWith(db, term).limit(max).as("some");
  const { count } = await db
    .selectFrom(some)
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}
