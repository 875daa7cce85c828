import { Refusal } from "../http/refusal";
import type { Call, Handlers } from "../http/types";
import { personOf } from "./access";
import { contactAuthor, subscriberAuthor } from "./author";
import { createTicket } from "./create";
import { revokeLink } from "./credentials";
import { readMessages } from "./messages";
import { markRead } from "./read-mark";
import { requestLink } from "./refresh";
import { reply } from "./reply";
import { findOwn } from "./store";
import { messageOf, ticketOf } from "./ticket";
import { listTickets } from "./tickets";
import type { World } from "./world";

export function supportHandlers(world: World): Handlers {
  return { ...ticketHandlers(world), ...threadHandlers(world), ...linkHandlers(world) };
}

function ticketHandlers(world: World) {
  return {
    listTickets: async ({ params, query, ...asked }) => {
      const person = await personOf(world, params.type, asked);
      const { rows, page } = await listTickets(world.db, person, query);
      return { status: 200, body: { payload: rows, page } };
    },
    createContactTicket: async ({ body, ...call }) => {
      const author = await contactAuthor(world, body);
      return created(ticketOf(await createTicket(world, author, body, sentBy(call))));
    },
    createTicket: async ({ params, body, ...call }) => {
      await personOf(world, params.type, call);
      if (!call.reader) throw new Error("Only contact is open to strangers");
      const author = await subscriberAuthor(world.db, call.reader);
      return created(ticketOf(await createTicket(world, author, body, sentBy(call))));
    },
  } satisfies Handlers;
}

function threadHandlers(world: World) {
  return {
    getTicket: async ({ params, query, ...asked }) => {
      const person = await personOf(world, params.type, asked);
      const ticket = await findOwn(world.db, person, params.uid);
      const { rows, page } = await readMessages(world.db, ticket.uid, query, { withNotes: false });
      const payload = { ...ticketOf(ticket), messages: rows.map(messageOf) };
      return { status: 200, body: { payload, page } };
    },
    createMessage: async ({ params, body, ...call }) => {
      const person = await personOf(world, params.type, call);
      const { key } = sentBy(call);
      const said = { uid: params.uid, content: body.message, key };
      return created(messageOf(await reply(world, person, said)));
    },
    markTicketRead: async ({ params, query, ...asked }) => {
      const person = await personOf(world, params.type, asked);
      await markRead(world.db, person, params.uid, query.until);
      return { status: 204 };
    },
  } satisfies Handlers;
}

function linkHandlers(world: World) {
  return {
    refreshSupportToken: async ({ params, body, origin, clientAddress }) => {
      if (params.type !== "contact") throw linksAreOfContact();
      await requestLink(world, { email: body.email, origin, clientAddress });
      return { status: 202 };
    },
    revokeSupportToken: async ({ params, ...asked }) => {
      if (params.type !== "contact") throw linksAreOfContact();
      const person = await personOf(world, "contact", asked);
      if (person.type === "contact") await revokeLink(world, person.link);
      return { status: 204 };
    },
  } satisfies Handlers;
}

const linksAreOfContact = () => new Refusal(403, "Only contact has mailed links");

type Sent = Pick<Call<"createMessage">, "headers" | "origin" | "clientAddress">;

const sentBy = ({ headers, origin, clientAddress }: Sent) => ({
  ...{ key: headers["idempotency-key"], origin, clientAddress },
});

const created = <T>(payload: T) => ({ status: 201, body: { payload } }) as const;
