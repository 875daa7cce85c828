import { z } from "zod/v4";
import { cursor, moment, pageLength, termsDigest, uid, uidList } from "./primitives";
import { SEARCH_LENGTH } from "./limits";
import { text } from "./text";

export const author = z.object({
  uid,
  name: z.string(),
  role: z.string().optional(),
  /** HTML, made safe by the platform. */
  biography: z.string().optional(),
});
export type Author = z.infer<typeof author>;

export const category = z.object({ uid, name: z.string(), description: z.string().optional() });
export type Category = z.infer<typeof category>;

export const tag = z.object({ uid, name: z.string() });
export type Tag = z.infer<typeof tag>;

/** `author`, `category` and `tags` are uids of reference data. */
export const articleSummary = z.object({
  uid,
  title: z.string(),
  summary: z.string(),
  date: moment,
  author: uid,
  category: uid,
  tags: z.array(uid),
  readingMinutes: z.int().min(1),
  /** Only subscribers read the whole article. */
  restricted: z.boolean(),
  /**
   * Search results only: where the words stand in what the reader may read. The parts of a text in turn: not
   * found, found, not found …
   */
  excerpt: z.array(z.string()).optional(),
});
export type ArticleSummary = z.infer<typeof articleSummary>;

export const article = articleSummary.extend({
  /** HTML; with `partial`, only the free opening. */
  body: z.string(),
  partial: z.boolean(),
});
export type Article = z.infer<typeof article>;

/** Signs a link to an article that is not published. */
export const draftToken = text.min(1).max(128);

/** An article that is not published: at `publishDateTime`, or not planned. It is whole. */
export const draft = article.extend({ publishDateTime: moment.nullable() });
export type Draft = z.infer<typeof draft>;

export const staticPage = z.object({
  uid,
  title: z.string(),
  summary: z.string(),
  date: moment,
  body: z.string(),
});
export type StaticPage = z.infer<typeof staticPage>;

/**
 * One version of the terms. `appliesDateTime`: from when it counts for contracts that run already, at
 * the earliest; `current`: it is the one that is shown and accepted now.
 */
export const termsVersion = z.object({
  digest: termsDigest,
  title: z.string(),
  body: z.string(),
  sinceDateTime: moment,
  appliesDateTime: moment,
  current: z.boolean().optional(),
});

export const media = z.object({
  uid,
  title: z.string(),
  mimeType: z.string(),
  url: z.string(),
  date: moment,
  author: uid.optional(),
});
export type Media = z.infer<typeof media>;

const direction = z.enum(["asc", "desc"]);
export const paging = z.object({ after: cursor.optional(), length: pageLength.optional() });

export const articleSort = z.strictObject({
  date: direction.optional(),
  author: direction.optional(),
  menu: direction.optional(),
});

/** How many articles a list has on all its pages. */
export const articleTotal = z.object({
  count: z.int().min(0),
  /** There are more, which are not counted. */
  isMinimum: z.boolean(),
});
export type ArticleTotal = z.infer<typeof articleTotal>;

/** What was searched for in a list, and how many articles were found. */
export const articleSearch = articleTotal.extend({
  /** The words that count; none where all typed words are too common, and the list is not searched. */
  words: z.array(z.string()),
});
export type ArticleSearch = z.infer<typeof articleSearch>;

/** Singular and plural keys mean the same. Their values are combined. */
export const articleFilter = paging.extend({
  ids: uidList,
  author: uidList,
  authors: uidList,
  category: uidList,
  categories: uidList,
  tag: uidList,
  tags: uidList,
  sort: articleSort.optional(),
  /** Words that an article must have, whole or in part. Without `sort` the most relevant comes first. */
  q: text.max(SEARCH_LENGTH).optional(),
});
export type ArticleFilter = z.infer<typeof articleFilter>;

export const mediaFilter = paging.extend({
  ids: uidList,
  author: uidList,
  authors: uidList,
  mimeType: text.max(100).optional(),
  sort: z.strictObject({ date: direction.optional(), author: direction.optional() }).optional(),
});
export type MediaFilter = z.infer<typeof mediaFilter>;

export const listFilter = paging.extend({ ids: uidList });
export type ListFilter = z.infer<typeof listFilter>;

/** A moved address: `target` is a path of the site or an absolute URL. */
export const redirection = z.object({
  target: z.string(),
  status: z.union([z.literal(301), z.literal(302)]),
});
export type Redirection = z.infer<typeof redirection>;
