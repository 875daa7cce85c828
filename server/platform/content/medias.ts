import type { Media } from "../../../app/contract/content";
import type { Database } from "../database/tables";
import type { Order } from "../paging/order";
import { readPage, type Page, type PageRequest } from "../paging/page";

export type MediaSelection = {
  ids?: readonly string[] | undefined;
  authors: readonly string[];
  mimeType?: string | undefined;
};

export async function findMedias(
  db: Database,
  { ids, authors, mimeType }: MediaSelection,
  order: Order,
  request: PageRequest,
): Promise<Page<Media>> {
  let query = db
    .selectFrom("media")
    .select(["uid", "title", "mime_type", "url", "date", "author_uid"]);
  if (ids) query = query.where("uid", "in", ids);
  if (authors.length) query = query.where("author_uid", "in", authors);
  if (mimeType) query = query.where("mime_type", "=", mimeType);
  const { rows, page } = await readPage(query, { name: "medias", order }, request);
  const medias = rows.map(({ uid, title, mime_type, url, date, author_uid }) => ({
    uid,
    title,
    mimeType: mime_type,
    url,
    date,
    ...(author_uid && { author: author_uid }),
  }));
  return { rows: medias, page };
}
