import { z } from "zod/v4";
import * as content from "../content";
import { endpoint, optional } from "../endpoint";
import { PATH_LENGTH } from "../limits";
import { pageOf, single, termsDigest } from "../primitives";
import { text } from "../text";
import { byUid } from "./parts";

const reference = <T extends z.ZodType, Q extends z.ZodType>(kind: string, item: T, query: Q) => ({
  list: endpoint(`GET /content/${kind}`, { query }, { 200: pageOf(item) }),
  one: endpoint(`GET /content/${kind}/{uid}`, byUid, { 200: single(item) }, [404]),
});
const authors = reference("authors", content.author, content.listFilter);
const categories = reference("categories", content.category, content.listFilter);
const tags = reference("tags", content.tag, content.listFilter);
const pages = reference("pages", content.staticPage, content.listFilter);
const medias = reference("medias", content.media, content.mediaFilter);

/** Articles, pages, media and their reference data. */
export const contentEndpoints = {
  listArticles: endpoint(
    "GET /content/articles",
    { query: content.articleFilter },
    {
      200: pageOf(content.articleSummary).extend({
        search: content.articleSearch.optional(),
        /** Of a filtered list that is not searched. */
        total: content.articleTotal.optional(),
      }),
    },
  ),
  getArticle: endpoint(
    "GET /content/articles/{uid}",
    byUid,
    { 200: single(content.article) },
    [404],
  ),
  getDraft: endpoint(
    "GET /content/drafts/{uid}",
    { ...byUid, query: z.object({ token: content.draftToken }) },
    { 200: single(content.draft) },
    [404],
  ),
  listRelatedArticles: endpoint(
    "GET /content/articles/related/{uid}",
    byUid,
    { 200: pageOf(content.articleSummary) },
    [404],
  ),
  listAuthors: authors.list,
  getAuthor: authors.one,
  listCategories: categories.list,
  getCategory: categories.one,
  listTags: tags.list,
  getTag: tags.one,
  listPages: pages.list,
  getPage: pages.one,
  getTerms: endpoint(
    "GET /terms/{digest}",
    { params: z.object({ digest: termsDigest }) },
    { 200: single(content.termsVersion) },
    [404],
  ),
  listMedias: medias.list,
  getMedia: medias.one,
  getRedirection: optional(
    endpoint(
      "GET /redirects",
      { query: z.object({ path: text.min(1).max(PATH_LENGTH) }) },
      { 200: single(content.redirection) },
      [404],
    ),
  ),
} as const;
