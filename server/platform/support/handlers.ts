import { ok } from "../http/answers";
import { requireOwner } from "../http/owner";
import { Refusal } from "../http/refusal";
import type { Call, Handlers } from "../http/types";
import { requirePerson } from "./access";
import { readAnswerMinutes } from "./answer-time";
import { contactAuthor, subscriberAuthor } from "./author";
import {
  countDiscussions,
  findConsent,
  findTakenBack,
  giveConsent,
  takeBackConsent,
} from "./consent";
import { createTicket } from "./create";
import { revokeLinks } from "./contact-link";
import { readMessages } from "./messages";
import { markRead } from "./read-mark";
import { requestLink } from "./link-request";
import { replyToTicket } from "./reply";
import { findOwnTicket } from "./store";
import { birthOf, messageOf, ticketOf } from "./ticket";
import { listTickets } from "./tickets";
import type { SupportContext } from "./context";

export function supportHandlers(context: SupportContext): Handlers {
  return {
    ...ticketHandlers(context),
    ...threadHandlers(context),
    ...linkHandlers(context),
    ...consentHandlers(context),
  };
}

function ticketHandlers(context: SupportContext) {
  return {
    listTickets: async ({ params, query, ...asked }) => {
      const person = await requirePerson(context, params.type, asked);
      const { rows, page } = await listTickets(context.db, person, query);
      return { status: 200, body: { payload: rows, page } };
    },
    createContactTicket: async ({ body, ...call }) => {
      const author = await contactAuthor(context, body, call.principal);
      return created(ticketOf(await createTicket(context, author, body, requestMetadata(call))));
    },
    createTicket: async ({ params, body, ...call }) => {
      await requirePerson(context, params.type, call);
      if (!call.principal) throw new Error("Only contact is open to strangers");
      const author = await subscriberAuthor(context.db, call.principal);
      return created(ticketOf(await createTicket(context, author, body, requestMetadata(call))));
    },
    getCoachingFacts: async ({ principal }) => {
      await requirePerson(context, "coaching", { principal, headers: {} });
      return ok({ answerMinutes: await readAnswerMinutes(context.db), takesBirth: true });
    },
  } satisfies Handlers;
}

function threadHandlers(context: SupportContext) {
  return {
    getTicket: async ({ params, query, ...asked }) => {
      const person = await requirePerson(context, params.type, asked);
      const ticket = await findOwnTicket(context.db, person, params.uid);
      const { rows, page } = await readMessages(context.db, ticket.uid, query, {
        withNotes: false,
      });
      const consentTakenBackDateTime = await findTakenBack(context.db, ticket.account_uid);
      const payload = {
        ...ticketOf(ticket),
        ...birthOf(ticket),
        consentTakenBackDateTime,
        messages: rows.map(messageOf),
      };
      return { status: 200, body: { payload, page } };
    },
    createMessage: async ({ params, body, ...call }) => {
      const person = await requirePerson(context, params.type, call);
      const { key } = requestMetadata(call);
      const principalUid = call.principal?.uid ?? null;
      const said = { uid: params.uid, content: body.message, key, principalUid };
      return created(messageOf(await replyToTicket(context, person, said)));
    },
    markTicketRead: async ({ params, query, ...asked }) => {
      const person = await requirePerson(context, params.type, asked);
      await markRead(context.db, person, params.uid, query.until);
      return { status: 204 };
    },
  } satisfies Handlers;
}

function linkHandlers(context: SupportContext) {
  return {
    refreshSupportToken: async ({ params, body, origin, clientAddress }) => {
      if (params.type !== "contact") throw onlyContactHasLinks();
      await requestLink(context, { email: body.email, origin, clientAddress });
      return { status: 202 };
    },
    revokeSupportToken: async ({ params, ...asked }) => {
      if (params.type !== "contact") throw onlyContactHasLinks();
      const person = await requirePerson(context, "contact", asked);
      if (person.type === "contact") await revokeLinks(context, person.link);
      return { status: 204 };
    },
  } satisfies Handlers;
}

function consentHandlers(context: SupportContext) {
  return {
    getSensitiveConsent: async ({ params, principal }) => {
      requireOwner(params.uid, principal);
      const { db } = context;
      const payload = await findConsent(db, principal.uid);
      const discussions = await countDiscussions(db, principal.uid);
      return { status: 200, body: { payload, discussions } };
    },
    giveSensitiveConsent: async ({ params, principal, body }) => {
      requireOwner(params.uid, principal);
      const payload = await giveConsent(context, principal.uid, body.text);
      return { status: 200, body: { payload } };
    },
    takeBackSensitiveConsent: async ({ params, principal, query }) => {
      requireOwner(params.uid, principal);
      await takeBackConsent(context, principal.uid, query.discussions ?? "close");
      return { status: 204 };
    },
  } satisfies Handlers;
}

const onlyContactHasLinks = () => new Refusal(403, "Only contact has mailed links");

type Sent = Pick<Call<"createMessage">, "headers" | "origin" | "clientAddress">;

const requestMetadata = ({ headers, origin, clientAddress }: Sent) => ({
  key: headers["idempotency-key"],
  origin,
  clientAddress,
});

const created = <T>(payload: T) => ({ status: 201, body: { payload } }) as const;
