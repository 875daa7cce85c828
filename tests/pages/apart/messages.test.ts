import { afterAll, describe, expect, it, vi } from "vitest";
import type { EndpointName } from "~/contract/endpoints";
import account from "~/locales/fr/account.json";
import contact from "~/locales/fr/contact.json";
import forms from "~/locales/fr/forms.json";
import payment from "~/locales/fr/payment.json";
import flash from "~/locales/fr/flash.json";
import subscription from "~/locales/fr/subscription.json";
import support from "~/locales/fr/support.json";
import { tokenOf } from "../../app/people";
import { openPages, type Fields, type PageAnswer, type Visitor } from "../../support/pages";
import { openLyingApi, shownStatement, type Lie } from "../lying-api";

const api = await openLyingApi();
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: api.url });

/** Reference data is held for a minute: each page comes after it. */
let now = Date.now();
vi.useFakeTimers({ toFake: ["Date"], now });
afterAll(() => vi.useRealTimers());

type Person = "nobody" | "member" | "subscriber";

async function signedIn(person: Person): Promise<Visitor> {
  const reader = visitor();
  vi.setSystemTime((now += 61_000));
  api.tell();
  api.signIn(tokenOf("signed in", { acl: person === "subscriber" ? { vip: true } : {} }));
  if (person === "nobody") return reader;
  await reader.post("/login", { email: "ada@exemple.fr", password: "un mot de passe" });
  return reader;
}

const T = "t=0123456789abcdef0123";
const credentials = { email: "ada@exemple.fr", password: "un mot de passe" };
const key = { idempotencyKey: "cle-d-un-essai" };
const offer = { formula: "vip-mensuel", offer: shownStatement };
const registration = { ...credentials, ...key, ...offer, terms: "on" };
const written = { subject: "Mon ascendant", message: "Que dit-il de moi ?", ...key };
const ticket = { ...written, email: credentials.email, name: "Ada" };
const card = {
  ...offer,
  ...key,
  intent: "pay",
  firstName: "Ada",
  lastName: "Byron",
  cardNumber: "4242 4242 4242 4242",
  expiry: "12/38",
  cvv: "123",
  cardholder: "Ada Byron",
};

/** Who asks for what. */
const LOGIN: Asked = ["nobody", "/login", credentials];
const REGISTER: Asked = ["nobody", "/registration", registration];
const PAY: Asked = ["member", "/registration/payment", card];
const STOP: Asked = ["subscriber", "/account/subscription", { confirm: "on" }];
const NAME: Asked = ["subscriber", "/account", { intent: "name", name: "Léa" }];
const TICKETS: Asked = ["nobody", `/contact/tickets?${T}`];
const TICKET: Asked = ["nobody", `/contact/tickets/t1?${T}`];
const DISCUSSIONS: Asked = ["subscriber", "/coaching"];
const DISCUSSION: Asked = ["subscriber", "/coaching/t1"];
const NEW_TICKET: Asked = ["nobody", "/contact/new-ticket", ticket];
const NEW_DISCUSSION: Asked = ["subscriber", "/coaching/new-discussion", written];
const LINK: Asked = ["nobody", "/contact/link", { email: credentials.email }];
const REPLY: Asked = ["nobody", `/contact/tickets/t1?${T}`, { message: "Et ?", ...key }];
const ANSWER: Asked = ["subscriber", "/coaching/t1", { message: "Et ?", ...key }];
const ACCOUNT: Asked = ["subscriber", "/account"];
const RETRY: Asked = ["member", "/registration/failure", { intent: "retry", ...offer }];

type Asked = [Person, string, Fields?];

const refusedCard = (code?: string) => ({
  status: 400,
  body: { payload: { status: "Failure", error: { message: "Refused", ...(code && { code }) } } },
});
const violation = (property: string, type: string) => ({
  status: 400,
  body: { message: "No", violations: [{ property, message: "No", type }] },
});

const {
  login,
  registration: register,
  firstSignIn,
  paymentLink,
  ticket: sending,
  message,
  link,
} = forms.failures;
const { unsubscribe, account: data } = forms.failures;

