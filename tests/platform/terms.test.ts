import { createHash } from "node:crypto";
import type { Migration } from "kysely";
import * as migration from "../../server/platform/database/migrations/0041-catch-up";
import { newUid } from "../../server/platform/ports/ids";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { changeEmail } from "../../server/platform/accounts/change-email";
import { importContent } from "../../server/platform/content/import";
import { lockSubscription } from "../../server/platform/database/subscription-row";
import { updateSubscription } from "../../server/platform/subscriptions/store";
import { announceTerms } from "../../server/platform/subscriptions/terms-change";
import { contentFolder } from "../support/content";
import { openPlatform } from "../../server/platform";
import { startMailServer, type MailServer } from "../support/mail-server";
import { onEachDatabase, ORIGIN, type TestPlatform } from "../support/platform";
import { freePort } from "../support/port";
import { subscriptionContext } from "./context";
import { CARDS, newPage, newPerson, PASSWORD, paymentLink, post, type Person } from "./funnel";
import {
  addFormula,
  back,
  DAY_MS,
  ledgerOf,
  mailAbout,
  mailsTo,
  newestMail,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
  undoAsShown,
} from "./life";

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

const catchUp: Migration = migration;
const UNKNOWN = "0".repeat(64);

/** An editor publishes that text, and the site takes notice. */
async function publish(platform: TestPlatform, body: string, applies?: string) {
  const front = ["title: Conditions", "summary: S", "date: 2026-01-01"];
  if (applies) front.push(`applies: ${applies}`);
  await publishSource(platform, ["---", ...front, "---", "", body, ""].join("\n"));
}

async function publishSource(platform: TestPlatform, source: string) {
  const { directory, remove } = contentFolder({ "pages/terms-of-service.md": source });
  cleanups.push(remove);
  await importContent(platform.database, directory);
  await platform.runDueJobs();
}

const sourceOfTerms = async ({ database }: TestPlatform) =>
  (
    await database
      .selectFrom("content_source")
      .select("source")
      .where("uid", "=", "terms-of-service")
      .executeTakeFirstOrThrow()
  ).source;

const currentOf = async (platform: TestPlatform): Promise<string> =>
  (await platform.call("GET /offers?formula=vip-mensuel")).body.payload.terms;

const termsOf = async ({ call }: TestPlatform, digest: string) =>
  (await call(`GET /terms/${digest}`)).body.payload;

const announcementsTo = async (platform: TestPlatform, email: string) =>
  (await mailsTo(platform, email)).filter((mail) => mail.endsWith(" terms"));

onEachDatabase("a version of the terms", (open) => {
  it("is what the page shows, with its digest", async () => {
    const platform = await open();
    const { title, body } = (await platform.call("GET /content/pages/terms-of-service")).body
      .payload;
    const digest = createHash("sha256").update(`${title}\n${body}`).digest("hex");
    expect(await currentOf(platform)).toBe(digest);
    expect(await termsOf(platform, digest)).toMatchObject({ title, body, digest });
    expect(body).not.toContain("{{");
  });

  it("stays readable after an import changed the text", async () => {
    const platform = await open();
    const old = await currentOf(platform);
    const before = await termsOf(platform, old);
    await publish(platform, "Un autre texte.");
    expect(await currentOf(platform)).not.toBe(old);
    expect(await termsOf(platform, old)).toEqual({ ...before, current: false });
    const page = await platform.call("GET /content/pages/terms-of-service");
    expect(page.body.payload.body).toContain("Un autre texte.");
  });

  it("is created by another seller's identity", async () => {
    const platform = await open();
    const old = await currentOf(platform);
    await platform.close();
    const other = await open({ ...platform.place, identityFile: undefined });
    expect(await currentOf(other)).not.toBe(old);
    expect((await termsOf(other, old)).digest).toBe(old);
  });

  it("is not created by the same text again", async () => {
    const platform = await open();
    await publish(platform, "Un texte.");
    await publish(platform, "Un texte.");
    await (await platform.reopen()).runDueJobs();
    const { database } = await platform.reopen();
    expect(await database.selectFrom("terms_version").select("number").execute()).toHaveLength(2);
  });

  it("that nobody published is not found", async () => {
    const { call } = await open();
    expect((await call(`GET /terms/${UNKNOWN}`)).status).toBe(404);
    expect((await call("GET /terms/none")).status).toBe(404);
  });
});

onEachDatabase("the acceptance of terms", (open) => {
  it("is stored with registration, time and version", async () => {
    const platform = await open();
    const { uid } = await newPerson(platform);
    const account = await platform.database
      .selectFrom("account")
      .select(["terms_digest", "terms_accepted_at"])
      .where("uid", "=", uid)
      .executeTakeFirstOrThrow();
    expect(account).toEqual({
      terms_digest: await currentOf(platform),
      terms_accepted_at: platform.clock.now().toISOString(),
    });
  });

  it("names the version that the form showed", async () => {
    const platform = await open();
    const shown = await currentOf(platform);
    const person = await newPerson(platform);
    await newPage(platform, person, { terms: shown });
    const payment = await platform.database
      .selectFrom("payment")
      .select("terms_digest")
      .where("account_uid", "=", person.uid)
      .executeTakeFirstOrThrow();
    expect(payment.terms_digest).toBe(shown);
  });

  it.each(["replaced", "unknown"])("of a version that is %s is refused", async (kind) => {
    const platform = await open();
    const first = await currentOf(platform);
    await publish(platform, "Un autre texte.");
    const terms = kind === "replaced" ? first : UNKNOWN;
    const registration = await platform.call("POST /registrations/register", {
      body: { identifier: "ada@exemple.fr", formula: "vip-mensuel", password: PASSWORD, terms },
    });
    const person = await newPerson(platform);
    const { token, uid } = person;
    const link = await paymentLink(platform, person, { terms });
    const headers = { "idempotency-key": crypto.randomUUID() };
    const subscribed = await platform.call("POST /subscriptions/subscribe", {
      token,
      headers,
      body: { uid, formula: "vip-mensuel", terms },
    });
    const creditCard = { number: CARDS.success, month: 12, year: 2030, code: "123" };
    const paid = await platform.call("POST /subscriptions", {
      token,
      headers,
      body: { uid, firstname: "Ada", lastname: "L", formula: "vip-mensuel", creditCard, terms },
    });
    for (const { status, body } of [registration, link, subscribed, paid]) {
      expect(status).toBe(400);
      expect(body.violations).toMatchObject([{ property: "terms" }]);
    }
  });
});

