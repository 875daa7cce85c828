import { Feed } from "feed";
import { openPublicApi } from "~/api/public-api.server";
import { keepReads } from "~/api/kept-reads.server";
import { FAILED, found, NONE, type ReadResult } from "~/api/read-result";
import { readReference, type Reference } from "~/api/reference.server";
import type { Article } from "~/contract/content";
import { translate } from "~/i18n/i18n.server";
import { filePaths, paths } from "~/paths";
import { pictureVersion } from "./article-picture.server";

const ENTRIES = 20;
const MAX_KEPT = 100;

/** An article as everybody may read it: of a restricted one the API gives the free part. */
type Entry = { article: Article; author: string | undefined };

const kept = keepReads<Entry[]>({ lifetimeMs: 5 * 60_000, max: MAX_KEPT });

/**
 * The Atom feed of the newest articles, or of the newest of one category.
 * @returns `none` for a category that does not exist
 */
export async function findFeed(
  url: URL,
  { category, origin }: { category?: string | undefined; origin: string },
): Promise<ReadResult<string>> {
  const reference = await readReference(url);
  if (reference.kind === "failed") return FAILED;
  const name = category && reference.value.categories.get(category)?.name;
  if (category !== undefined && name === undefined) return NONE;
  const entries = await kept(category ?? "", () => load(url, reference.value, category));
  if (entries.kind === "failed") return FAILED;
  const path = filePaths.feed(category);
  const list = paths.articles(category ? { categories: [category] } : {});
  return found(renderFeed(entries.value, { title: feedTitle(name), path, list, origin }));
}

/** The title of the feed of all articles, or of the category with this name. */
export const feedTitle = (category?: string) =>
  category
    ? translate("articles", "feed.category", { category })
    : translate("articles", "feed.title");

async function load(url: URL, reference: Reference, category: string | undefined) {
  const read = openPublicApi(url);
  const query = { length: ENTRIES, ...(category && { categories: [category] }) };
  const list = await read("listArticles", { query });
  if (!list.ok) return FAILED;
  const articles = await Promise.all(
    list.value.payload.map(({ uid }) => read("getArticle", { params: { uid } })),
  );
  const entries: Entry[] = [];
  for (const outcome of articles) {
    if (outcome.ok) {
      const article = outcome.value.payload;
      entries.push({ article, author: reference.authors.get(article.author)?.name });
    } else if (outcome.error.kind !== "notFound") {
      return FAILED;
    }
  }
  return found(entries);
}

type Description = { title: string; path: string; list: string; origin: string };

function renderFeed(entries: readonly Entry[], { title, path, list, origin }: Description): string {
  const [newest] = entries;
  const feed = new Feed({
    id: origin + path,
    title: textOf(title),
    link: origin + list,
    feed: origin + path,
    generator: false,
    // A feed without entries has never changed.
    updated: new Date(newest?.article.date ?? 0),
  });
  for (const { article, author } of entries) {
    const { uid, title: name, summary, date } = article;
    const address = origin + paths.article(uid);
    const published = new Date(date);
    feed.addItem({
      title: htmlOf(name),
      id: address,
      link: address,
      date: published,
      published,
      description: htmlOf(summary),
      content: cdataOf(absolute(contentOf(article, address), origin)),
      image: origin + filePaths.articlePicture(uid, pictureVersion(article)),
      ...(author && { author: [{ name: textOf(author) }] }),
    });
  }
  return feed.atom1();
}

function contentOf({ body, partial }: Article, address: string): string {
  if (!partial) return body;
  const more = htmlOf(translate("article", "paywall.title"));
  return `${body}<p><a href="${address}">${more}</a></p>`;
}

/** Feed readers show the text at another address. */
const absolute = (html: string, origin: string) =>
  html
    .replace(/ (href|src)="\/(?!\/)/g, (_, name: string) => ` ${name}="${origin}/`)
    .replace(/ srcset="[^"]*"/g, (list) => list.replace(/(?<=[" ])\/(?!\/)/g, `${origin}/`));

/** The signs that XML forbids, even encoded (XML 1.0, 2.2). */
// eslint-disable-next-line no-control-regex -- these signs are what is looked for
const FORBIDDEN = /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

const allowed = (text: string) => text.replace(FORBIDDEN, "");

/** Plain text as HTML, which is what the package declares titles and summaries to be. */
const htmlOf = (text: string) =>
  allowed(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The package closes a CDATA section at the second `]]>`. */
const cdataOf = (html: string) => allowed(html).replaceAll("]]>", "]]&gt;");

/** The package decodes `&amp;` in plain text before it encodes the text. */
const textOf = (text: string) => allowed(text).replaceAll("&amp;", "&amp;amp;");
