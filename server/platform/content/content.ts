import type { Insertable } from "kysely";
import type { Tables } from "../database/tables";
import type { Fault } from "./faults";
import type { ImageFile } from "./images/inspect";

/** Tables in the order of insertion: referenced tables come first. */
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

/** A reference to another entry, with its place in the file. */
export type Reference = {
  table: "author" | "category" | "tag" | "article" | "image";
  uid: string;
  file: string;
  line: number;
};

/** The rows of a content folder, ready to insert, and its faults. */
export type Content = {
  rows: Rows;
  images: ImageFile[];
  /** Uids of articles that are not to be published. */
  drafts: Set<string>;
  /** Uids that articles (`by`) had before, with their places. */
  former: { uid: string; by: string; file: string; line: number }[];
  /** `table uid` of each entry, faulty ones included: a reference to a faulty entry is no fault. */
  present: Set<string>;
  references: Reference[];
  /** Days from which changed terms count, with their places. */
  datesOfEffect: { day: string; file: string; line: number }[];
  faults: Fault[];
  /** What is taken otherwise than its author may think. */
  notices: Fault[];
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
  images: [],
  drafts: new Set(),
  former: [],
  present: new Set(),
  references: [],
  datesOfEffect: [],
  faults: [],
  notices: [],
});
