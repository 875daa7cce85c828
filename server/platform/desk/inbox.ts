import { sql, type ExpressionBuilder, type RawBuilder } from "kysely";
import type { DeskFilter } from "../../../app/contract/desk";
import { PAGE_LENGTH } from "../../../app/contract/limits";
import {
  awaitsCoach,
  SUPPORT_TYPES,
  TICKET_STATUSES,
  type TicketStatus,
} from "../../../app/contract/ticket-status";
import { decodeCursor, type Position } from "../paging/cursor";
import { isAfter, type Order } from "../paging/order";
import { readPage, type Page } from "../paging/page";
import type { Database, Tables } from "../database/tables";
import { isOpenToCoaches } from "../support/open-to-coaches";
import { wantedStatuses } from "../support/statuses";
import { byLast } from "../support/tickets";
import { termsOf, type Term } from "../support/words";
import { hasAllWords, planSearch, selectTicketsWith, type Search } from "./search";

type Row = Tables["ticket"];
type Part = Pick<Row, "type" | "status">;

type List = { name: string; order: Order };

const LIST: List = { name: "desk", order: byLast };

/** Comes after each time since which somebody waits, in every language that a database sorts by. */
const NOBODY_WAITS = "9999-12-31T23:59:59.999Z";

/** Who waits longest first, then those who wait for nobody, the last written first. */
const byWait = (since: RawBuilder<string>): Order => [
  { name: "wait", value: since, direction: "asc" },
  ...byLast,
];
const WAITING_LIST: List = {
  name: "desk-waiting",
  order: byWait(sql<string>`coalesce(waiting_since, ${NOBODY_WAITS})`),
};
/** The same order where everybody waits. It is that of the index `ticket_by_wait`. */
const WAITING_PART = byWait(sql.ref<string>("waiting_since"));

const listOf = ({ sort }: Request) => (sort === "waiting" ? WAITING_LIST : LIST);

const NOTHING: Page<Row> = { rows: [], page: { hasNextPage: false, endCursor: null } };

/**
 * Finds tickets of the inbox, last written first or who waits longest first, without discussions whose consent was
 * taken back. `me` is the uid of the asking coach.
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
  return readPage(db.selectFrom(all.as("ticket")).selectAll(), listOf(request), request);
}

function partsOf({ type, status }: Request): Part[] {
  const types = type ? [type] : SUPPORT_TYPES;
  const statuses = wantedStatuses(status) ?? TICKET_STATUSES;
  return types.flatMap((one) => statuses.map((other) => ({ type: one, status: other })));
}

function readPart(db: Database, request: Request, { type, status }: Part, terms: readonly Term[]) {
  const { length = PAGE_LENGTH } = request;
  const { order, after } = planPart(request, status);
  const part = db
    .selectFrom("ticket")
    .selectAll()
    .where("type", "=", type)
    .where("status", "=", status)
    .where(isAssigned(request))
    .where(hasAllWords(terms))
    .$if(type === "coaching", (q) => q.where(isOpenToCoaches))
    .$if(order === WAITING_PART, (q) => q.where("waiting_since", "is not", null))
    .limit(length + 1);
  const sorted = order.reduce((q, { value, direction }) => q.orderBy(value, direction), part);
  return after ? sorted.where(isAfter(order, after)) : sorted;
}

/**
 * The order of one status and the position after which its page begins. In a list by wait, the tickets of a status
 * that awaits a coach are in the order of their wait; those of the others follow, in the order of the last message.
 */
function planPart(request: Request, status: TicketStatus): { order: Order; after?: Position } {
  const { name, order } = listOf(request);
  const after = request.after ? decodeCursor(name, order, request.after) : undefined;
  if (request.sort !== "waiting") return { order, ...(after && { after }) };
  if (awaitsCoach(status)) return { order: WAITING_PART, ...(after && { after }) };
  const isReached = after?.[0] === NOBODY_WAITS;
  return { order: byLast, ...(isReached && { after: after.slice(1) }) };
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
  return readPage(query, listOf(request), request);
}

const isAssigned =
  ({ assignee }: Request) =>
  (e: ExpressionBuilder<Tables, "ticket">) => {
    if (assignee === undefined) return e.and([]);
    return assignee === "none" ? e("assignee_uid", "is", null) : e("assignee_uid", "=", assignee);
  };