/** The three calls that order. */
const orders = ["link", "subscribe", "card"] as const;

function order(
  platform: TestPlatform,
  person: Person,
  call: (typeof orders)[number],
  more: object = {},
  number = CARDS.success,
) {
  const { uid, token } = person;
  if (call === "link") return paymentLink(platform, person, more);
  const headers = { "idempotency-key": crypto.randomUUID() };
  const body = { uid, formula: "vip-mensuel", ...more };
  if (call === "subscribe") {
    return platform.call("POST /subscriptions/subscribe", { token, headers, body });
  }
  const creditCard = { number, month: 12, year: 2030, code: "123" };
  const payer = { firstname: "Ada", lastname: "Lovelace", creditCard };
  return platform.call("POST /subscriptions", { token, headers, body: { ...body, ...payer } });
}

const offerTo = async (platform: TestPlatform, { token }: Person) =>
  (await platform.call("GET /offers?formula=vip-mensuel", { token })).body.payload;

const acceptanceOf = async (platform: TestPlatform, { token }: Person) =>
  (await platform.call("GET /subscriptions/proof", { token })).body.payload.termsAcceptance;

onEachDatabase("an order under terms that changed since", (open) => {
  it.each(orders)("is refused without their acceptance: %s", async (call) => {
    const platform = await open();
    const person = await newPerson(platform);
    await publish(platform, "Un autre texte.");
    const { status, body } = await order(platform, person, call);
    expect(status).toBe(400);
    expect(body.violations).toMatchObject([{ property: "terms", type: "missing" }]);
    expect(await platform.database.selectFrom("payment").selectAll().execute()).toEqual([]);
  });

  it.each(orders)("accepts the version that it names: %s", async (call) => {
    const platform = await open();
    const person = await newPerson(platform);
    await publish(platform, "Un autre texte.");
    const terms = await currentOf(platform);
    expect((await order(platform, person, call, { terms })).status).toBeLessThan(300);
    const payment = await platform.database
      .selectFrom("payment")
      .select(["terms_digest", "terms_accepted_at", "terms_named"])
      .executeTakeFirstOrThrow();
    expect(payment).toEqual({
      terms_digest: terms,
      terms_accepted_at: platform.clock.now().toISOString(),
      terms_named: 1,
    });
  });

  it("is told apart by the offers", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    expect(await offerTo(platform, person)).toMatchObject({ termsAccepted: true });
    await publish(platform, "Un autre texte.");
    const terms = await currentOf(platform);
    expect(await offerTo(platform, person)).toMatchObject({ terms, termsAccepted: false });
    const anybody = (await platform.call("GET /offers?formula=vip-mensuel")).body.payload;
    expect(anybody).not.toHaveProperty("termsAccepted");
    await order(platform, person, "link", { terms });
    expect(await offerTo(platform, person)).toMatchObject({ termsAccepted: true });
  });

  it("asks anew for a text that came back", async () => {
    const platform = await open();
    await publish(platform, "Un texte.");
    const person = await newPerson(platform);
    await publish(platform, "Un autre texte.");
    await order(platform, person, "link", { terms: await currentOf(platform) });
    await publish(platform, "Un texte.");
    expect(await offerTo(platform, person)).toMatchObject({ termsAccepted: false });
  });
});

onEachDatabase("the proof of an acceptance", (open) => {
  it.each([false, true])("names the registration; named with the order: %s", async (isNamed) => {
    const platform = await open();
    const person = await newPerson(platform);
    const dateTime = platform.clock.now().toISOString();
    platform.clock.advance(60_000);
    const more = isNamed ? { terms: await currentOf(platform) } : {};
    await order(platform, person, "card", more);
    const expected = { by: "registration", dateTime, namedWithOrder: isNamed };
    expect(await acceptanceOf(platform, person)).toEqual(expected);
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "welcome");
    expect(text).toMatch(/que vous avez acceptées à votre inscription, le 20\snov\.\s2026/);
  });

  it("names the order, in its mail and archive too", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await publish(platform, "Un autre texte.");
    platform.clock.advance(60_000);
    const dateTime = platform.clock.now().toISOString();
    await order(platform, person, "card", { terms: await currentOf(platform) });
    const acceptance = { by: "order", dateTime, namedWithOrder: true };
    expect(await acceptanceOf(platform, person)).toEqual(acceptance);
    const { body } = await platform.call(`GET /users/${person.uid}/export`, {
      token: person.token,
    });
    expect(body.payload.contractProofs).toMatchObject([{ termsAcceptance: acceptance }]);
    expect(body.payload.payments).toMatchObject([
      { termsAcceptedDateTime: dateTime, termsNamed: true },
    ]);
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "welcome");
    expect(text).toContain("que vous avez acceptées avec cette commande");
  });

  it("names an earlier order, such as one declined", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await publish(platform, "Un autre texte.");
    const terms = await currentOf(platform);
    const dateTime = platform.clock.now().toISOString();
    await order(platform, person, "card", { terms }, CARDS.declined);
    platform.clock.advance(60_000);
    await order(platform, person, "card", { terms });
    const expected = { by: "earlier-order", dateTime, namedWithOrder: true };
    expect(await acceptanceOf(platform, person)).toEqual(expected);
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "welcome");
    expect(text).toMatch(/que vous avez acceptées le 20\snov\.\s2026, en commandant/);
  });

  it("claims nothing where nothing tells", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    // As an order of a release that asked nobody about the changed text.
    await publish(platform, "Un autre texte.");
    const terms_digest = await currentOf(platform);
    await platform.database
      .updateTable("payment")
      .set({ terms_digest, terms_named: null })
      .execute();
    await post(platform, page);
    await platform.runDueJobs();
    expect(await acceptanceOf(platform, person)).toBeUndefined();
    const { text } = await mailAbout(platform, person.email, "welcome");
    expect(text).toContain("les conditions de votre commande");
    expect(text).not.toContain("acceptées");
  });
});

