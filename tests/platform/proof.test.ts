import { expect, it } from "vitest";
import cardForm from "~/locales/fr/card.json";
import { ORDER_BUTTON } from "../../server/platform/offers/description";
import { startMailServer } from "../support/mail-server";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { CARDS, newPage, newPerson, post } from "./funnel";
import { mailAbout, passDays, subscriber, subscriptionOf } from "./life";

const DAYS_OF_SIX_YEARS = 6 * 366;
const DAYS_OF_ELEVEN_YEARS = 11 * 366;

const archiveOf = async ({ database }: TestPlatform, reference: string) => ({
  proof: await database
    .selectFrom("contract_proof")
    .selectAll()
    .where("subscription_uid", "=", reference)
    .executeTakeFirst(),
  mails: await database
    .selectFrom("contract_mail")
    .selectAll()
    .where("subscription_uid", "=", reference)
    .orderBy("uid")
    .execute(),
});

/** What is left of a contract after its own delay: the receipt belongs to the books. */
const BOOKS = { proof: undefined, kinds: ["receipt"] };

async function kindsLeft(platform: TestPlatform, reference: string) {
  const { proof, mails } = await archiveOf(platform, reference);
  return { proof, kinds: mails.map(({ kind }) => kind) };
}

const termsOf = async (platform: TestPlatform): Promise<string> =>
  (await platform.call("GET /offers?formula=vip-mensuel")).body.payload.terms;

const payByCard = (platform: TestPlatform, { uid, token }: { uid: string; token: string }) =>
  platform.call("POST /subscriptions", {
    token,
    headers: { "idempotency-key": crypto.randomUUID() },
    body: {
      uid,
      firstname: "Ada",
      lastname: "Lovelace",
      formula: "vip-mensuel",
      creditCard: { number: CARDS.success, month: 12, year: 2030, code: "737" },
    },
  });

it("the stored button text is the card form's", () => {
  expect(ORDER_BUTTON).toBe(cardForm.order);
});

