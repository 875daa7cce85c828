import { sql } from "kysely";
import type { Author, Category, ListFilter } from "../../../app/contract/content";
import type { Database } from "../database/tables";
import type { Order } from "../paging/order";
import type { KnownIdentity } from "./identity";
import { fillIdentity } from "./identity-places";
import { showPictures } from "./images/pictures";
import { findCurrentTerms, TERMS_PAGE } from "./terms";
import { readPage, type Page } from "../paging/page";

const uid = { name: "uid", value: sql.ref<string>("uid"), direction: "asc" } as const;
const byPosition: Order = [
  { name: "position", value: sql.ref<number>("position"), direction: "asc" },
  uid,
];

export async function findAuthors(
  db: Database,
  { ids, ...request }: ListFilter,
): Promise<Page<Author>> {
  const query = db
    .selectFrom("author")
    .select(["uid", "name", "role", "biography"])
    .$if(ids !== undefined, (q) => q.where("uid", "in", ids ?? []));
  const { rows, page } = await readPage(query, { name: "authors", order: byPosition }, request);
  const biographies = await showPictures(
    db,
    rows.map(({ biography }) => biography),
  );
  const authors = rows.map(({ uid, name, role }, index) => ({
    uid,
    name,
    ...(role && { role }),
    ...(biographies[index] && { biography: biographies[index] }),
  }));
  return { rows: authors, page };
}

export async function findCategories(
  db: Database,
  { ids, ...request }: ListFilter,
): Promise<Page<Category>> {
  const query = db
    .selectFrom("category")
    .select(["uid", "name", "description"])
    .$if(ids !== undefined, (q) => q.where("uid", "in", ids ?? []));
  const { rows, page } = await readPage(query, { name: "categories", order: byPosition }, request);
  const categories = rows.map(({ uid, name, description }) => ({
    uid,
    name,
    ...(description && { description }),
  }));
  return { rows: categories, page };
}

export function findTags(db: Database, { ids, ...request }: ListFilter) {
  const query = db
    .selectFrom("tag")
    .select(["uid", "name"])
    .$if(ids !== undefined, (q) => q.where("uid", "in", ids ?? []));
  return readPage(query, { name: "tags", order: byPosition }, request);
}

/**
 * The places of the seller's identity are filled. The terms come from their newest version, so that
 * what is shown is what is accepted, with images at their plain addresses; their date is the one of its publication.
 */
export async function findPages(
  db: Database,
  { ids, ...request }: ListFilter,
  known: KnownIdentity,
) {
  const query = db
    .selectFrom("page")
    .select(["uid", "title", "summary", "date", "body"])
    .$if(ids !== undefined, (q) => q.where("uid", "in", ids ?? []));
  const { rows, page } = await readPage(query, { name: "pages", order: [uid] }, request);
  const terms = rows.some((row) => row.uid === TERMS_PAGE) ? await findCurrentTerms(db) : undefined;
  const bodies = await showPictures(
    db,
    rows.map(({ body }) => fillIdentity(body, known)),
  );
  const filled = rows.map((row, index) =>
    row.uid === TERMS_PAGE && terms
      ? { ...row, title: terms.title, body: terms.body, date: terms.recorded_at }
      : { ...row, body: bodies[index] ?? "" },
  );
  return { rows: filled, page };
}
