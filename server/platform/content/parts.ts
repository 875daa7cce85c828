import {
  CONTENT_TABLES,
  emptyContent,
  type Content,
  type ContentTable,
  type Rows,
} from "./content";

/** Articles are indexed with their words, which takes ten times as long as storing a tag. */
const WORK = { article: 10, page: 10, other: 1 };
const WORK_OF_PART = 100;

/**
 * Cuts content into parts that are each written within some 20 ms, in an order in which none refers to a later one
 * but by relations between articles. A folder of ten articles is one part.
 */
export function partsOf(content: Content): Content[] {
  const parts: Content[] = [];
  let part = { ...emptyContent(), drafts: content.drafts };
  let work = 0;
  const close = () => {
    if (work > 0) parts.push(part);
    part = { ...emptyContent(), drafts: content.drafts };
    work = 0;
  };
  for (const { rows, former, cost } of entriesOf(content)) {
    if (work + cost > WORK_OF_PART) close();
    for (const table of CONTENT_TABLES) append(part.rows, rows, table);
    part.former.push(...former);
    work += cost;
  }
  close();
  return parts;
}

type Entry = { rows: Partial<Rows>; former: Content["former"]; cost: number };

/** Each entry with its source and all that belongs to it. */
function* entriesOf({ rows, former }: Content): Generator<Entry> {
  const sources = groupBy(rows.content_source, ({ kind, uid }) => `${kind} ${uid}`);
  const tags = groupBy(rows.article_tag, ({ article_uid }) => article_uid);
  const relations = groupBy(rows.article_relation, ({ article_uid }) => article_uid);
  const formerOf = groupBy(former, ({ by }) => by);
  const none = { former: [], cost: WORK.other };
  const sourceOf = (kind: string, uid: string) => sources.get(`${kind} ${uid}`) ?? [];
  for (const row of rows.author) {
    yield { ...none, rows: { author: [row], content_source: sourceOf("author", row.uid) } };
  }
  for (const row of rows.category) {
    yield { ...none, rows: { category: [row], content_source: sourceOf("category", row.uid) } };
  }
  for (const row of rows.tag) {
    yield { ...none, rows: { tag: [row], content_source: sourceOf("tag", row.uid) } };
  }
  for (const row of rows.article) {
    const own = formerOf.get(row.uid) ?? [];
    yield {
      rows: {
        article: [row],
        article_tag: tags.get(row.uid) ?? [],
        article_relation: relations.get(row.uid) ?? [],
        content_source: sourceOf("article", row.uid),
      },
      former: own,
      // Each earlier name is looked for in the favorites of all accounts.
      cost: own.length > 0 ? WORK_OF_PART : WORK.article,
    };
  }
  for (const row of rows.page) {
    const rowsOfPage = { page: [row], content_source: sourceOf("page", row.uid) };
    yield { rows: rowsOfPage, former: [], cost: WORK.page };
  }
  for (const row of rows.media) {
    yield { ...none, rows: { media: [row], content_source: sourceOf("media", row.uid) } };
  }
  for (const row of rows.redirection) yield { ...none, rows: { redirection: [row] } };
}

function append<T extends ContentTable>(into: Rows, from: Partial<Rows>, table: T) {
  into[table].push(...(from[table] ?? []));
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
