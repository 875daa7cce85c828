import { afterAll, afterEach, describe, expect, it } from "vitest";
import { paths } from "~/paths";
import {
  hiddenFields,
  openPages,
  type Fields,
  type PageAnswer,
  type Visitor,
} from "../../support/pages";
import { registrationFields, signInCoach, subscribe } from "../../support/people";
import { openLosingApi } from "../losing-api";
import { mainOf, messagesOf, ticketFields } from "../threads";

const api = await openLosingApi();
afterAll(() => api.close());
afterEach(() => api.answerRight());

const { visitor } = openPages({ API_URL: api.url });

const ARRIVED = "Votre premier envoi est bien arrivé";
const MESSAGES = /\/messages$/;
const TICKETS = /\/support\/\w+\/tickets$/;

async function discussion() {
  const member = visitor();
  await subscribe(member);
  const fields = { subject: "Mon thème", message: "Que dit mon ascendant ?" };
  const answer = await member.post(paths.coachingNewDiscussion(), fields);
  return { member, path: answer.headers.get("location") ?? "" };
}

const coach = () => signInCoach(visitor(), api.platform.database);

/** Sends a text whose answer is lost, then another one with what the page kept. */
async function sendTwice(reader: Visitor, path: string, call: RegExp, fields: Fields) {
  api.loseAnswer("POST", call);
  const page = await reader.get(path);
  const lost = await reader.post(path, { ...hiddenFields(page), ...fields });
  expect(lost.status).toBe(503);
  const kept = hiddenFields(lost);
  const refused = await reader.post(path, { ...kept, ...fields, message: "Corrigé" });
  return { kept, refused };
}

const textIn = ({ dom }: PageAnswer) => dom.querySelector("textarea[name=message]")?.text.trim();

/** Sent once more, with what the refusal brought. */
const sendOnceMore = (reader: Visitor, path: string, refused: PageAnswer, fields: Fields) =>
  reader.post(path, { ...hiddenFields(refused), ...fields, message: "Corrigé" });

describe("a text edited after its answer was lost", () => {
  it("is reported as received in a discussion", async () => {
    const { member, path } = await discussion();
    const { refused } = await sendTwice(member, path, MESSAGES, { message: "Premier" });
    expect([refused.status, textIn(refused)]).toEqual([400, "Corrigé"]);
    expect(mainOf(refused)).toContain(ARRIVED);
    expect(mainOf(refused)).not.toContain("On ne peut plus répondre");
    const page = await member.follow(await sendOnceMore(member, path, refused, {}));
    expect(messagesOf(page)).toEqual(["Que dit mon ascendant ?", "Premier", "Corrigé"]);
  });

  it("is reported as received for a new discussion", async () => {
    const { member } = await discussion();
    const fields = { subject: "Lune", message: "Premier" };
    const path = paths.coachingNewDiscussion();
    const { refused, kept } = await sendTwice(member, path, TICKETS, fields);
    expect([refused.status, textIn(refused)]).toEqual([400, "Corrigé"]);
    expect(mainOf(refused)).toContain(ARRIVED);
    expect(hiddenFields(refused).idempotencyKey).not.toBe(kept.idempotencyKey);
  });

  it("is reported as received for a request", async () => {
    const fields = ticketFields();
    const path = paths.contactNewTicket();
    const { refused } = await sendTwice(visitor(), path, TICKETS, fields);
    expect([refused.status, textIn(refused)]).toEqual([400, "Corrigé"]);
    expect(mainOf(refused)).toContain(ARRIVED);
  });

  it("is reported as received at the desk", async () => {
    const { path } = await discussion();
    const desk = paths.deskTicket(path.split("/").at(-1) ?? "");
    const person = await coach();
    const { refused } = await sendTwice(person, desk, MESSAGES, { message: "Premier" });
    expect([refused.status, textIn(refused)]).toEqual([400, "Corrigé"]);
    expect(mainOf(refused)).toContain(ARRIVED);
    expect(mainOf(refused)).not.toContain("a changé entre-temps");
  });
});

describe("a conflict without a named cause", () => {
  it.each([
    ["POST", MESSAGES, "un premier envoi est déjà arrivé, ou on ne peut plus répondre ici"],
  ])("gets a text that fits every cause", async (method, call, words) => {
    const { member, path } = await discussion();
    api.refuse(method, call, 409);
    const refused = await member.post(path, {
      message: "Encore moi",
      idempotencyKey: "cle-de-cet-essai",
    });
    expect([refused.status, textIn(refused)]).toEqual([400, "Encore moi"]);
    expect(mainOf(refused)).toContain(words);
  });

  it("gets such a text at the desk", async () => {
    const { path } = await discussion();
    const person = await coach();
    api.refuse("POST", MESSAGES, 409);
    const desk = paths.deskTicket(path.split("/").at(-1) ?? "");
    const refused = await person.post(desk, { message: "Bonjour", version: "1" });
    expect(mainOf(refused)).toContain(
      "un premier envoi est déjà arrivé, ou cette demande a changé",
    );
  });
});

describe("a registration whose sign-in fails", () => {
  const register = async (reader: Visitor, more: Fields = {}) => {
    const page = await reader.get(paths.registration());
    return reader.post(paths.registration(), {
      ...hiddenFields(page),
      ...registrationFields(),
      ...more,
    });
  };

  it.each([
    [403, 400],
    [404, 400],
    [429, 429],
    [503, 503],
  ])("with %i says that the account exists", async (lie, status) => {
    const reader = visitor();
    api.refuse("POST", /\/auth_check$/, lie, { "retry-after": "120" });
    const fields = registrationFields();
    const page = await register(reader, fields);
    expect(page.status).toBe(status);
    expect(mainOf(page)).toContain("Votre compte est créé");
    expect(mainOf(page)).not.toMatch(/Impossible de créer|n’a pas pu être créé/);
    const way = page.dom
      .querySelectorAll("main a")
      .find(({ text }) => text.includes("Me connecter"));
    expect(way?.getAttribute("href")).toBe(paths.login());
    api.answerRight();
    const again = await reader.post(paths.registration(), { ...hiddenFields(page), ...fields });
    expect(again.headers.get("location")).toContain("/sandbox/pay/");
  });

  it.each([401, 403, 404])("claims no account after a refusal with %i", async (lie) => {
    api.refuse("POST", /\/registrations\/register$/, lie);
    const page = await register(visitor());
    expect(page.status).toBe(400);
    expect(mainOf(page)).not.toMatch(/compte (est|a été) créé/);
    expect(mainOf(page)).not.toContain("Me connecter à ce compte");
  });
});
