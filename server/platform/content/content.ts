import type { Insertable } from "kysely";
import type { Tables } from "../database/tables";
import type { Fault } from "./faults";

/** In the order in which they may be written: what is referred to comes first. */
export const CONTENT_TABLES = [
  "author",
  "category",
  "tag",
  "article",
  "article_tag",
  "article_relation",
  "page",
  "media",
  "redirection",
  "content_source",
] as const;

export type ContentTable = (typeof CONTENT_TABLES)[number];
export type Rows = { [T in ContentTable]: Insertable<Tables[T]>[] };

/** An entry that names another one, and where it does. */
export type Reference = {
  table: "author" | "category" | "tag" | "article";
  uid: string;
  file: string;
  line: number;
};

/** What a folder holds, ready to be written, and what is wrong with it. */
export type Content = {
  rows: Rows;
  /** `table uid` of each entry, faulty ones too: whoever names those is not to blame. */
  present: Set<string>;
  references: Reference[];
  faults: Fault[];
};

export const emptyContent = (): Content => ({
  rows: {
    author: [],
    category: [],
    tag: [],
    article: [],
    article_tag: [],
    article_relation: [],
    page: [],
    media: [],
    redirection: [],
    content_source: [],
  },
  present: new Set(),
  references: [],
  faults: [],
});
