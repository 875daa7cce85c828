import { readMessages } from "../support/messages";
import { ok } from "../http/answers";
import type { Handlers } from "../http/types";
import { readCounts } from "../support/counts";
import { findTicket } from "../support/ticket";
import type { SupportContext } from "../support/context";
import { coachOf } from "./access";
import { answer } from "./answer";
import { change } from "./change";
import { listCoaches } from "./coaches";
import { findInbox } from "./inbox";
import { subscriptionOf } from "./person";
import { deskMessageOf, deskTicket, deskTickets } from "./ticket";

export function deskHandlers(context: SupportContext): Handlers {
  return { ...inboxHandlers(context), ...threadHandlers(context) };
}

function inboxHandlers({ db }: SupportContext) {
  return {
    listDeskTickets: async ({ query, principal }) => {
      const { uid } = await coachOf(db, principal);
      const { rows, page } = await findInbox(db, uid, query);
      return { status: 200, body: { payload: await deskTickets(db, rows), page } };
    },
    getDeskCounts: async ({ principal }) => {
      await coachOf(db, principal);
      return ok(await readCounts(db));
    },
    listCoaches: async ({ principal }) => {
      await coachOf(db, principal);
      return ok(await listCoaches(db));
    },
  } satisfies Handlers;
}

function threadHandlers(context: SupportContext) {
  const { db } = context;
  return {
    getDeskTicket: async ({ params, query, principal }) => {
      await coachOf(db, principal);
      const row = await findTicket(db, params.uid);
      const { rows, page } = await readMessages(db, row.uid, query, { withNotes: true });
      const ticket = await deskTicket(db, row);
      const person = { ...ticket.person, subscription: await subscriptionOf(db, row) };
      const payload = { ...ticket, person, messages: rows.map(deskMessageOf) };
      return { status: 200, body: { payload, page } };
    },
    createDeskMessage: async ({ params, headers, body, principal }) => {
      const coach = await coachOf(db, principal);
      const key = headers["idempotency-key"];
      const { ticket, message } = await answer(context, coach, { ...body, ...params, key });
      const payload = { message: deskMessageOf(message), ticket: await deskTicket(db, ticket) };
      return { status: 201, body: { payload } };
    },
    changeTicket: async ({ params, body, principal }) => {
      await coachOf(db, principal);
      return ok(await deskTicket(db, await change(context, params.uid, body)));
    },
  } satisfies Handlers;
}
