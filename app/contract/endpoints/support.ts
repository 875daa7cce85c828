import { z } from "zod/v4";
import { endpoint, optional } from "../endpoint";
import { pageOf, single, uid } from "../primitives";
import * as support from "../support";
import { ownUid, pageOfThread, keyOptional, signedIn } from "./parts";

const supportOf = { params: z.object({ type: support.supportType }) };
const ticketOf = { params: z.object({ type: support.supportType, uid }) };
const asContact = { authorization: "support", headers: support.supportCredential } as const;
const writing = {
  ...asContact,
  headers: support.supportCredential.extend(keyOptional.shape),
} as const;

/** Tickets and discussions, as their author sees them. */
export const supportEndpoints = {
  listTickets: endpoint(
    "GET /support/{type}/tickets",
    { ...supportOf, ...asContact, query: support.ticketFilter },
    { 200: pageOf(support.ticket) },
    [401, 403],
  ),
  /** `createTicket` for the type `contact`, where name and e-mail are required. */
  createContactTicket: endpoint(
    "POST /support/contact/tickets",
    { headers: writing.headers, body: support.newContactTicket },
    { 201: single(support.ticket) },
    [401, 409],
  ),
  createTicket: endpoint(
    "POST /support/{type}/tickets",
    { ...supportOf, headers: writing.headers, body: support.newTicket },
    { 201: single(support.ticket) },
    [401, 403, 409],
  ),
  getTicket: endpoint(
    "GET /support/{type}/tickets/{uid}",
    { ...ticketOf, ...asContact, query: support.threadFilter },
    { 200: pageOfThread(support.thread) },
    [401, 403, 404],
  ),
  getCoachingFacts: optional(
    endpoint(
      "GET /support/coaching/facts",
      signedIn,
      { 200: single(support.coachingFacts) },
      [401, 403],
    ),
  ),
  createMessage: endpoint(
    "POST /support/{type}/tickets/{uid}/messages",
    { ...ticketOf, ...writing, body: support.newMessage },
    { 201: single(support.message) },
    [401, 403, 404, 409],
  ),
  markTicketRead: endpoint(
    "POST /support/{type}/tickets/{uid}/read",
    { ...ticketOf, ...asContact, query: support.readMark },
    { 204: null },
    [401, 403, 404],
  ),
  refreshSupportToken: endpoint(
    "POST /support/{type}/auth-token/refresh",
    { ...supportOf, body: support.linkRequest },
    { 202: null },
    [403],
  ),
  /** Revokes all mailed links of the address, this one too. */
  revokeSupportToken: optional(
    endpoint(
      "POST /support/{type}/auth-token/revoke",
      { ...supportOf, ...asContact },
      { 204: null },
      [401, 403],
    ),
  ),
  /** Null when the consent was never given, or was revoked. */
  getSensitiveConsent: optional(
    endpoint(
      "GET /users/{uid}/sensitive-consent",
      ownUid,
      { 200: support.sensitiveConsentAnswer },
      [401, 404],
    ),
  ),
  giveSensitiveConsent: optional(
    endpoint(
      "PUT /users/{uid}/sensitive-consent",
      { ...ownUid, body: support.sensitiveConsentRequest },
      { 200: single(support.sensitiveConsent) },
      [401, 404],
    ),
  ),
  takeBackSensitiveConsent: optional(
    endpoint(
      "DELETE /users/{uid}/sensitive-consent",
      { ...ownUid, query: support.takeBackQuery },
      { 204: null },
      [401, 404],
    ),
  ),
} as const;