onEachDatabase("a due renewal", (open) => {
  it("needs and records no acceptance of terms", async () => {
    const platform = await open();
    const first = await subscriber(platform, { card: CARDS.renewalDeclined });
    const { terms_digest: agreed } = await subscriptionOf(platform, first);
    await passDays(platform, 7);
    const person = await back(platform, first);
    await publish(platform, "Un autre texte.");
    const offer = await offerTo(platform, person);
    expect(offer.due).not.toBeNull();
    expect(offer).not.toHaveProperty("terms");
    expect(offer).not.toHaveProperty("termsAccepted");
    expect((await order(platform, person, "card")).status).toBe(200);
    const paid = await platform.database
      .selectFrom("payment")
      .select(["terms_digest", "terms_accepted_at"])
      .orderBy("created_at", "desc")
      .limit(1)
      .executeTakeFirst();
    expect(paid).toEqual({ terms_digest: null, terms_accepted_at: null });
    expect((await subscriptionOf(platform, person)).terms_digest).toBe(agreed);
  });
});

onEachDatabase("a changed version", (open) => {
  it("is mailed a month before it applies", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    await publish(platform, "Un autre texte.");
    expect(await announcementsTo(platform, email)).toEqual([]);
    await passDays(platform, 1);
    expect(await announcementsTo(platform, email)).toHaveLength(1);
    const mail = await mailAbout(platform, email, "terms");
    const digest = await currentOf(platform);
    expect(mail.text).toContain(`/terms-of-service/${digest}`);
    const { appliesDateTime } = await termsOf(platform, digest);
    // From the 20th of November: the midnight in Paris that ends the 20th of December.
    expect(appliesDateTime).toBe("2026-12-20T23:00:00.000Z");
    expect(mail.text).toContain("21 déc. 2026".replaceAll(" ", "\u00a0"));
  });

  it("applies from the later day in the file", async () => {
    const platform = await open();
    await publish(platform, "Un texte.", "2027-03-01");
    const { appliesDateTime } = await termsOf(platform, await currentOf(platform));
    expect(appliesDateTime).toBe("2027-02-28T23:00:00.000Z");
    await publish(platform, "Un autre texte.", "2026-11-21");
    const next = await termsOf(platform, await currentOf(platform));
    expect(next.appliesDateTime).toBe("2026-12-20T23:00:00.000Z");
  });

  it("that was corrected within an hour is not mailed", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    await publish(platform, "Une faute.");
    await publish(platform, "Le bon texte.");
    await passDays(platform, 1);
    expect(await announcementsTo(platform, email)).toHaveLength(1);
  });

  it("is not mailed to somebody who accepted it already", async () => {
    const platform = await open();
    await publish(platform, "Un autre texte.");
    const { email } = await subscriber(platform);
    await passDays(platform, 1);
    expect(await announcementsTo(platform, email)).toEqual([]);
  });

  it("is told at once to who ordered under the earlier one", async () => {
    const platform = await open();
    const late = await newPerson(platform);
    const page = await newPage(platform, late);
    await publish(platform, "Un autre texte.");
    platform.clock.advance(61 * 60_000);
    await platform.database.updateTable("bank_page").set({ expires_at: "2099-01-01" }).execute();
    await platform.runDueJobs();
    await post(platform, page);
    await platform.runDueJobs();
    expect(await announcementsTo(platform, late.email)).toHaveLength(1);
    await passDays(platform, 40);
    expect(await announcementsTo(platform, late.email)).toHaveLength(1);
  });

  it("is told to who was leaving and stays", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    await platform.call("POST /cancellations", { body: { name: "Ada Byron", email } });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, email);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 1);
    expect(await announcementsTo(platform, email)).toEqual([]);
    await undoAsShown(platform, /\?token=(\S+)/.exec(text)?.[1] ?? "");
    await passDays(platform, 1);
    expect(await announcementsTo(platform, email)).toHaveLength(1);
  });

  it("counts a whole month after a late announcement", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await publish(platform, "Un autre texte.");
    platform.clock.advance(40 * DAY_MS);
    await platform.runDueJobs();
    const mail = await mailAbout(platform, person.email, "terms");
    // From the 30th of December: the midnight in Paris that ends the 30th of January.
    expect(mail.text).toContain("31 janv. 2027".replaceAll(" ", "\u00a0"));
    const { token } = await back(platform, person);
    const { body } = await platform.call("GET /subscriptions/proof", { token });
    const digest = await currentOf(platform);
    const appliesDateTime = "2027-01-30T23:00:00.000Z";
    expect(body.payload.newTerms).toEqual({ digest, appliesDateTime });
    expect((await termsOf(platform, digest)).appliesDateTime).toBe(appliesDateTime);
  });

  it("is at the contract only once it is told", async () => {
    const platform = await open();
    const { token } = await subscriber(platform);
    await publish(platform, "Un autre texte.");
    const { body } = await platform.call("GET /subscriptions/proof", { token });
    expect(body.payload.newTerms).toBeUndefined();
  });

  it("that is taken back is told to who was told of it", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const source = await sourceOfTerms(platform);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 1);
    const later = await subscriber(platform);
    await publishSource(platform, source);
    await passDays(platform, 1);
    expect(await announcementsTo(platform, person.email)).toHaveLength(2);
    const mail = await newestMail(platform, person.email);
    expect(mail.text).toContain("Ce changement n’aura pas lieu");
    const own = await platform.call("GET /subscriptions/proof", { token: person.token });
    expect(own.body.payload.newTerms).toBeUndefined();
    // Who accepted the text that is taken back is told of the other one.
    expect((await newestMail(platform, later.email)).text).toContain(
      "le nouveau texte s’appliquera",
    );
  });

  it("that is taken back after it applied is announced anew", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const source = await sourceOfTerms(platform);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 40);
    await publishSource(platform, source);
    await passDays(platform, 1);
    expect(await announcementsTo(platform, person.email)).toHaveLength(2);
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain("le nouveau texte s’appliquera");
  });

  it("takes another date of the same text before it is told", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    await publish(platform, "Un texte.", "2027-02-01");
    await publish(platform, "Un texte.", "2027-03-01");
    await passDays(platform, 1);
    expect(await announcementsTo(platform, email)).toHaveLength(1);
    expect((await mailAbout(platform, email, "terms")).text).toContain(
      "1er mars 2027".replaceAll(" ", "\u00a0"),
    );
  });

  it("is told again with another date of the same text", async () => {
    const platform = await open();
    const { email, token } = await subscriber(platform);
    await publish(platform, "Un texte.", "2027-02-01");
    await passDays(platform, 1);
    await publish(platform, "Un texte.", "2026-11-25");
    await passDays(platform, 1);
    expect(await announcementsTo(platform, email)).toHaveLength(2);
    expect((await newestMail(platform, email)).text).toContain(
      "22 déc. 2026".replaceAll(" ", "\u00a0"),
    );
    const { body } = await platform.call("GET /subscriptions/proof", { token });
    expect(body.payload.newTerms.appliesDateTime).toBe("2026-12-21T23:00:00.000Z");
    const versions = await platform.database.selectFrom("terms_version").select("number").execute();
    expect(versions).toHaveLength(2);
  });

  it("is recorded by a start only once its server listens", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    const shown = await currentOf(platform);
    const refused = await openPlatform({
      ...platform.place,
      contentDir: "server/content",
      siteTitle: "Cap Céleste",
      siteUrl: ORIGIN,
      secrets: ["a secret for tests only, long enough"],
      activationDelaySeconds: 0,
      log: { info() {}, warn() {}, error() {} },
      clock: platform.clock,
      jobs: true,
    });
    await refused.close();
    expect(await currentOf(platform)).toBe(shown);
    await passDays(platform, 1);
    expect(await announcementsTo(platform, email)).toEqual([]);
  });
});

