import { readMessages } from "../support/messages";
import { ok } from "../http/answers";
import type { Handlers } from "../http/types";
import { readCounts } from "../support/counts";
import { findTakenBack } from "../support/consent";
import { birthOf, findTicket } from "../support/ticket";
import { requireCoach } from "./access";
import { answerTicket } from "./answer";
import { changeTicket } from "./change";
import { listCoaches } from "./coaches";
import type { DeskContext } from "./context";
import { findInbox } from "./inbox";
import { readPersonSubscription } from "./person-subscription";
import { deskMessageOf, readDeskTicket, readDeskTickets } from "./ticket";

export function deskHandlers(context: DeskContext): Handlers {
  return { ...inboxHandlers(context), ...threadHandlers(context) };
}

function inboxHandlers({ db }: DeskContext) {
  return {
    listDeskTickets: async ({ query, principal }) => {
      const { uid } = await requireCoach(db, principal);
      const { rows, page } = await findInbox(db, uid, query);
      return { status: 200, body: { payload: await readDeskTickets(db, rows), page } };
    },
    getDeskCounts: async ({ principal }) => {
      await requireCoach(db, principal);
      return ok(await readCounts(db));
    },
    listCoaches: async ({ principal }) => {
      await requireCoach(db, principal);
      return ok(await listCoaches(db));
    },
  } satisfies Handlers;
}

function threadHandlers(context: DeskContext) {
  const { db } = context;
  return {
    getDeskTicket: async ({ params, query, principal }) => {
      await requireCoach(db, principal);
      const row = await findTicket(db, params.uid);
      const consentTakenBackDateTime = await findTakenBack(db, row.account_uid);
      const ticket = await readDeskTicket(db, row);
      if (consentTakenBackDateTime) {
        const person = { ...ticket.person, subscription: null };
        const payload = { ...ticket, person, consentTakenBackDateTime, messages: [] };
        return { status: 200, body: { payload, page: { hasNextPage: false, endCursor: null } } };
      }
      const { rows, page } = await readMessages(db, row.uid, query, { withNotes: true });
      const person = {
        ...ticket.person,
        subscription: await readPersonSubscription(context, row),
      };
      const messages = rows.map(deskMessageOf);
      const payload = {
        ...ticket,
        ...birthOf(row),
        person,
        consentTakenBackDateTime,
        messages,
      };
      return { status: 200, body: { payload, page } };
    },
    createDeskMessage: async ({ params, headers, body, principal }) => {
      const coach = await requireCoach(db, principal);
      const key = headers["idempotency-key"];
      const { ticket, message } = await answerTicket(context, coach, { ...body, ...params, key });
      const payload = { message: deskMessageOf(message), ticket: await readDeskTicket(db, ticket) };
      return { status: 201, body: { payload } };
    },
    changeTicket: async ({ params, body, principal }) => {
      await requireCoach(db, principal);
      return ok(await readDeskTicket(db, await changeTicket(context, params.uid, body)));
    },
  } satisfies Handlers;
}
