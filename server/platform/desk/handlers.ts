import { readMessages } from "../support/messages";
import { ok } from "../http/answers";
import type { Handlers } from "../http/types";
import { readCounts } from "../support/counts";
import { findTicket } from "../support/ticket";
import type { World } from "../support/world";
import { coachOf } from "./access";
import { answer } from "./answer";
import { change } from "./change";
import { listCoaches } from "./coaches";
import { findInbox } from "./inbox";
import { subscriptionOf } from "./person";
import { deskMessageOf, deskTicket, deskTickets } from "./ticket";

export function deskHandlers(world: World): Handlers {
  return { ...inboxHandlers(world), ...threadHandlers(world) };
}

function inboxHandlers({ db }: World) {
  return {
    listDeskTickets: async ({ query, reader }) => {
      const { uid } = await coachOf(db, reader);
      const { rows, page } = await findInbox(db, uid, query);
      return { status: 200, body: { payload: await deskTickets(db, rows), page } };
    },
    getDeskCounts: async ({ reader }) => {
      await coachOf(db, reader);
      return ok(await readCounts(db));
    },
    listCoaches: async ({ reader }) => {
      await coachOf(db, reader);
      return ok(await listCoaches(db));
    },
  } satisfies Handlers;
}

function threadHandlers(world: World) {
  const { db, clock } = world;
  return {
    getDeskTicket: async ({ params, query, reader }) => {
      await coachOf(db, reader);
      const row = await findTicket(db, params.uid);
      const { rows, page } = await readMessages(db, row.uid, query, { withNotes: true });
      const ticket = await deskTicket(db, row);
      const person = { ...ticket.person, subscription: await subscriptionOf(db, row, clock.now()) };
      const payload = { ...ticket, person, messages: rows.map(deskMessageOf) };
      return { status: 200, body: { payload, page } };
    },
    createDeskMessage: async ({ params, headers, body, reader }) => {
      const coach = await coachOf(db, reader);
      const key = headers["idempotency-key"];
      const { ticket, message } = await answer(world, coach, { ...body, ...params, key });
      const payload = { message: deskMessageOf(message), ticket: await deskTicket(db, ticket) };
      return { status: 201, body: { payload } };
    },
    changeTicket: async ({ params, body, reader }) => {
      await coachOf(db, reader);
      return ok(await deskTicket(db, await change(world, params.uid, body)));
    },
  } satisfies Handlers;
}