/** What the proof of a person's contract says of its terms, and their export the same. */
async function contractTermsOf(platform: TestPlatform, person: Person) {
  const { token, uid } = await back(platform, person);
  const { body } = await platform.call("GET /subscriptions/proof", { token });
  const exported = await platform.call(`GET /users/${uid}/export`, { token });
  const { terms, termsInForce, newTerms, declinedTerms } = body.payload;
  const [contract] = exported.body.payload.subscriptions;
  expect(contract.termsInForce).toEqual(termsInForce);
  expect(contract.newTerms).toEqual(newTerms);
  expect(contract.declinedTerms).toEqual(declinedTerms);
  return { terms, termsInForce, newTerms, declinedTerms };
}

/** Somebody whose contract lasts a year, and the version that they accepted. */
async function annual(platform: TestPlatform) {
  const person = await subscriber(platform, { formula: await addFormula(platform, [1, "year"]) });
  return { person, accepted: { digest: await currentOf(platform) } };
}

/** Stops a contract by a notice; its link undoes that. */
async function stop(platform: TestPlatform, { email }: Person, date?: string) {
  await platform.call("POST /cancellations", {
    body: { name: "Ada Byron", email, ...(date && { date }) },
  });
  await platform.runDueJobs();
  return /\?token=(\S+)/.exec((await newestMail(platform, email)).text)?.[1] ?? "";
}

const days = (text: string) => text.replaceAll(" ", "\u00a0");

onEachDatabase("a contract from before versions were recorded", (open) => {
  /** As an upgrade finds it. */
  async function forgetVersions({ database }: TestPlatform) {
    await database.deleteFrom("terms_version").execute();
    await database.updateTable("payment").set({ terms_digest: null }).execute();
    await database.updateTable("subscription").set({ terms_digest: null }).execute();
  }

  const termsOfContract = ({ database }: TestPlatform) =>
    database
      .selectFrom("subscription")
      .select(["terms_digest", "terms_before", "terms_apply_at"])
      .executeTakeFirstOrThrow();

  it("has the first one, and is told of changes only", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    await forgetVersions(platform);
    const upgraded = await platform.reopen();
    const first = await currentOf(upgraded);
    await passDays(upgraded, 40);
    expect(await announcementsTo(upgraded, email)).toEqual([]);
    await publish(upgraded, "Un autre texte.");
    await passDays(upgraded, 1);
    expect(await announcementsTo(upgraded, email)).toHaveLength(1);
    expect(await termsOfContract(upgraded)).toMatchObject({ terms_before: first });
  });

  it("has the first one when its payment was under way", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    await forgetVersions(platform);
    const upgraded = await platform.reopen();
    await post(upgraded, page);
    await passDays(upgraded, 3);
    expect(await announcementsTo(upgraded, person.email)).toEqual([]);
    expect((await termsOfContract(upgraded)).terms_digest).toBe(await currentOf(upgraded));
  });

  it.each([
    ["that an earlier release left without", () => ({ terms_digest: null }), null],
    ["that was told the first one", (first: string) => ({ terms_digest: first }), null],
    ["that was told a later one", () => ({ terms_digest: UNKNOWN }), "2027-01-01"],
  ])("%s has it after the next upgrade", async (_, told, applies) => {
    const platform = await open();
    await subscriber(platform);
    const { database } = platform;
    const first = await currentOf(platform);
    await database.updateTable("payment").set({ terms_digest: null }).execute();
    const terms_apply_at = "2027-01-01";
    await database
      .updateTable("subscription")
      .set({ ...told(first), terms_apply_at })
      .execute();
    await database.deleteFrom("setting").where("name", "=", "seed.demonstration").execute();
    await database.schema.alterTable("subscription").dropColumn("card_told").execute();
    await catchUp.up(database);
    const { terms_digest, terms_before, terms_apply_at: date } = await termsOfContract(platform);
    expect([terms_before ?? terms_digest, date]).toEqual([first, applies]);
  });
});

