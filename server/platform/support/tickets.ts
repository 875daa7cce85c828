import { sql } from "kysely";
import type { z } from "zod/v4";
import type { ticketFilter } from "../../../app/contract/support";
import type { Order } from "../paging/order";
import { readPage } from "../paging/page";
import type { Database } from "../database/tables";
import { isOwnedBy, type Person } from "./access";
import { wantedStatuses } from "./statuses";
import { ticketOf } from "./ticket";

/** Last written first. */
export const byLast: Order = [
  { name: "date", value: sql.ref<string>("last_at"), direction: "desc" },
  { name: "uid", value: sql.ref<string>("uid"), direction: "desc" },
];

export async function listTickets(
  db: Database,
  person: Person,
  { status, ...request }: z.output<typeof ticketFilter>,
) {
  const statuses = wantedStatuses(status);
  const query = db
    .selectFrom("ticket")
    .selectAll()
    .where(isOwnedBy(person))
    .$if(statuses !== undefined, (q) => q.where("status", "in", statuses ?? []));
  const { rows, page } = await readPage(query, { name: "tickets", order: byLast }, request);
  return { rows: rows.map(ticketOf), page };
}
