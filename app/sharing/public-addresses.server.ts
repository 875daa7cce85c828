import { keepReads } from "~/api/kept-reads.server";
import { openPublicApi } from "~/api/public-api.server";
import { FAILED, found } from "~/api/read-result";
import { readWholeList } from "~/api/whole-list.server";
import { paths, serverPaths, TEXT_PAGES } from "~/paths";

/** A page that search engines may show. `changed` is the day or moment of its last change, if it is known. */
export type PublicAddress = { path: string; changed?: string };

/** 500,000 articles: more than ten times what the site is measured with. */
const MAX_ARTICLE_PAGES = 5_000;
const MAX_TEXT_PAGES = 10;
const MAX_SUBJECT_PAGES = 100;

/** The filter of a list that is a page of its own. */
type Subject = "categories" | "authors" | "tags";

const kept = keepReads<PublicAddress[]>({ lifetimeMs: 10 * 60_000, max: 1 });

/** The addresses of all public pages, with articles from the newest to the oldest. */
export const findPublicAddresses = (url: URL) => kept("addresses", () => load(url));

async function load(url: URL) {
  const read = openPublicApi(url);
  const texts = new Map<string, string>();
  const articles: PublicAddress[] = [];
  const hasTexts = await readWholeList("listPages", {
    loadPage: (query) => read("listPages", { query }),
    take: ({ uid, date }) => void texts.set(uid, date),
    maxPages: MAX_TEXT_PAGES,
  });
  const hasArticles = await readWholeList("listArticles", {
    loadPage: (query) => read("listArticles", { query }),
    take: ({ uid, date }) => void articles.push({ path: paths.article(uid), changed: date }),
    maxPages: MAX_ARTICLE_PAGES,
  });
  const lists: PublicAddress[] = [];
  const readSubjects = (name: "listAuthors" | "listCategories" | "listTags", kind: Subject) =>
    readWholeList(name, {
      loadPage: (query) => read(name, { query }),
      take: ({ uid }) => void lists.push({ path: paths.articles({ [kind]: uid }) }),
      maxPages: MAX_SUBJECT_PAGES,
    });
  const hasLists =
    (await readSubjects("listCategories", "categories")) &&
    (await readSubjects("listAuthors", "authors")) &&
    (await readSubjects("listTags", "tags"));
  if (!hasTexts || !hasArticles || !hasLists) return FAILED;
  return found([...entrances(articles[0]), ...textAddresses(texts), ...lists, ...articles]);
}

/** Pages that list articles change with the newest one. */
const entrances = (newest: PublicAddress | undefined): PublicAddress[] => [
  { ...newest, path: paths.home() },
  { ...newest, path: paths.articles() },
  { path: paths.registration() },
  { path: paths.contact() },
  { path: serverPaths.siteMap() },
];

const textAddresses = (dates: ReadonlyMap<string, string>): PublicAddress[] =>
  TEXT_PAGES.flatMap((uid) => {
    const changed = dates.get(uid);
    return changed === undefined ? [] : [{ path: paths.text(uid), changed }];
  });