onEachDatabase("a contract that is stopped", (open) => {
  const APPLIES = "2026-12-20T23:00:00.000Z";

  it("before a version applies keeps its own", async () => {
    const platform = await open();
    const { person, accepted } = await annual(platform);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 1);
    const told = { digest: await currentOf(platform), appliesDateTime: APPLIES };
    expect(await contractTermsOf(platform, person)).toMatchObject({ newTerms: told });
    await stop(platform, person);
    const kept = { terms: accepted.digest, termsInForce: accepted, declinedTerms: told };
    expect(await contractTermsOf(platform, person)).toEqual(kept);
    await passDays(platform, 60);
    expect(await contractTermsOf(platform, person)).toEqual(kept);
  });

  it("before a version applies costs nothing", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 10);
    expect(await announcementsTo(platform, person.email)).toHaveLength(1);
    const { text } = await mailAbout(platform, person.email, "terms");
    expect(text).toContain("sans frais");
    const paid = await ledgerOf(platform, person.email);
    const { token } = await back(platform, person);
    const { body } = await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    expect(body.payload).toMatchObject({ status: "in process" });
    await passTo(platform, "2027-03-01T10:00:00.000Z");
    expect(await ledgerOf(platform, person.email)).toEqual(paid);
    expect((await subscriptionOf(platform, person)).ended_at).not.toBeNull();
  });

  it("after a version applies is under that one", async () => {
    const platform = await open();
    const { person, accepted } = await annual(platform);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 60);
    await stop(platform, person);
    expect(await contractTermsOf(platform, person)).toEqual({
      terms: accepted.digest,
      termsInForce: { digest: await currentOf(platform), sinceDateTime: APPLIES },
    });
  });

  it("is not mailed a version that comes after", async () => {
    const platform = await open();
    const { person, accepted } = await annual(platform);
    await stop(platform, person);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 60);
    expect(await announcementsTo(platform, person.email)).toEqual([]);
    expect(await contractTermsOf(platform, person)).toEqual({
      terms: accepted.digest,
      termsInForce: accepted,
    });
  });

  it("on a later day before a version applies keeps its own", async () => {
    const platform = await open();
    const accepted = { digest: await currentOf(platform) };
    const told = await subscriber(platform);
    const planned = await subscriber(platform);
    const late = await subscriber(platform);
    await stop(platform, planned, "2026-12-10");
    await stop(platform, late, "2026-12-22");
    await publish(platform, "Un autre texte.");
    await passDays(platform, 1);
    expect(await announcementsTo(platform, planned.email)).toEqual([]);
    expect(await announcementsTo(platform, late.email)).toHaveLength(1);
    await stop(platform, told, "2026-12-10");
    expect(await contractTermsOf(platform, told)).toMatchObject({
      termsInForce: accepted,
      declinedTerms: { appliesDateTime: APPLIES },
    });
    await passTo(platform, "2026-12-23T12:00:00.000Z");
    expect((await contractTermsOf(platform, told)).termsInForce).toEqual(accepted);
    expect((await contractTermsOf(platform, planned)).termsInForce).toEqual(accepted);
    expect((await contractTermsOf(platform, late)).termsInForce.sinceDateTime).toBe(APPLIES);
  });

  it("follows the version as announced once it goes on", async () => {
    const platform = await open();
    const { person, accepted } = await annual(platform);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 1);
    await undoAsShown(platform, await stop(platform, person));
    await passDays(platform, 1);
    const digest = await currentOf(platform);
    expect(await contractTermsOf(platform, person)).toEqual({
      terms: accepted.digest,
      termsInForce: accepted,
      newTerms: { digest, appliesDateTime: APPLIES },
    });
    expect(await announcementsTo(platform, person.email)).toHaveLength(1);
  });

  it("is told anew when it begins again after its end", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const accepted = { digest: await currentOf(platform) };
    await passTo(platform, "2026-12-24T12:00:00.000Z");
    await publish(platform, "Un autre texte.");
    await passTo(platform, "2027-01-23T12:00:00.000Z");
    const link = await stop(platform, person);
    await passTo(platform, "2027-01-28T08:00:00.000Z");
    expect((await subscriptionOf(platform, person)).ended_at).not.toBeNull();
    const preview = await platform.call("POST /cancellations/undo/preview", {
      body: { token: link },
    });
    expect(preview.body.payload).toMatchObject({ status: "undone" });
    await undoAsShown(platform, link);
    expect(await contractTermsOf(platform, person)).toMatchObject({ termsInForce: accepted });
  });

  it("is told anew when it goes on after that day", async () => {
    const platform = await open();
    const { person, accepted } = await annual(platform);
    await publish(platform, "Un autre texte.");
    await passTo(platform, "2026-12-18T12:00:00.000Z");
    const link = await stop(platform, person);
    await passTo(platform, "2026-12-22T12:00:00.000Z");
    await undoAsShown(platform, link);
    const kept = { terms: accepted.digest, termsInForce: accepted };
    expect(await contractTermsOf(platform, person)).toEqual(kept);
    await passDays(platform, 1);
    const appliesDateTime = "2027-01-22T23:00:00.000Z";
    const newTerms = { digest: await currentOf(platform), appliesDateTime };
    expect(await contractTermsOf(platform, person)).toEqual({ ...kept, newTerms });
    expect(await announcementsTo(platform, person.email)).toHaveLength(2);
    const { text } = await mailAbout(platform, person.email, "terms");
    expect(text).toContain(days("23 janv. 2027"));
    expect(text).toContain(`annonce du ${days("20 nov. 2026")}, qui reste sans effet`);
  });
});

