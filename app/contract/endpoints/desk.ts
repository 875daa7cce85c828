import { z } from "zod/v4";
import * as desk from "../desk";
import { endpoint, optional } from "../endpoint";
import { pageOf, single } from "../primitives";
import * as support from "../support";
import { ownUid, pageOfThread, keyOptional, signedIn } from "./parts";

/** Tickets and discussions, as coaches see them. */
export const deskEndpoints = {
  listDeskTickets: optional(
    endpoint(
      "GET /desk/tickets",
      { ...signedIn, query: desk.deskFilter },
      { 200: pageOf(desk.deskTicket) },
      [401, 403],
    ),
  ),
  getDeskCounts: optional(
    endpoint("GET /desk/counts", signedIn, { 200: single(desk.deskCounts) }, [401, 403]),
  ),
  getDeskTicket: optional(
    endpoint(
      "GET /desk/tickets/{uid}",
      { ...ownUid, query: support.threadFilter },
      { 200: pageOfThread(desk.deskThread) },
      [401, 403, 404],
    ),
  ),
  createDeskMessage: optional(
    endpoint(
      "POST /desk/tickets/{uid}/messages",
      { ...ownUid, headers: keyOptional, body: desk.newDeskMessage },
      { 201: single(desk.deskAnswer) },
      [401, 403, 404, 409],
    ),
  ),
  changeTicket: optional(
    endpoint(
      "PUT /desk/tickets/{uid}",
      { ...ownUid, body: desk.ticketChange },
      { 200: single(desk.deskTicket) },
      [401, 403, 404, 409],
    ),
  ),
  listCoaches: optional(
    endpoint("GET /desk/coaches", signedIn, { 200: single(z.array(support.contact)) }, [401, 403]),
  ),
} as const;
