import { z } from "zod/v4";
import * as accounts from "./accounts";
import * as content from "./content";
import * as desk from "./desk";
import { endpoint } from "./endpoint";
import { page, pageOf, single, uid } from "./primitives";
import * as subscriptions from "./subscriptions";
import * as support from "./support";

const byUid = { params: z.object({ uid }) };
const ownUid = { ...byUid, authorization: "bearer" } as const;
const signedIn = { authorization: "bearer" } as const;
const supportOf = { params: z.object({ type: support.supportType }) };
const ticketOf = { params: z.object({ type: support.supportType, uid }) };
const repeatable = z.object({ "idempotency-key": subscriptions.idempotencyKey.optional() });
const asContact = { authorization: "support", headers: support.supportCredential } as const;
const writing = {
  ...asContact,
  headers: support.supportCredential.extend(repeatable.shape),
} as const;
const keyed = { headers: z.object({ "idempotency-key": subscriptions.idempotencyKey }) };

const reference = <T extends z.ZodType, Q extends z.ZodType>(kind: string, item: T, query: Q) => ({
  list: endpoint(`GET /content/${kind}`, { query }, { 200: pageOf(item) }),
  one: endpoint(`GET /content/${kind}/{uid}`, byUid, { 200: single(item) }, [404]),
});
const authors = reference("authors", content.author, content.listFilter);
const categories = reference("categories", content.category, content.listFilter);
const tags = reference("tags", content.tag, content.listFilter);
const pages = reference("pages", content.staticPage, content.listFilter);
const medias = reference("medias", content.media, content.mediaFilter);