onEachDatabase("a version that is changed again", (open) => {
  it("is taken back from who was told of it", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await publish(platform, "ALPHA");
    await passDays(platform, 1);
    const later = await subscriber(platform);
    await publish(platform, "BETA");
    await passDays(platform, 1);
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain(`remplace notre annonce du ${days("20 nov. 2026")}`);
    expect(text).toContain("ne s’appliquera jamais");
    const other = await mailAbout(platform, later.email, "terms");
    expect(other.text).toContain("BETA");
    expect(other.text).not.toContain("remplace notre annonce");
  });

  it("names the announcement of another date too", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    await publish(platform, "Un texte.", "2027-02-01");
    await passDays(platform, 1);
    await publish(platform, "Un texte.", "2026-11-25");
    await passDays(platform, 1);
    const { text } = await newestMail(platform, email);
    expect(text).toContain(`annonce du ${days("20 nov. 2026")}, qui reste sans effet`);
  });

  it("replaces no announcement that has come to count", async () => {
    const platform = await open();
    const { person, accepted } = await annual(platform);
    await publish(platform, "BETA");
    await passDays(platform, 60);
    const beta = { digest: await currentOf(platform), sinceDateTime: "2026-12-20T23:00:00.000Z" };
    await publish(platform, "DELTA");
    await passDays(platform, 1);
    const newTerms = {
      digest: await currentOf(platform),
      appliesDateTime: "2027-02-19T23:00:00.000Z",
    };
    // Accepted with the order, in force, and coming.
    const all = { terms: accepted.digest, termsInForce: beta, newTerms };
    expect(await contractTermsOf(platform, person)).toEqual(all);
    const { text } = await newestMail(platform, person.email);
    expect(text).not.toContain("remplace notre annonce");
    await publish(platform, "BETA");
    await passDays(platform, 1);
    expect((await newestMail(platform, person.email)).text).toContain("n’aura pas lieu");
    const { newTerms: _, ...back } = all;
    expect(await contractTermsOf(platform, person)).toEqual(back);
  });
});

onEachDatabase("the mail of a changed version", (open) => {
  it("is sent again to a corrected address, and replaces the first", async () => {
    const platform = await open();
    const { person, accepted } = await annual(platform);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 3);
    expect(await announcementsTo(platform, person.email)).toHaveLength(1);
    const email = "corrigee@exemple.fr";
    await changeEmail(subscriptionContext(platform), { from: person.email, to: email });
    await passDays(platform, 1);
    const { text } = await mailAbout(platform, email, "terms");
    expect(text).toContain(`annonce du ${days("20 nov. 2026")}, qui reste sans effet`);
    const terms = await contractTermsOf(platform, { ...person, email });
    expect(terms.termsInForce).toEqual(accepted);
    expect(text).toContain(days("24 déc. 2026"));
    expect(terms.newTerms.appliesDateTime).toBe("2026-12-23T23:00:00.000Z");
  });

  it("is not sent to a corrected address once it counts", async () => {
    const platform = await open();
    const { person } = await annual(platform);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 40);
    const email = "corrigee@exemple.fr";
    await changeEmail(subscriptionContext(platform), { from: person.email, to: email });
    await passDays(platform, 1);
    expect(await announcementsTo(platform, email)).toEqual([]);
  });

  it("holds the new text in full, as its archive does", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await publish(platform, "Le début.\n\n## 2. Suite\n\nVoir [la page](/privacy). La toute fin.");
    await passDays(platform, 1);
    const { text, html } = await mailAbout(platform, person.email, "terms");
    const { database } = platform;
    const archived = await database
      .selectFrom("contract_mail")
      .select("text")
      .where("kind", "=", "terms-changed")
      .executeTakeFirstOrThrow();
    for (const copy of [text, html, archived.text]) {
      expect(copy).toMatch(/Le début\.[\s\S]+2\. Suite[\s\S]+La toute fin\./);
    }
    expect(html).toContain('href="https://cap.example/privacy"');
  });
});

