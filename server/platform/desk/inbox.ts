import type { ExpressionBuilder } from "kysely";
import type { DeskFilter } from "../../../app/contract/desk";
import { PAGE_LENGTH } from "../../../app/contract/limits";
import { SUPPORT_TYPES, TICKET_STATUSES } from "../../../app/contract/ticket-status";
import { decodeCursor } from "../paging/cursor";
import { isAfter } from "../paging/order";
import { readPage, type Page } from "../paging/page";
import type { Database, Tables } from "../database/tables";
import { isOpenToCoaches } from "../support/open-to-coaches";
import { wantedStatuses } from "../support/statuses";
import { byLast } from "../support/tickets";
import { termsOf, type Term } from "../support/words";
import { hasAllWords, planSearch, selectTicketsWith, type Search } from "./search";

type Row = Tables["ticket"];
type Part = Pick<Row, "type" | "status">;

const LIST = { name: "desk", order: byLast };
const NOTHING: Page<Row> = { rows: [], page: { hasNextPage: false, endCursor: null } };

/**
 * Finds tickets of the inbox, last written first, without discussions whose consent was taken back. `me` is
 * the uid of the asking coach.
 */
export async function findInbox(db: Database, me: string, filter: DeskFilter): Promise<Page<Row>> {
  const { query = "", assignee, ...rest } = filter;
  const request = { ...rest, assignee: assignee === "me" ? me : assignee };
  if (query.trim() === "") return readMerged(db, request, []);
  const search = await planSearch(db, termsOf(query));
  if (!search) return NOTHING;
  return search.isRare ? readHits(db, request, search) : readMerged(db, request, search.terms);
}

type Request = Omit<DeskFilter, "query">;

/**
 * Reads one page for each type and status from its part of the index and merges them. The time does not
 * grow with the number of tickets, for any filter.
 */
async function readMerged(db: Database, request: Request, terms: readonly Term[]) {
  const [first, ...others] = partsOf(request).map((part) =>
    db.selectFrom(readPart(db, request, part, terms).as("part")).selectAll(),
  );
  if (!first) return NOTHING;
  const all = others.reduce((merged, part) => merged.unionAll(part), first);
  return readPage(db.selectFrom(all.as("ticket")).selectAll(), LIST, request);
}

function partsOf({ type, status }: Request): Part[] {
  const types = type ? [type] : SUPPORT_TYPES;
  const statuses = wantedStatuses(status) ?? TICKET_STATUSES;
  return types.flatMap((one) => statuses.map((other) => ({ type: one, status: other })));
}

function readPart(db: Database, request: Request, { type, status }: Part, terms: readonly Term[]) {
  const { after: cursor, length = PAGE_LENGTH } = request;
  const part = db
    .selectFrom("ticket")
    .selectAll()
    .where("type", "=", type)
    .where("status", "=", status)
    .where(isAssigned(request))
    .where(hasAllWords(terms))
    .$if(type === "coaching", (q) => q.where(isOpenToCoaches))
    .orderBy("last_at", "desc")
    .orderBy("uid", "desc")
    .limit(length + 1);
  return cursor ? part.where(isAfter(byLast, decodeCursor(LIST.name, byLast, cursor))) : part;
}

/**
 * Reads all tickets with a rare word, then sorts. `materialized` keeps the planner from the sort
 * index.
 */
async function readHits(db: Database, request: Request, { terms, rarest }: Search) {
  const { type, status } = request;
  const statuses = wantedStatuses(status);
  const found = db
    .selectFrom("ticket")
    .selectAll()
    .where("uid", "in", selectTicketsWith(db, rarest))
    .where(hasAllWords(terms.filter((term) => term !== rarest)))
    .where(isAssigned(request))
    .where(isOpenToCoaches)
    .$if(type !== undefined, (q) => q.where("type", "=", type ?? "contact"))
    .$if(statuses !== undefined, (q) => q.where("status", "in", statuses ?? []));
  const query = db
    .with(
      (cte) => cte("found").materialized(),
      () => found,
    )
    .selectFrom("found")
    .selectAll();
  return readPage(query, LIST, request);
}

const isAssigned =
  ({ assignee }: Request) =>
  (e: ExpressionBuilder<Tables, "ticket">) => {
    if (assignee === undefined) return e.and([]);
    return assignee === "none" ? e("assignee_uid", "is", null) : e("assignee_uid", "=", assignee);
  };