onEachDatabase("the proof of a contract", (open) => {
  it("records who ordered what, when and how", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await payByCard(platform, person);
    const { uid } = await subscriptionOf(platform, person);
    const terms = await termsOf(platform);
    const now = platform.clock.now().toISOString();
    const { proof, mails } = await archiveOf(platform, uid);
    expect(proof).toMatchObject({
      email: person.email,
      name: "Ada Lovelace",
      ordered_at: now,
      terms_digest: terms,
      registered_at: now,
      registered_terms: terms,
      button: ORDER_BUTTON,
    });
    expect(proof?.offer).toContain("9,90");
    expect(proof?.conditions).toMatch(/14\sjours pour changer d’avis/);
    expect(mails.map(({ kind }) => kind)).toEqual(["welcome", "receipt"]);
  });

  it("dates the order by the payment on the bank's page", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    platform.clock.advance(30 * 60_000);
    await post(platform, page);
    const { uid } = await subscriptionOf(platform, person);
    const { proof } = await archiveOf(platform, uid);
    expect(proof?.ordered_at).toBe(platform.clock.now().toISOString());
  });

  it("says whether its confirmation went out", async () => {
    const server = await startMailServer({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error("Nobody here"), { responseCode: 550 })),
    });
    const lines: object[] = [];
    const error = (fields: object) => void lines.push(fields);
    const log = { info() {}, warn() {}, error };
    const platform = await open({ mailUrl: server.url, siteUrl: "https://cap.example", log });
    const person = await newPerson(platform);
    await payByCard(platform, person);
    const confirmation = async () =>
      (await platform.call("GET /subscriptions/proof", { token: person.token })).body.payload
        .confirmation;
    expect(await confirmation()).toMatchObject({ sentDateTime: null, givenUpDateTime: null });
    for (let minute = 0; minute < 30; minute++) {
      await platform.runDueJobs();
      platform.clock.advance(60_000);
    }
    expect(await confirmation()).toMatchObject({
      sentDateTime: null,
      givenUpDateTime: expect.any(String),
    });
    const { uid: contract } = await subscriptionOf(platform, person);
    expect(lines).toContainEqual(expect.objectContaining({ contract, kind: "welcome" }));
    await server.close();
    const sent = await open();
    const other = await newPerson(sent);
    await payByCard(sent, other);
    await sent.runDueJobs();
    const { body } = await sent.call("GET /subscriptions/proof", { token: other.token });
    expect(body.payload.confirmation.sentDateTime).toBe(sent.clock.now().toISOString());
  });

  it("contains no card data", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await payByCard(platform, person);
    const { uid } = await subscriptionOf(platform, person);
    const archive = JSON.stringify(await archiveOf(platform, uid));
    expect(archive).not.toContain(CARDS.success);
    expect(archive).not.toMatch(/\b737\b/);
  });

  it("can be read by its person only", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    const own = await platform.call("GET /subscriptions/proof", { token: person.token });
    expect(own.body.payload).toMatchObject({ reference, terms: await termsOf(platform) });
    expect(own.body.payload.confirmation.text).toContain("Modèle de formulaire de rétractation");
    const { token } = await newPerson(platform);
    expect((await platform.call("GET /subscriptions/proof", { token })).status).toBe(404);
    expect((await platform.call("GET /subscriptions/proof")).status).toBe(401);
  });

  it("is part of the export", async () => {
    const platform = await open();
    const { uid, token, email } = await subscriber(platform);
    const { body } = await platform.call(`GET /users/${uid}/export`, { token });
    expect(body.payload.contractProofs).toMatchObject([{ email, button: ORDER_BUTTON }]);
    expect(body.payload.contractMails).toMatchObject([{ kind: "welcome" }, { kind: "receipt" }]);
  });

  it("outlives the profile, and ends five years after", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid } = await subscriptionOf(platform, person);
    await platform.runDueJobs();
    const before = await archiveOf(platform, uid);
    const { token } = person;
    expect((await platform.call(`DELETE /users/${person.uid}`, { token })).status).toBe(202);
    await passDays(platform, 40);
    const after = await archiveOf(platform, uid);
    expect(after.proof).toEqual(before.proof);
    expect(after.mails).toEqual(expect.arrayContaining(before.mails));
    await passDays(platform, 4 * 366);
    expect((await archiveOf(platform, uid)).proof).toEqual(before.proof);
    await passDays(platform, DAYS_OF_SIX_YEARS - 4 * 366);
    expect(await kindsLeft(platform, uid)).toEqual(BOOKS);
  });

  it.each([
    ["the price of a period", "subscription", { amount: 12_000 }],
    ["the trial", "subscription", { trial_amount: 12_000 }],
    ["the first charge", "payment", { amount: 12_000 }],
  ] as const)("of 120 € by %s ends ten years after", async (_, table, columns) => {
    const platform = await open();
    const [person, other] = [await subscriber(platform), await subscriber(platform)];
    const { uid, payment_uid } = await subscriptionOf(platform, person);
    const small = (await subscriptionOf(platform, other)).uid;
    for (const { uid: account, token } of [person, other]) {
      expect((await platform.call(`DELETE /users/${account}`, { token })).status).toBe(202);
    }
    await passDays(platform, 40);
    await platform.database
      .updateTable(table)
      .set(columns)
      .where("uid", "=", table === "payment" ? payment_uid : uid)
      .execute();
    const before = await archiveOf(platform, uid);
    await passDays(platform, DAYS_OF_SIX_YEARS);
    expect(await kindsLeft(platform, small)).toEqual(BOOKS);
    expect(await archiveOf(platform, uid)).toEqual(before);
    await passDays(platform, DAYS_OF_ELEVEN_YEARS - DAYS_OF_SIX_YEARS);
    expect(await archiveOf(platform, uid)).toEqual({ proof: undefined, mails: [] });
  });

  it("keeps notices without the secrets of their links", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid } = await subscriptionOf(platform, person);
    const notice = { name: "Ada Lovelace", email: person.email };
    await platform.call("POST /cancellations", { body: notice });
    await platform.runDueJobs();
    const { mails } = await archiveOf(platform, uid);
    const receipt = mails.find(({ kind }) => kind === "cancellation-receipt");
    expect(receipt?.text).toContain("Ada Lovelace");
    expect(receipt?.text).toContain("token=…");
    expect(receipt?.text).not.toMatch(/token=\w/);
  });
});

onEachDatabase("the confirmation of a contract", (open) => {
  it("contains terms, withdrawal form, seller, deadline and mediator", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person), { cardNumber: CARDS.success });
    await platform.runDueJobs();
    const welcome = await mailAbout(platform, person.email, "welcome");
    const page = (await platform.call("GET /content/pages/terms-of-service")).body.payload;
    const lastArticle = /Nos coordonnées complètes/;
    expect(page.body).toMatch(lastArticle);
    for (const text of [welcome.text, welcome.html]) {
      expect(text).toMatch(lastArticle);
      expect(text).toContain("Modèle de formulaire de rétractation");
      expect(text).toContain("rétractation du contrat portant sur la prestation de services");
      expect(text).toContain("https://cap.example/withdrawal");
      expect(text).toContain("https://cap.example/cancel-contract");
      expect(text).toContain("4 déc. 2026".replaceAll(" ", "\u00a0"));
      expect(text).toContain("Médiateur de la consommation");
    }
    expect(welcome.html).toContain('href="https://cap.example/privacy"');
    expect(welcome.html).not.toContain('href="/');
  });
});