/** The screen messages for failures (decision 0031): what fails, and where it is told. */
const FAILURES: [string, Asked, EndpointName, Lie | { status: number; body: unknown }, string][] = [
  ["login, unauthorized", LOGIN, "checkAuth", 401, login.unauthorized],
  ["login, forbidden", LOGIN, "checkAuth", 403, login.forbidden],
  ["login, server error", LOGIN, "checkAuth", 500, login.broken],
  ["registration, type error", REGISTER, "register", "reset", register.broken],
  ["registration, not found", REGISTER, "register", 404, register.notFound],
  [
    "registration, invalid argument",
    REGISTER,
    "register",
    { status: 400, body: { message: "No" } },
    register.invalidArgument,
  ],
  ["registration, unauthorized", REGISTER, "checkAuth", 401, firstSignIn.unauthorized],
  ["registration, forbidden", REGISTER, "checkAuth", 403, firstSignIn.forbidden],
  ["registration, server error", REGISTER, "register", 500, register.broken],
  ["registration, payment redirect", REGISTER, "createPaymentLink", 404, paymentLink.other],
  [
    "registration, missing",
    REGISTER,
    "register",
    violation("identifier", "missing"),
    forms.errors.email.missing,
  ],
  [
    "registration, invalid",
    REGISTER,
    "register",
    violation("identifier", "invalid"),
    forms.errors.email.invalid,
  ],
  [
    "registration, already used",
    REGISTER,
    "register",
    { ...violation("identifier", "duplicate"), status: 409 },
    forms.errors.email.duplicate,
  ],
  [
    "registration, generic error",
    REGISTER,
    "register",
    violation("affiliation", "invalid"),
    register.validation,
  ],
  ["payment, declined", PAY, "pay", refusedCard("declined"), payment.failure.declined],
  [
    "payment, unrecoverable",
    PAY,
    "pay",
    refusedCard("R150"),
    payment.failure.coded.replace("{{code}}", "R150"),
  ],
  ["payment, not sent", PAY, "pay", refusedCard("interrupted"), payment.left.interrupted],
  ["payment, page left", PAY, "pay", refusedCard("cancelled"), payment.left.text],
  ["payment, number", PAY, "pay", refusedCard("E001001"), forms.errors.cardNumber.bank],
  ["payment, month", PAY, "pay", refusedCard("1100003PI3"), forms.errors.expiry.bank],
  ["payment, code", PAY, "pay", refusedCard("1100004PI2"), forms.errors.cvv.bank],
  ["payment, no page of the bank", RETRY, "createPaymentLink", 404, flash.paymentLink],
  ["support, loading tickets", TICKETS, "listTickets", 500, support.errors.tickets],
  ["coaching, loading discussions", DISCUSSIONS, "listTickets", 500, support.errors.tickets],
  ["support, loading a ticket", TICKET, "getTicket", 500, support.errors.ticket],
  ["coaching, loading a discussion", DISCUSSION, "getTicket", 500, support.errors.ticket],
  ["support, sending a ticket", NEW_TICKET, "createContactTicket", 500, sending.broken],
  ["coaching, sending a discussion", NEW_DISCUSSION, "createTicket", 500, message.broken],
  ["support, sending a message", REPLY, "createMessage", 500, message.broken],
  ["coaching, sending a message", ANSWER, "createMessage", 500, message.broken],
  ["support, sending the link", LINK, "refreshSupportToken", 500, link.broken],
  ["cannot retrieve information", ACCOUNT, "getMetadata", 500, account.unread.profile],
  ["cannot retrieve a subscription", ACCOUNT, "getSubscription", 500, account.unread.subscription],
  ["unsubscribe request", STOP, "unsubscribe", 500, unsubscribe.broken],
  ["data save error", NAME, "setMetadata", 500, data.broken],
];

describe("a failure is shown where it occurs, and announced", () => {
  it.each(FAILURES)("%s", async (_, [person, path, fields], call, how, text) => {
    const reader = await signedIn(person);
    api.tell({ call, how });
    const page = fields ? await reader.post(path, fields) : await reader.get(path);
    expect(readOut(page, "alert")).toContain(text);
  });
});

/** Those for successes, and what the address leads to. */
const SUCCESSES: [string, Asked, string][] = [
  ["message sent", REPLY, flash.messageSent],
  ["message sent to a coach", ANSWER, flash.messageSent],
  ["discussion opened", NEW_DISCUSSION, flash.discussionSent],
  ["ticket sent", NEW_TICKET, contact.new.sent.title],
  ["link sent", LINK, contact.link.sent.title],
  ["payment succeeded", ["subscriber", "/registration/success"], payment.success.text],
  ["unsubscribe request sent", STOP, flash.stopAsked],
];