/** Every call that crosses `/api`: interface.md, section 4. */
export const endpoints = {
  checkAuth: endpoint(
    "POST /auth_check",
    { body: accounts.credentials },
    { 200: accounts.authToken },
    [401, 403],
  ),
  register: endpoint(
    "POST /registrations/register",
    {
      headers: z.object({ "idempotency-key": subscriptions.idempotencyKey.optional() }),
      body: accounts.registration,
    },
    { 201: single(accounts.registeredUser) },
    [409],
  ),
  getFormula: endpoint("GET /formulas/{uid}", byUid, { 200: single(subscriptions.formula) }, [404]),
  getTrafficToken: endpoint(
    "GET /traffic-tokens/{uid}",
    byUid,
    { 200: single(subscriptions.trafficToken) },
    [404],
  ),
  getBankingService: endpoint(
    "GET /banking-service",
    {},
    { 200: single(subscriptions.bankingService) },
    [404],
  ),

  getSubscription: endpoint(
    "GET /subscriptions",
    signedIn,
    { 200: single(subscriptions.subscription) },
    [401, 404],
  ),
  getLastPayment: endpoint(
    "GET /subscriptions/payment",
    signedIn,
    { 200: single(subscriptions.payment) },
    [401, 404],
  ),
  pay: endpoint(
    "POST /subscriptions",
    { ...signedIn, ...keyed, body: subscriptions.paymentRequest },
    { 200: single(subscriptions.paymentAnswer) },
    [401, 404, 409],
  ),
  subscribe: endpoint(
    "POST /subscriptions/subscribe",
    { ...signedIn, ...keyed, body: subscriptions.subscribeRequest },
    { 200: single(subscriptions.paymentAnswer) },
    [401, 404, 409],
  ),
  createPaymentLink: endpoint(
    "POST /subscriptions/payment-link",
    { ...signedIn, body: subscriptions.paymentLinkRequest },
    { 201: single(subscriptions.paymentLink) },
    [401, 404, 409],
  ),
  unsubscribe: endpoint(
    "POST /subscriptions/unsubscribe",
    { ...signedIn, body: z.object({}) },
    { 202: single(subscriptions.unsubscribing) },
    [401, 404, 409],
  ),
  notifyCancellation: endpoint(
    "POST /cancellations",
    { body: subscriptions.contractNotice },
    { 202: single(subscriptions.contractNoticeReceipt) },
  ),
  notifyWithdrawal: endpoint(
    "POST /withdrawals",
    { body: subscriptions.contractNotice },
    { 202: single(subscriptions.contractNoticeReceipt) },
  ),
  undoCancellation: endpoint(
    "POST /cancellations/undo",
    { body: subscriptions.linkSecret },
    { 200: single(subscriptions.undoing) },
  ),
  confirmWithdrawal: endpoint(
    "POST /withdrawals/confirm",
    { body: subscriptions.linkSecret },
    { 200: single(subscriptions.withdrawing) },
  ),

  getUser: endpoint("GET /users/{uid}", ownUid, { 200: single(accounts.user) }, [401, 404]),
  deleteUser: endpoint("DELETE /users/{uid}", ownUid, { 202: null }, [401, 404]),
  getMetadata: endpoint(
    "GET /users/{uid}/metadata",
    ownUid,
    { 200: single(accounts.storedMetadata) },
    [401, 404],
  ),
  setMetadata: endpoint(
    "PUT /users/{uid}/metadata",
    { ...ownUid, body: accounts.metadata },
    { 200: single(accounts.storedMetadata) },
    [401, 404],
  ),
  changePassword: endpoint(
    "PUT /users/{uid}/password",
    { ...ownUid, body: accounts.passwordChange },
    { 204: null },
    [401, 404],
  ),
  exportUser: endpoint(
    "GET /users/{uid}/export",
    ownUid,
    { 200: single(accounts.exportedData) },
    [401, 404],
  ),
  listSessions: endpoint(
    "GET /users/{uid}/sessions",
    { ...ownUid, query: content.paging },
    { 200: pageOf(accounts.userSession) },
    [401, 404],
  ),
  endSessions: endpoint("DELETE /users/{uid}/sessions", ownUid, { 204: null }, [401, 404]),
  endSession: endpoint(
    "DELETE /users/{uid}/sessions/{session}",
    { ...signedIn, params: z.object({ uid, session: uid.or(z.literal("current")) }) },
    { 204: null },
    [401, 404],
  ),
  requestPasswordReset: endpoint(
    "POST /reset-password/request",
    { body: accounts.passwordResetRequest },
    { 202: null },
  ),
  updatePassword: endpoint(
    "POST /reset-password/update",
    { body: accounts.passwordReset },
    { 204: null },
  ),

  listArticles: endpoint(
    "GET /content/articles",
    { query: content.articleFilter },
    { 200: pageOf(content.articleSummary) },
  ),
  getArticle: endpoint(
    "GET /content/articles/{uid}",
    byUid,
    { 200: single(content.article) },
    [404],
  ),
  listRelatedArticles: endpoint(
    "GET /content/articles/related/{uid}",
    byUid,
    { 200: pageOf(content.articleSummary) },
    [404],
  ),
  listAuthors: authors.list,
  getAuthor: authors.one,
  listCategories: categories.list,
  getCategory: categories.one,
  listTags: tags.list,
  getTag: tags.one,
  listPages: pages.list,
  getPage: pages.one,
  listMedias: medias.list,
  getMedia: medias.one,
  getRedirection: endpoint(
    "GET /redirects",
    { query: z.object({ path: z.string().min(1).max(2048) }) },
    { 200: single(content.redirection) },
    [404],
  ),

  listTickets: endpoint(
    "GET /support/{type}/tickets",
    { ...supportOf, ...asContact, query: support.ticketFilter },
    { 200: pageOf(support.ticket) },
    [401, 403],
  ),
  /** The same as `createTicket`, for a type whose people have to say who they are. */
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
  revokeSupportToken: endpoint(
    "POST /support/{type}/auth-token/revoke",
    { ...supportOf, ...asContact },
    { 204: null },
    [401, 403],
  ),

  listDeskTickets: endpoint(
    "GET /desk/tickets",
    { ...signedIn, query: desk.deskFilter },
    { 200: pageOf(desk.deskTicket) },
    [401, 403],
  ),
  getDeskCounts: endpoint(
    "GET /desk/counts",
    signedIn,
    { 200: single(desk.deskCounts) },
    [401, 403],
  ),
  getDeskTicket: endpoint(
    "GET /desk/tickets/{uid}",
    { ...ownUid, query: support.threadFilter },
    { 200: pageOfThread(desk.deskThread) },
    [401, 403, 404],
  ),
  createDeskMessage: endpoint(
    "POST /desk/tickets/{uid}/messages",
    { ...ownUid, headers: repeatable, body: desk.newDeskMessage },
    { 201: single(desk.deskAnswer) },
    [401, 403, 404, 409],
  ),
  changeTicket: endpoint(
    "PUT /desk/tickets/{uid}",
    { ...ownUid, body: desk.ticketChange },
    { 200: single(desk.deskTicket) },
    [401, 403, 404, 409],
  ),
  listCoaches: endpoint(
    "GET /desk/coaches",
    signedIn,
    { 200: single(z.array(support.contact)) },
    [401, 403],
  ),
} as const;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

function pageOfThread<T extends z.ZodType>(thread: T) {
  return z.object({ payload: thread, page });
}
