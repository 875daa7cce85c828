import { offerOf } from "~/contract/offer";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { Success } from "~/api/client";
import type { Endpoint } from "~/contract/endpoint";
import { endpoints, type EndpointName } from "~/contract/endpoints";
import { decodeToken } from "~/session/providers";
import { openServer } from "../app/loopback";
import { tokenOf } from "../app/people";

const DAY = "2026-11-20T09:00:00Z";
const END = "2027-11-20T09:00:00Z";
const page = { hasNextPage: false, endCursor: null };
const list = <T>(item: T) => ({ payload: [item], page });
const one = <T>(payload: T) => ({ payload });

const formula = {
  uid: "vip-mensuel",
  name: "VIP",
  amount: 990,
  periodDuration: 1,
  periodDurationUnit: "month" as const,
};
const offer = { ...offerOf(formula, new Date(DAY)), termsAccepted: true };
/** The fields of a form that carry the shown offer. */
export const shownStatement = offer.statement;
const summary = {
  uid: "lune",
  title: "La Lune",
  summary: "En bref",
  date: DAY,
  readingMinutes: 3,
  author: "solene",
  category: "ciel",
  tags: [],
  restricted: true,
};
const staticPage = {
  uid: "about",
  title: "Le site",
  summary: "En bref",
  date: DAY,
  body: "<p>…</p>",
};
const message = {
  uid: "m1",
  date: DAY,
  content: "Bonjour Ada",
  contact: { uid: "c1", name: "Solène" },
  author: "coach" as const,
};
const ticket = { uid: "t1", date: DAY, title: "Mon thème", status: "waiting" as const };
const deskTicket = {
  ...ticket,
  type: "coaching" as const,
  lastDateTime: DAY,
  unread: false,
  messageCount: 1,
  person: { name: "Ada", email: "ada@exemple.fr" },
  excerpt: "Bonjour",
  waitingSince: null,
  assignee: { uid: "c1", name: "Solène" },
  version: 1,
};
const deskMessage = { ...message, internal: false };
/** A ticket at the desk, assigned to Solène, with one message. */
export const deskThread = ({ version = 1, uid = message.uid } = {}) => ({
  payload: {
    ...deskTicket,
    version,
    person: { ...deskTicket.person, subscription: null },
    messages: [{ ...deskMessage, uid }],
  },
  page,
});
export const subscription = {
  formula: "vip-mensuel",
  amount: 990,
  trialAmount: null,
  credits: null,
  startedDateTime: DAY,
  expirationDateTime: END,
  cancelledDateTime: null,
  endedDateTime: null,
};
const stored = {
  data: JSON.stringify({ profile: { name: "Ada", favorites: ["lune"] } }),
  date: DAY,
  modified: DAY,
};
const payment = {
  uid: "p1",
  receipt: "8F3A-2C71-B04D",
  date: DAY,
  amount: 990,
  kind: "first" as const,
  state: "paid" as const,
  formulaName: "VIP",
  refunds: [],
};
const receipt = one({ uid: "n1", receivedAt: DAY, awaitsConfirmation: false });

const DIGEST = "0".repeat(64);

type Truths = { [N in EndpointName]: Success<N> };

/**
 * Answers of a healthy API, by call. None is empty, so a page that says « aucun » is always wrong.
 */
