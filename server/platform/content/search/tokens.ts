import { sql, type RawBuilder, type SqlBool } from "kysely";
import { isPostgres } from "../../database/dialect";
import type { Database } from "../../database/tables";

/**
 * What stands in the index beside the stems of an article: the stems of its title, those of its head, which is
 * all but its text, and what it can be filtered by. The colon stands in no stem.
 */
export type Mark = "title" | "head" | "category" | "author" | "tag";

/** Both databases compare tokens by their bytes, but SQLite's tokenizer writes capitals as small letters. */
export const tokenOf = (mark: Mark, value: string) =>
  `${mark}:${value.replace(/[A-Z]/g, (capital) => `:${capital.toLowerCase()}`)}`;

export type Filters = {
  authors: readonly string[];
  categories: readonly string[];
  tags: readonly string[];
};

/** One condition on the index: each group needs one of its tokens. */
export type Condition = readonly (readonly string[])[];

export const filterTokens = ({ authors, categories, tags }: Filters): Condition =>
  [
    categories.map((uid) => tokenOf("category", uid)),
    authors.map((uid) => tokenOf("author", uid)),
    tags.map((uid) => tokenOf("tag", uid)),
  ].filter((tokens) => tokens.length > 0);

/**
 * True for rows of `article_token` that satisfy a condition. Tokens have no other signs than letters, digits,
 * `:`, `-` and `_`, so that nothing typed is ever syntax of the search.
 */
export function satisfies(db: Database, condition: Condition): RawBuilder<SqlBool> {
  if (isPostgres(db)) {
    const groups = condition.map((tokens) => tokens.map((token) => `'${token}'`).join("|"));
    return sql<SqlBool>`article_token.tokens @@ ${groups.map(enclose).join("&")}::tsquery`;
  }
  const groups = condition.map((tokens) => tokens.map((token) => `"${token}"`).join(" OR "));
  return sql<SqlBool>`article_token match ${groups.map(enclose).join(" AND ")}`;
}

const enclose = (group: string) => `(${group})`;
