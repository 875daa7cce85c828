import type { Draft } from "../../../app/contract/content";
import type { Database } from "../database/tables";
import { showPictures } from "./images/pictures";
import { findWaiting } from "./waiting";

/** Reads an unpublished article as it will be shown, whole. */
export async function findDraft(db: Database, uid: string): Promise<Draft | null> {
  const waiting = await findWaiting(db, uid);
  const [article] = waiting?.rows.article ?? [];
  if (!waiting || !article) return null;
  const [body = ""] = await showPictures(db, [article.opening + article.remainder]);
  const { title, summary, date, author_uid, category_uid, reading_minutes } = article;
  return {
    uid,
    title,
    summary,
    date,
    author: author_uid,
    category: category_uid,
    tags: waiting.rows.article_tag.map(({ tag_uid }) => tag_uid),
    readingMinutes: reading_minutes,
    restricted: article.restricted === 1,
    body,
    partial: false,
    publishDateTime: waiting.publishAt,
  };
}