onEachDatabase("a changed version whose mail does not go out", (open) => {
  const HOUR_MS = 3_600_000;

  /** A platform whose mail server is away until it is started. */
  async function withoutMails() {
    const port = await freePort();
    const platform = await open({ mailUrl: `smtp://127.0.0.1:${port}` });
    const start = async (options: Parameters<typeof startMailServer>[0] = {}) => {
      const server = await startMailServer({ ...options, port });
      onTestFinished(() => server.close().catch(() => undefined));
      return server;
    };
    return { platform, start };
  }

  /** An editor publishes that text, and its announcement is written an hour later. */
  async function announce(platform: TestPlatform, body: string) {
    await publish(platform, body);
    await passHour(platform);
  }

  async function passHour(platform: TestPlatform) {
    platform.clock.advance(HOUR_MS);
    await platform.runDueJobs();
  }

  async function waitDays(platform: TestPlatform, days: number) {
    for (let day = 0; day < days; day++) {
      platform.clock.advance(DAY_MS);
      await platform.runDueJobs();
    }
  }

  const announcedBy = ({ mails }: MailServer) =>
    mails.filter(({ headers }) => headers.get("subject")?.startsWith("Nos conditions"));

  it.each([
    [28, "2027-01-18T23:00:00.000Z", "19 janv. 2027"],
    [31, "2027-01-21T23:00:00.000Z", "22 janv. 2027"],
  ])("for %i days counts a month after it did", async (late, appliesDateTime, day) => {
    const { platform, start } = await withoutMails();
    const { person, accepted } = await annual(platform);
    await announce(platform, "Un autre texte.");
    await waitDays(platform, late);
    const kept = { terms: accepted.digest, termsInForce: accepted };
    expect(await contractTermsOf(platform, person)).toEqual(kept);
    const server = await start();
    await passHour(platform);
    const [mail, ...further] = announcedBy(server);
    expect(further).toEqual([]);
    expect(mail?.text).toContain(days(day));
    expect(mail?.html).toContain(days(day));
    const digest = await currentOf(platform);
    const newTerms = { digest, appliesDateTime };
    expect(await contractTermsOf(platform, person)).toEqual({ ...kept, newTerms });
    const archived = await platform.database
      .selectFrom("contract_mail")
      .select("text")
      .where("kind", "=", "terms-changed")
      .where("sent_at", "is not", null)
      .executeTakeFirstOrThrow();
    expect(archived.text).toContain(days(day));
    await waitDays(platform, 40);
    expect(announcedBy(server)).toHaveLength(1);
    expect((await contractTermsOf(platform, person)).termsInForce).toEqual({
      digest,
      sinceDateTime: appliesDateTime,
    });
  });

  it("is written again to a refused address only once it is corrected", async () => {
    const { platform, start } = await withoutMails();
    const { person, accepted } = await annual(platform);
    const server = await start({
      onRcptTo: ({ address }, _session, done) =>
        address === person.email
          ? done(Object.assign(new Error("Nobody here"), { responseCode: 550 }))
          : done(),
    });
    await announce(platform, "Un autre texte.");
    await waitDays(platform, 100);
    expect(await announcementsTo(platform, person.email)).toHaveLength(1);
    const kept = { terms: accepted.digest, termsInForce: accepted };
    expect(await contractTermsOf(platform, person)).toEqual(kept);
    const email = "corrigee@exemple.fr";
    await changeEmail(subscriptionContext(platform), { from: person.email, to: email });
    await passHour(platform);
    expect(announcedBy(server).map(({ recipients }) => recipients)).toEqual([[email]]);
    const { newTerms } = await contractTermsOf(platform, { ...person, email });
    expect(newTerms.digest).toBe(await currentOf(platform));
  });

  it("takes a date that its file got after it counted", async () => {
    const { platform, start } = await withoutMails();
    const { person } = await annual(platform);
    await announce(platform, "Un texte.");
    await waitDays(platform, 35);
    const before = await termsOf(platform, await currentOf(platform));
    await publish(platform, "Un texte.", "2027-06-01");
    expect(await termsOf(platform, before.digest)).toEqual(before);
    const server = await start();
    await passHour(platform);
    expect(announcedBy(server).map(({ text }) => text.includes(days("1er juin 2027")))).toEqual([
      true,
    ]);
    const { newTerms } = await contractTermsOf(platform, person);
    expect(newTerms.appliesDateTime).toBe("2027-05-31T22:00:00.000Z");
  });

  it("is not sent once the contract is stopped", async () => {
    const { platform, start } = await withoutMails();
    const { person, accepted } = await annual(platform);
    await announce(platform, "Un autre texte.");
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    const server = await start();
    await passHour(platform);
    expect(server.mails.length).toBeGreaterThan(0);
    expect(announcedBy(server)).toEqual([]);
    const kept = { terms: accepted.digest, termsInForce: accepted };
    expect(await contractTermsOf(platform, person)).toEqual(kept);
  });

  it("is not sent once another one replaces it", async () => {
    const { platform, start } = await withoutMails();
    const { person } = await annual(platform);
    await announce(platform, "ALPHA");
    await waitDays(platform, 3);
    await announce(platform, "BETA");
    const server = await start();
    await passHour(platform);
    expect(announcedBy(server).map(({ text }) => /ALPHA|BETA/.exec(text)?.[0])).toEqual(["BETA"]);
    expect(announcedBy(server)[0]?.text).not.toContain("remplace notre annonce");
    const { newTerms } = await contractTermsOf(platform, person);
    expect(newTerms.digest).toBe(await currentOf(platform));
  });

  it("is not written again when it names the corrected date", async () => {
    const { platform, start } = await withoutMails();
    await annual(platform);
    await announce(platform, "Un texte.");
    await publish(platform, "Un texte.", "2027-03-01");
    platform.clock.advance(10 * 60_000);
    const server = await start();
    await platform.runDueJobs();
    expect(announcedBy(server).map(({ text }) => text.includes(days("1er mars 2027")))).toEqual([
      true,
    ]);
    await passHour(platform);
    await waitDays(platform, 1);
    expect(announcedBy(server)).toHaveLength(1);
  });

  it("lets the one that it replaces be of no effect all the same", async () => {
    const { platform, start } = await withoutMails();
    const { person, accepted } = await annual(platform);
    const source = await sourceOfTerms(platform);
    const before = await start();
    await announce(platform, "ALPHA");
    expect(announcedBy(before)).toHaveLength(1);
    await before.close();
    await waitDays(platform, 25);
    await announce(platform, "BETA");
    await waitDays(platform, 10);
    const kept = { terms: accepted.digest, termsInForce: accepted };
    expect(await contractTermsOf(platform, person)).toEqual(kept);
    await publishSource(platform, source);
    await passHour(platform);
    const server = await start();
    await passHour(platform);
    // The text of the contract is back, and its person had read of another one.
    expect(announcedBy(server).map(({ headers }) => headers.get("subject"))).toEqual([
      "Nos conditions ne changent pas",
    ]);
    expect(await contractTermsOf(platform, person)).toEqual(kept);
  });
});