describe("a success is shown where it occurs, and announced", () => {
  it.each(SUCCESSES)("%s", async (_, [person, path, fields], text) => {
    const reader = await signedIn(person);
    const sent = fields ? await reader.post(path, fields) : await reader.get(path);
    expect(readOut(await reader.follow(sent), "status")).toContain(text);
  });
});

describe("the message of a post stands in the page alone", () => {
  const told = async ([person, path, fields = {}]: Asked) => {
    const reader = await signedIn(person);
    return reader.follow(await reader.post(path, fields));
  };

  it.each([REPLY, ANSWER, NEW_DISCUSSION, STOP, NAME])("of %s at %s", async (...asked) => {
    const { dom } = await told(asked);
    expect(dom.querySelectorAll("main .notice[role=status]")).toHaveLength(1);
    expect(dom.querySelector(".snackbar")).toBeNull();
  });

  it.each([REPLY, ANSWER])("for %s below the messages of %s", async (...asked) => {
    const { html } = await told(asked);
    const at = html.indexOf(flash.messageSent);
    expect(at).toBeGreaterThan(html.indexOf('role="log"'));
    expect(at).toBeLessThan(html.indexOf("<textarea"));
  });
});

const secret = { token: "secret" };

/** Buttons, whose pages have no place for errors. */
const BUTTONS: [Asked, EndpointName][] = [
  [["nobody", "/cancel-contract/undo?token=secret", secret], "undoCancellation"],
  [["nobody", "/withdrawal/confirm?token=secret", secret], "confirmWithdrawal"],
  [["nobody", "/withdrawal/confirm?token=secret", { ...secret, intent: "undo" }], "undoWithdrawal"],
  [["nobody", "/registration/release?token=secret", secret], "releaseAddress"],
  [["nobody", `/contact/tickets?${T}`, {}], "revokeSupportToken"],
  [["nobody", `/contact/tickets/t1?${T}`, { intent: "read", until: "m1" }], "markTicketRead"],
  [["subscriber", "/coaching/t1", { intent: "read", until: "m1" }], "markTicketRead"],
  [["subscriber", "/article/lune", { intent: "keep" }], "setMetadata"],
  [["subscriber", "/account", { intent: "end-sessions" }], "endSessions"],
  [["subscriber", "/account", { intent: "end-session", session: "s1" }], "endSession"],
  [RETRY, "createPaymentLink"],
  [RETRY, "getOffer"],
];

describe("a limited button shows the API's waiting time", () => {
  it.each(BUTTONS)("%j at %s", async ([person, path, fields = {}], call) => {
    const reader = await signedIn(person);
    api.tell({ call, how: 429 });
    const page = await reader.post(path, fields);
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, "2520"]);
    expect(readOut(page, "alert")).toMatch(/dans 42\sminutes/);
  });

  it("also for a download", async () => {
    const reader = await signedIn("subscriber");
    api.tell({ call: "exportUser", how: 429 });
    const page = await reader.follow(await reader.get("/account/export"));
    expect(readOut(page, "alert")).toMatch(/dans 42\sminutes/);
  });
});

it("texts given by the specification are used unchanged", () => {
  const quoted = (text: string) => text.replaceAll("’", "'");
  expect(quoted(login.unauthorized)).toBe("Nom d'utilisateur et/ou mot de passe incorrects");
  const problem = "Un problème est survenu lors de l'envoi de votre message";
  for (const { broken, other } of [message, sending]) {
    expect(quoted(broken)).toContain(problem);
    expect(quoted(other)).toContain(problem);
  }
  expect(quoted(link.broken)).toContain("Un problème est survenu lors de l'envoi du lien");
  expect(payment.success.heading).toContain("le paiement a réussi");
  expect(subscription.inProcess).toContain("L’arrêt de votre abonnement est enregistré");
});

function readOut({ dom }: PageAnswer, role: "alert" | "status"): string {
  const texts = dom.querySelectorAll(`[role=${role}]`).map(({ text }) => text);
  return texts.join("\n");
}
