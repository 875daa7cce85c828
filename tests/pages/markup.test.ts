import { describe, expect, it } from "vitest";
import { composeMail } from "../../server/platform/mail/compose";
import { refusalOf, type RefusalReason } from "../../server/host/refusal";
import { paths, serverPaths } from "~/paths";
import { OPEN_PAGES } from "../journeys/open-pages";
import { ARTICLE } from "../journeys/steps";
import { LETTERS } from "../support/letters";
import { faultsOfMarkup, hasJava } from "../support/nu-checker";
import type { Visitor } from "../support/pages";
import { cardFields, CARDS, reachBank, subscribe } from "../support/people";
import { answerAt, openThreads, type Ticket } from "./threads";

const { visitor, newTicket, newDiscussion, newCoach } = openThreads();

const NO_JAVA = "Java is not installed, which the Nu checker needs";

/** Outlook shows the preheader without this property of its own. */
const OUTLOOK = /Property “mso-hide” doesn't exist/;

type Documents = Map<string, string>;

/** Keeps what a visitor gets for each path. A redirect is no page. */
async function readPages(into: Documents, who: string, person: Visitor, pages: readonly string[]) {
  for (const path of pages) {
    const { status, body } = await person.get(path);
    if (status < 300 || status >= 400) into.set(`${who} at ${path}`, body);
  }
}

/** Forms of nobody, which an empty post has shown again with their errors. */
const REFUSED = [
  paths.login(),
  paths.registration(),
  paths.registrationPayment({ utk: "demo-cashback" }),
  paths.resetPassword(),
  paths.contactNewTicket(),
  paths.contactLink(),
  paths.cancelContract(),
  paths.withdrawal(),
];

async function readForms(into: Documents, who: string, person: Visitor, pages: readonly string[]) {
  for (const path of pages) into.set(`${who} sends ${path}`, (await person.post(path, {})).body);
}

async function readBank(into: Documents) {
  const reader = visitor();
  const bank = await reachBank(reader);
  await readPages(into, "a member", reader, [bank, paths.registration(), "/api/sandbox/pay/none"]);
  into.set("the bank refuses fields", (await reader.post(bank, { intent: "pay" })).body);
  const paid = await reader.post(bank, cardFields(CARDS.challenge));
  into.set("the bank asks for a confirmation", (await reader.follow(paid)).body);
  into.set("the bank refuses a form", (await reader.post(bank, { intent: "none" })).body);
}

async function readAccount(into: Documents) {
  const { member, path } = await newDiscussion();
  await member.post(paths.article(ARTICLE), { intent: "keep" });
  const { dom } = await member.get(paths.accountPayments());
  const receipts = dom.querySelectorAll("main a[href^='/account/payments/']");
  await readPages(into, "a subscriber", member, [
    ...OPEN_PAGES,
    paths.account(),
    paths.accountData(),
    paths.accountContract(),
    paths.accountPayments(),
    ...receipts.map((link) => link.getAttribute("href") ?? ""),
    paths.accountSubscription(),
    `${paths.accountSubscription()}?stop`,
    paths.accountSubscriptionUndo(),
    paths.coaching(),
    paths.coachingNewDiscussion(),
    path,
  ]);
  const forms = [paths.accountData(), paths.accountSubscription(), paths.coachingNewDiscussion()];
  await readForms(into, "a subscriber", member, [...forms, path]);
  const password = await member.post(paths.account(), { intent: "password" });
  into.set("a subscriber sends a new password", password.body);
}

async function readThreads(into: Documents) {
  const ticket: Ticket = await newTicket({ message: "Voir https://exemple.fr\n\n<b>ici</b>" });
  const coach = await newCoach();
  await answerAt(coach, ticket.uid, "Bonjour");
  const own = [ticket.path, paths.contactTickets({ t: ticket.t })];
  await readPages(into, "a visitor", visitor(), own);
  await readForms(into, "a visitor", visitor(), [ticket.path]);
  const desk = [paths.desk(), paths.desk({ q: "rien" }), paths.deskTicket(ticket.uid)];
  await readPages(into, "a coach", coach, [...desk, paths.account()]);
  await readForms(into, "a coach", coach, [paths.deskTicket(ticket.uid)]);
}

async function readChoices(into: Documents) {
  for (const cookie of ["lite=1", "lng=en"]) {
    const { body } = await visitor().get(paths.article(ARTICLE), { cookie });
    into.set(`a visitor with ${cookie}`, body);
  }
}

/** Each once: the words differ, the markup does not. */
const REFUSALS: RefusalReason[] = ["crossSite", "tooLarge", "busy", "starting", "broken"];

describe("the Nu checker finds no fault in the HTML", () => {
  it("of pages, forms, the bank and refusals", async ({ skip }) => {
    skip(!hasJava(), NO_JAVA);
    const documents: Documents = new Map();
    await readPages(documents, "a visitor", visitor(), [...OPEN_PAGES, "/nulle-part"]);
    await readForms(documents, "a visitor", visitor(), REFUSED);
    await readBank(documents);
    await readAccount(documents);
    await readThreads(documents);
    await readChoices(documents);
    const failed = visitor();
    await failed.follow(await failed.post(await reachBank(failed), cardFields(CARDS.declined)));
    await readPages(documents, "a refused payer", failed, [
      serverPaths.registrationResult("failure"),
    ]);
    const paid = visitor();
    documents.set("a new subscriber", (await subscribe(paid)).body);
    for (const reason of REFUSALS) {
      documents.set(`the host refuses: ${reason}`, String(refusalOf(reason, false).body));
    }
    expect(documents.size).toBeGreaterThan(OPEN_PAGES.length);
    expect(faultsOfMarkup(documents)).toEqual([]);
  });

  it("of mails", ({ skip }) => {
    skip(!hasJava(), NO_JAVA);
    const kinds = new Map(LETTERS.map((letter) => [letter.kind, composeMail(letter).html]));
    expect(faultsOfMarkup(kinds).filter((fault) => !OUTLOOK.test(fault))).toEqual([]);
  });
});
