import { sql } from "kysely";
import type { z } from "zod/v4";
import { MESSAGE_LENGTH, PAGE_LENGTH } from "../../../app/contract/limits";
import type { threadFilter } from "../../../app/contract/support";
import type { Order } from "../paging/order";
import { readPage, type Page } from "../paging/page";
import type { Database, Tables } from "../database/tables";
import { invalid } from "../http/refusal";

type MessageRow = Tables["ticket_message"];
type Filter = z.output<typeof threadFilter>;

/** Most newer messages on one page. A client asks again with the last one until nothing follows. */
const NEWER_LENGTH = 50;
/** Together they are not longer than the longest messages of another page, which their number bounds. */
const NEWER_BOUND = {
  max: PAGE_LENGTH * MESSAGE_LENGTH,
  sizeOf: ({ content, trimmed }: MessageRow) => content.length + (trimmed?.length ?? 0),
};

const bySeq = (direction: "asc" | "desc"): Order => [
  { name: "position", value: sql.ref<number>("seq"), direction },
];

/**
 * Reads one page of a thread, oldest first: the last page, the page before a cursor, or the
 * messages after a given one. Numbers of messages never change, so pages neither skip nor repeat a
 * message.
 * @throws Refusal 400 for a cursor or message of another thread
 */
export async function readMessages(
  db: Database,
  ticketUid: string,
  { cursor, since }: Filter,
  { withNotes }: { withNotes: boolean },
): Promise<Page<MessageRow>> {
  const all = db
    .selectFrom("ticket_message")
    .selectAll()
    .where("ticket_uid", "=", ticketUid)
    .$if(!withNotes, (q) => q.where("internal", "=", 0));
  if (since !== undefined) {
    if (cursor !== undefined) throw invalid("since", "Either a cursor or a message");
    const first = await all.where("uid", "=", since).executeTakeFirst();
    if (!first) throw invalid("since", "No message of this thread");
    const newer = all.where("seq", ">", first.seq);
    const list = { name: "newer", order: bySeq("asc") };
    return readPage(newer, list, { length: NEWER_LENGTH, bound: NEWER_BOUND });
  }
  const list = { name: `thread ${ticketUid}`, order: bySeq("desc"), property: "cursor" };
  const { rows, page } = await readPage(all, list, { after: cursor });
  return { rows: rows.reverse(), page };
}
