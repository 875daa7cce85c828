import type { ColumnType, Generated } from "kysely";
import type { Flag } from "./flag";

/** SQLite returns an `ArrayBuffer`. */
type Bytes = ColumnType<Uint8Array | ArrayBuffer, Uint8Array>;

export type ContentTables = {
  author: {
    uid: string;
    name: string;
    /** The name without accents and capitals, for sorting. */
    sort_name: string;
    role: string | null;
    biography: string;
    position: number;
  };
  category: { uid: string; name: string; description: string | null; position: number };
  tag: { uid: string; name: string; position: number };
  article: {
    uid: string;
    title: string;
    summary: string;
    date: string;
    author_uid: string;
    /** Repeats the author's, so that an index serves the list by author. */
    author_sort_name: Generated<string>;
    category_uid: string;
    restricted: Flag;
    /** HTML for all visitors. */
    opening: string;
    /** HTML for subscribers only; empty for open articles. */
    remainder: string;
    reading_minutes: number;
    menu: number;
  };
  /** Articles that are imported and not published: their text is in `content_source` alone. */
  waiting_article: {
    uid: string;
    /** Null for a draft. */
    publish_at: string | null;
  };
  /** Relations of published articles to such ones. */
  waiting_relation: { article_uid: string; related_uid: string; position: number };
  /** Repeats what lists are sorted and filtered by, so that one index serves a tag's list. */
  article_tag: {
    article_uid: string;
    tag_uid: string;
    position: number;
    date: string;
    category_uid: string;
    author_uid: string;
  };
  article_relation: { article_uid: string; related_uid: string; position: number };
  /** The stems of what an article is found by, apart from its text, to rank what was found. */
  article_search: {
    /** Higher the newer the article is. */
    place: number;
    article_uid: string;
    date: string;
    title: string;
    summary: string;
    names: string;
    subjects: string;
  };
  /** All tokens of the index, to find those with a beginning, and to ask it for no others. */
  article_word: { token: string };
  /** The index of words: a virtual table of FTS5 on SQLite, a column of type tsvector on PostgreSQL. */
  article_token: {
    /** The article's `place`. */
    rowid: number;
    tokens: string;
  };
  page: {
    uid: string;
    title: string;
    summary: string;
    date: string;
    body: string;
    /** Terms only: the day from which running contracts follow this text, as `2027-01-01`. */
    applies: string | null;
  };
  /** Each text of the terms as it was shown; never changed. */
  terms_version: {
    /** The highest is shown. */
    number: number;
    /** SHA-256 of title and body. An older text that returns is a version of its own. */
    digest: string;
    title: string;
    /** HTML with the seller's identity filled in. */
    body: string;
    recorded_at: string;
    /**
     * Time from which it counts for contracts that run already and were told at once; known once it is
     * announced. A contract that was told later has its own.
     */
    applies_at: string;
    /** The day that the page's file asked for. */
    applies: string | null;
    /** When subscribers were told; null while a slip can still be put right. */
    announced_at: string | null;
  };
  media: {
    uid: string;
    title: string;
    mime_type: string;
    url: string;
    date: string;
    author_uid: string | null;
  };
  /** An image as it was imported. Who shows it is told by texts alone. */
  image: {
    /** `lune.jpg`; the address of it is `/medias/lune.jpg`. */
    name: string;
    /** SHA-256 of the file that was imported. */
    digest: string;
    /** SHA-256 of `original`, by which an exported file is known. */
    original_digest: string;
    width: number;
    height: number;
    /** The format for browsers that know no newer one. */
    fallback: "jpg" | "png" | "svg";
    /** In its own size and format, without metadata; for export alone. */
    original: Bytes;
  };
  /** What pages show: an image in a width and a format. It never changes. */
  image_file: {
    /** `lune.1a2b3c4d.480.avif` */
    path: string;
    image_name: string;
    bytes: Bytes;
  };
  redirection: { path: string; target: string; status: 301 | 302 };
  /** The imported Markdown files, for export; in a table of their own, so that pages never read them. */
  content_source: {
    kind: "author" | "category" | "tag" | "article" | "page" | "media";
    uid: string;
    source: string;
  };
};
