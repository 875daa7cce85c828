import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { articleFilter } from "~/contract/content";
import { FEW, findArticle, findArticles } from "../../server/platform/content/articles";
import { findRelated } from "../../server/platform/content/related";
import { articleOrder, articleSelection } from "../../server/platform/content/rules";
import type { Database } from "../../server/platform/database/tables";
import { selectNewestFirst } from "../../server/platform/database/subscription-row";
import { askBankSoon } from "../../server/platform/subscriptions/reconciliation";
import { rolesOf } from "../../server/platform/subscriptions/roles";
import { statementsOf } from "../support/plans";
import { onEachDatabase } from "../support/platform";
import { subscriber, subscriptionOf } from "./life";

type Filter = { [name: string]: unknown; sort?: Record<string, "asc" | "desc"> };

/** Lists by the index that holds them in their order. */
const lists: [string, Filter][] = [
  ["article_by_date", {}],
  ["article_by_place", { sort: { menu: "asc" } }],
  ["article_by_category", { category: "signes", sort: { menu: "asc" } }],
  ["article_by_author_name", { sort: { author: "asc" } }],
  ["article_tag_by_date", { tags: ["lune"], sort: { author: "asc" } }],
  ["article_by_category", { categories: ["signes", "cycles"] }],
  ["article_by_author", { author: "solene-arnoux" }],
  ["article_tag_by_date", { tags: ["lune", "mars"] }],
  ["article_tag_by_date", { tag: "lune", category: "signes", author: "solene-arnoux" }],
  ["article_tag_by_date", { tag: "lune", sort: { date: "asc" } }],
];

onEachDatabase("however many articles and contracts there are", (open) => {
  test.each(lists)("%s holds the list of %j", async (index, query) => {
    const { database } = await open();
    const filter = articleFilter.parse(query);
    const order = articleOrder(filter.sort, Object.keys(query.sort ?? {}));
    const plans = await plansOf(database, (db) =>
      findArticles(db, articleSelection(filter), order, filter),
    );
    expectIndex(plans, index);
  });

  test.each<[string, Filter]>([
    ["article_by_place", { category: "signes", sort: { menu: "asc" } }],
    ["article_by_author_name", { authors: ["solene-arnoux"], sort: { author: "asc" } }],
  ])("%s holds the list of %j, which many articles match", async (index, query) => {
    const { database } = await open();
    await writeMany(database);
    const filter = articleFilter.parse(query);
    const order = articleOrder(filter.sort, Object.keys(query.sort ?? {}));
    const plans = await plansOf(database, (db) =>
      findArticles(db, articleSelection(filter), order, filter),
    );
    expectIndex(plans, index);
  });

  test.each([["date"], ["menu"], ["author"]])(
    "no list of made-up filters reads the articles, by %s",
    async (key) => {
      const { database } = await open();
      const tags = Array.from({ length: 100 }, (_, n) => `inconnu-${n}`);
      const filter = articleFilter.parse({ tags, tag: tags.map((tag) => `${tag}-bis`) });
      const order = articleOrder({ [key]: "asc" }, [key]);
      const find = (db: Database) => findArticles(db, articleSelection(filter), order, filter);
      expect((await find(database)).rows).toEqual([]);
      const plans = (await plansOf(database, find)) ?? [];
      expect(plans.filter((plan) => /SCAN (article|article_tag)\b/.test(plan))).toEqual([]);
    },
  );

  test("related articles are among the newest of each tag and category", async () => {
    const { database } = await open();
    const found = await database.selectFrom("article").select("uid").executeTakeFirstOrThrow();
    const article = await findArticle(database, found.uid, { whole: false });
    if (!article) throw new Error("The article has gone");
    const plans = await plansOf(database, (db) => findRelated(db, article));
    expectIndex(plans, "article_by_category");
    expectIndex(plans, "article_tag_by_date");
  });

  test("the contracts of an account are found by it", async () => {
    const { database } = await open();
    const plans = await plansOf(database, (db) => selectNewestFirst(db, "a").selectAll().execute());
    expectIndex(plans, "subscription_by_account");
  });

  test("the access of a late payer is read without the jobs of others", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { expires_at, uid } = await subscriptionOf(platform, person);
    const late = new Date(Date.parse(expires_at) + 1);
    const { database } = platform;
    const plans = await plansOf(database, async (db) => {
      await rolesOf(db, person.uid, late);
      await askBankSoon(db, uid, late);
    });
    expect(plans?.filter((plan) => plan.includes(" job ")) ?? []).not.toContainEqual(
      expect.stringMatching(/job_due|SCAN/),
    );
    if (plans) expect(plans.filter((plan) => plan.includes(" job "))).not.toEqual([]);
  });
});

/** Copies of one article, more than a list sorts. */
async function writeMany(db: Database) {
  const { uid, ...article } = await db
    .selectFrom("article")
    .selectAll()
    .where("category_uid", "=", "signes")
    .where("author_uid", "=", "solene-arnoux")
    .limit(1)
    .executeTakeFirstOrThrow();
  for (let from = 0; from <= FEW; from += 100) {
    const copies = Array.from({ length: 100 }, (_, n) => ({
      ...article,
      uid: `${uid}-${from + n}`,
    }));
    await db.insertInto("article").values(copies).execute();
  }
}

/** How SQLite reads the queries of some work. PostgreSQL decides by its rows: `npm run bench -- growth`. */
async function plansOf(database: Database, work: (db: Database) => Promise<unknown>) {
  const statements = await statementsOf(database, work);
  if (process.env.TEST_DATABASE_URL && isPostgres()) return null;
  const plans: string[] = [];
  for (const { sql, parameters } of statements) {
    const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    const { rows } = await database.executeQuery<{ detail: string }>(explained);
    plans.push(...rows.map(({ detail }) => detail));
  }
  return plans;
}

const isPostgres = () => expect.getState().currentTestName?.includes("on PostgreSQL") === true;

function expectIndex(plans: readonly string[] | null, index: string) {
  if (!plans) return;
  expect(plans.flatMap((plan) => / INDEX (\w+)/.exec(plan)?.[1] ?? [])).toContain(index);
}