const truths: Truths = {
  checkAuth: one({ token: tokenOf("signed in") }),
  register: one({ uid: "ada", identifier: "ada@exemple.fr", formula: "vip-mensuel" }),
  releaseAddress: one({ status: "released" }),
  checkReleaseLink: one({ refundOnDeletion: { amount: 700, untilDateTime: END } }),
  getUser: one({ uid: "ada", email: "ada@exemple.fr" }),
  deleteUser: null,
  getMetadata: one(stored),
  setMetadata: one(stored),
  changePassword: null,
  exportUser: one({}),
  listSessions: list({
    uid: "s1",
    createdDateTime: DAY,
    lastSeenDateTime: DAY,
    device: null,
    current: true,
  }),
  endSessions: null,
  endSession: null,
  requestPasswordReset: null,
  updatePassword: null,
  checkPasswordLink: null,
  requestEmailChange: null,
  checkEmailLink: one({ email: "zoe@exemple.fr" }),
  confirmEmailChange: null,
  listArticles: list(summary),
  getArticle: one({ ...summary, body: "<p>Texte</p>", partial: false }),
  getDraft: one({ ...summary, body: "<p>Texte</p>", partial: false, publishDateTime: END }),
  listRelatedArticles: list({ ...summary, uid: "mars", title: "Mars" }),
  listAuthors: list({ uid: "solene", name: "Solène" }),
  getAuthor: one({ uid: "solene", name: "Solène" }),
  listCategories: list({ uid: "ciel", name: "Ciel" }),
  getCategory: one({ uid: "ciel", name: "Ciel" }),
  listTags: list({ uid: "nuit", name: "Nuit" }),
  getTag: one({ uid: "nuit", name: "Nuit" }),
  listPages: list(staticPage),
  getPage: one(staticPage),
  getTerms: one({
    digest: DIGEST,
    title: "Conditions",
    body: "<p>Texte</p>",
    sinceDateTime: DAY,
    appliesDateTime: DAY,
  }),
  listMedias: { payload: [], page },
  getMedia: one({ uid: "x", title: "x", mimeType: "image/png", url: "/x.png", date: DAY }),
  getRedirection: one({ target: "/articles", status: 301 }),
  getOffer: one(offer),
  getFormula: one(formula),
  getTrafficToken: one({ value: "jeton", isValid: true, formula: "vip-mensuel" }),
  getBankingService: one({ name: "CAP CELESTE", url: "https://bank.example/" }),
  getSubscription: one(subscription),
  getLastPayment: one({ status: "Success", formula: "vip-mensuel", amount: 990, date: DAY }),
  listPayments: list(payment),
  getPayment: one({
    ...payment,
    client: { email: "ada@exemple.fr" },
    seller: { imprint: "Éditions des Tests" },
  }),
  getContractProof: one({
    reference: "c1",
    orderedDateTime: DAY,
    terms: DIGEST,
    offer: "VIP",
    conditions: "Sans engagement",
    button: "Payer",
    confirmation: null,
  }),
  pay: one({ status: "Success" }),
  subscribe: one({ status: "Success" }),
  createPaymentLink: one({ url: "https://bank.example/pay" }),
  unsubscribe: one({ status: "in process", endsAt: END }),
  notifyCancellation: receipt,
  notifyWithdrawal: receipt,
  previewCancellation: one({ ...subscription, plannedEndDateTime: END, debitCount: 0 }),
  previewUndoCancellation: one({ status: "undone" }),
  previewUndoWithdrawal: one({ status: "undone" }),
  previewUndoUnsignedNotices: one({ status: "undone" }),
  undoUnsignedNotices: one({ status: "undone" }),
  undoCancellation: one({ status: "undone" }),
  undoWithdrawal: one({ status: "undone" }),
  confirmWithdrawal: one({ status: "confirmed" }),
  listTickets: list(ticket),
  createContactTicket: one(ticket),
  createTicket: one(ticket),
  getTicket: { payload: { ...ticket, messages: [message] }, page },
  createMessage: one(message),
  markTicketRead: null,
  refreshSupportToken: null,
  revokeSupportToken: null,
  listDeskTickets: list(deskTicket),
  getDeskCounts: one({
    contact: { closed: 0, locked: 0, new: 0, pending: 0, waiting: 0 },
    coaching: { closed: 0, locked: 0, new: 0, pending: 0, waiting: 1 },
  }),
  getDeskTicket: deskThread(),
  createDeskMessage: one({ message: deskMessage, ticket: deskTicket }),
  changeTicket: one(deskTicket),
  getCoachingFacts: one({ answerMinutes: 300, takesBirth: true }),
  getSensitiveConsent: one({ version: "v1", givenDateTime: DAY }),
  giveSensitiveConsent: one({ version: "v1", givenDateTime: DAY }),
  takeBackSensitiveConsent: null,
  listCoaches: one([{ uid: "c1", name: "Solène" }]),
};

/** The bank refused the payment of somebody whose token has no role: their pages have an order form. */
const refusedPayment = one({ ...truths.getLastPayment.payload, status: "Failure" as const });

/** Ways in which one call fails. */
export const LIES = [
  401,
  403,
  404,
  408,
  409,
  425,
  429,
  500,
  502,
  503,
  504,
  418,
  ...(["html", "cut", "types", "reset", "silence"] as const),
] as const;
export type Lie = (typeof LIES)[number];

/** What else a test has a call answer. */
type Answer = { status: number; body: unknown };