onEachDatabase("the date of a text that counts", (open) => {
  const ANOTHER_DAY = "applies: 2027-06-01";

  it("of a first version changes nothing in its file", async () => {
    const platform = await open();
    const { email, token } = await subscriber(platform);
    const before = await termsOf(platform, await currentOf(platform));
    const source = await sourceOfTerms(platform);
    await publishSource(platform, source.replace("---\n", `---\n${ANOTHER_DAY}\n`));
    await passDays(platform, 1);
    expect(await termsOf(platform, await currentOf(platform))).toEqual(before);
    expect(await announcementsTo(platform, email)).toEqual([]);
    const { body } = await platform.call("GET /subscriptions/proof", { token });
    expect(body.payload.newTerms).toBeUndefined();
  });

  it("of a changed version changes nothing in its file", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await publish(platform, "Un texte.");
    await passDays(platform, 40);
    const before = await termsOf(platform, await currentOf(platform));
    await publish(platform, "Un texte.", "2027-06-01");
    await passDays(platform, 1);
    expect(await termsOf(platform, await currentOf(platform))).toEqual(before);
    expect(await announcementsTo(platform, person.email)).toHaveLength(1);
  });
});

onEachDatabase("the announcement of a changed version", (open) => {
  const MINUTE_MS = 60_000;

  async function passMinutes(platform: TestPlatform, minutes: number) {
    platform.clock.advance(minutes * MINUTE_MS);
    await platform.runDueJobs();
  }

  /** More contracts like this person's, each of another account. */
  async function copyContract(platform: TestPlatform, { uid }: { uid: string }, copies: number) {
    const { database } = platform;
    const account = await database
      .selectFrom("account")
      .selectAll()
      .where("uid", "=", uid)
      .executeTakeFirstOrThrow();
    const payment = await database
      .selectFrom("payment")
      .selectAll()
      .where("account_uid", "=", uid)
      .executeTakeFirstOrThrow();
    const subscription = await subscriptionOf(platform, { uid });
    for (let copy = 0; copy < copies; copy++) {
      const [account_uid, payment_uid] = [newUid(), newUid()];
      const identifier = `copie.${copy}@exemple.fr`;
      await database
        .insertInto("account")
        .values({ ...account, uid: account_uid, identifier, identifier_key: identifier })
        .execute();
      await database
        .insertInto("payment")
        .values({ ...payment, uid: payment_uid, account_uid, gateway_reference: null })
        .execute();
      await database
        .insertInto("subscription")
        .values({ ...subscription, uid: newUid(), account_uid, payment_uid })
        .execute();
    }
  }

  it("gives a correction its own hour", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    await publish(platform, "Une faute.");
    await passMinutes(platform, 59);
    await publish(platform, "Le bon texte.");
    await passMinutes(platform, 2);
    await passMinutes(platform, 56);
    expect(await announcementsTo(platform, email)).toEqual([]);
    await passMinutes(platform, 3);
    expect(await announcementsTo(platform, email)).toHaveLength(1);
    const { text } = await newestMail(platform, email);
    expect(text).toContain(`/terms-of-service/${await currentOf(platform)}`);
  });

  it("gives that hour to late orders too", async () => {
    const platform = await open();
    const late = await newPerson(platform);
    const page = await newPage(platform, late);
    await publish(platform, "Une faute.");
    await passMinutes(platform, 10);
    await post(platform, page);
    await passMinutes(platform, 1);
    expect(await announcementsTo(platform, late.email)).toEqual([]);
    await publish(platform, "Le bon texte.");
    await passDays(platform, 1);
    expect(await announcementsTo(platform, late.email)).toHaveLength(1);
    const { text } = await mailAbout(platform, late.email, "terms");
    expect(text).toContain(`/terms-of-service/${await currentOf(platform)}`);
  });

  it("is mailed once to who goes on before a corrected date", async () => {
    const platform = await open();
    const { person } = await annual(platform);
    const link = await stop(platform, person);
    await publish(platform, "Un texte.");
    await passMinutes(platform, 61);
    await publish(platform, "Un texte.", "2027-03-01");
    await passMinutes(platform, 10);
    await undoAsShown(platform, link);
    await passMinutes(platform, 1);
    expect(await announcementsTo(platform, person.email)).toHaveLength(1);
    await passMinutes(platform, 61);
    expect(await announcementsTo(platform, person.email)).toHaveLength(1);
  });

  it("is not written where another process told meanwhile", async () => {
    const platform = await open();
    const { database, clock } = platform;
    const person = await subscriber(platform);
    await publish(platform, "Un autre texte.");
    const terms_digest = await currentOf(platform);
    const { uid, terms_digest: terms_before } = await subscriptionOf(platform, person);
    const terms_apply_at = "2026-12-20T23:00:00.000Z";
    const told = { terms_digest, terms_before, terms_apply_at };
    let announcing: Promise<void> | undefined;
    await database.transaction().execute(async (db) => {
      await lockSubscription(db, uid);
      announcing = announceTerms(subscriptionContext(platform), { number: 2 });
      // It finds the contract meanwhile, and waits for its lock.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const terms_told_at = clock.now().toISOString();
      await updateSubscription(db, uid, { ...told, terms_told_at });
    });
    await announcing;
    await platform.runDueJobs();
    expect(await announcementsTo(platform, person.email)).toEqual([]);
    expect(await subscriptionOf(platform, person)).toMatchObject(told);
  });

  it("reaches more subscribers than fit one batch", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await copyContract(platform, person, 104);
    await publish(platform, "Un autre texte.");
    await passMinutes(platform, 61);
    await platform.runDueJobs();
    const { database } = platform;
    const told = await database
      .selectFrom("mail")
      .select("recipient")
      .where("key", "like", "terms:%")
      .execute();
    expect(new Set(told.map(({ recipient }) => recipient)).size).toBe(105);
    expect(told).toHaveLength(105);
  });
});