export type LyingApi = {
  url: string;
  /** Number of each call since the last `tell`. */
  calls: Map<EndpointName, number>;
  /** What the last request of each call carried, since the last `tell`. */
  headers: Map<EndpointName, Headers>;
  /** Answers right, but for one call, or for all; with `nth`, that time alone since this was told. */
  tell(lie?: { call?: EndpointName; how: Lie | Answer; nth?: number }): void;
  /** Sets the calls that this API does not know; with nothing, it knows all. */
  lack(...calls: EndpointName[]): void;
  /** Sets what right calls of a person's state answer; with nothing, the usual again. */
  become(state?: Partial<Truths>): void;
  /** Sets the token of later sign-ins. */
  signIn(token: string): void;
  close(): Promise<void>;
};

/** An API whose calls can fail. `onSilence` ends the caller's wait for a call without an answer. */
export async function openLyingApi(onSilence: () => void = () => {}): Promise<LyingApi> {
  const calls: LyingApi["calls"] = new Map();
  const headers: LyingApi["headers"] = new Map();
  let token = tokenOf("signed in");
  let failure: Parameters<LyingApi["tell"]>[0];
  let state: Partial<Truths> = {};
  let lacking: readonly EndpointName[] = [];
  const answer = async (request: Request, { incoming }: HttpBindings) => {
    const call = callOf(request);
    if (!call) return new Response("Unknown call", { status: 599 });
    calls.set(call, (calls.get(call) ?? 0) + 1);
    headers.set(call, request.headers);
    const right = () =>
      call === "checkAuth"
        ? Response.json(one({ token }))
        : rightAnswer(
            call,
            isSubscribers(request) ? state : { getLastPayment: refusedPayment, ...state },
          );
    if (lacking.includes(call)) return Response.json({ message: "Non" }, { status: 404 });
    if (!failure || (failure.call && failure.call !== call)) return right();
    if (failure.nth !== undefined && failure.nth !== calls.get(call)) return right();
    if (failure.how === "reset") {
      incoming.socket.destroy();
      return right();
    }
    if (typeof failure.how === "object") {
      return Response.json(failure.how.body, { status: failure.how.status });
    }
    if (failure.how !== "silence") return lieOf(failure.how, right());
    await new Promise<void>((resolve) => {
      request.signal.addEventListener("abort", () => resolve());
      onSilence();
    });
    return right();
  };
  const server = await openServer(
    getRequestListener((request, env) => answer(request, env as HttpBindings)),
  );
  return {
    url: `${server.origin}/api`,
    calls,
    headers,
    tell(lie) {
      calls.clear();
      headers.clear();
      failure = lie;
    },
    lack: (...calls) => void (lacking = calls),
    become: (next = {}) => void (state = next),
    signIn: (next) => void (token = next),
    close: server.close,
  };
}

const table = (Object.keys(endpoints) as EndpointName[]).map((name) => {
  const { method, path }: Endpoint = endpoints[name];
  const pattern = path.replace(/\{\w+\}/g, "[^/]+");
  return { name, method, path, pattern: new RegExp(`^/api${pattern}$`) };
});

/** The call with the fewest parameters in its path. */
function callOf(request: Request): EndpointName | undefined {
  const { pathname } = new URL(request.url);
  const found = table.filter(
    ({ method, pattern }) => method === request.method && pattern.test(pathname),
  );
  const parameters = (path: string) => path.split("{").length;
  return found.sort((a, b) => parameters(a.path) - parameters(b.path))[0]?.name;
}

function isSubscribers({ headers }: Request): boolean {
  const token = headers.get("authorization")?.replace("Bearer ", "");
  return token === undefined || decodeToken(token).acl.vip === true;
}

const statusOf = (call: EndpointName) => Number(Object.keys(endpoints[call].answers)[0]);

function rightAnswer(call: EndpointName, state: Partial<Truths>): Response {
  // The same path serves both: `createContactTicket` is `createTicket` for one type.
  const body = state[call] ?? truths[call];
  const init = { status: statusOf(call) };
  return body === null ? new Response(null, init) : Response.json(body, init);
}

async function lieOf(how: Exclude<Lie, "reset" | "silence">, right: Response) {
  if (typeof how === "number") {
    const headers: Record<string, string> = how === 429 ? { "retry-after": "2520" } : {};
    return Response.json({ message: "Non" }, { status: how, headers });
  }
  const status = right.status === 204 || right.status === 202 ? 200 : right.status;
  if (how === "html") {
    return new Response("<h1>Bad gateway</h1>", {
      status,
      headers: { "content-type": "text/html" },
    });
  }
  if (how === "types") return Response.json({ payload: 42, page: "none" }, { status });
  const text = await right.text();
  const headers = { "content-type": "application/json" };
  return new Response(text.slice(0, text.length / 2), { status, headers });
}
