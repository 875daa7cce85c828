import { afterAll, expect, it } from "vitest";
import { calendarOf } from "../../../app/contract/periods";
import { FakeClock } from "../../../server/platform/ports/clock";
import { paths, serverPaths } from "~/paths";
import { openLoopback } from "../../app/loopback";
import { CASHBACK, newPage, newPerson, PASSWORD, post, type Person } from "../../platform/funnel";
import { back, loseCard, mailAbout, passTo, subscriptionOf } from "../../platform/life";
import { markCreditPaid } from "../../../server/platform/subscriptions/credit-payment";
import { onEachDatabase, type TestPlatform } from "../../support/platform";
import {
  hiddenFields,
  openPages,
  type Fields,
  type PageAnswer,
  type Visitor,
} from "../../support/pages";

let platform: TestPlatform;

let previews = 0;

const api = await openLoopback((request) => {
  if (request.url.endsWith("/subscriptions/cancellation/preview")) previews += 1;
  return platform.fetch(request);
});
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

const PARTNER = "?utk=demo-cashback&token=abc&platform=demo";
const DUE = "2027-01-03T10:00:00.000Z";
const SUCCESS = "/registration/success";

onEachDatabase("a cashback offer", (open) => {
  it.each([paths.registration(), paths.registrationPayment()])(
    "is shown at %s with all its conditions",
    async (path) => {
      platform = await open();
      const { body } = await platform.call("GET /formulas/vip-cashback");
      const { debtor, way, conditions } = body.payload.creditTerms;
      const page = await visitor().get(`${path}${PARTNER}`);
      const words = page.dom.querySelector(".price")?.text.replace(/\s+/g, " ");
      for (const term of ["20,00 €", debtor, way, "30 jours après le premier débit", conditions]) {
        expect(words).toContain(term);
      }
      expect(words).toMatch(/, soit vers le \d[^,]* si celui du \d[^,]* réussit\. Conditions/);
    },
  );

  async function factsOf({ email }: Person, path = paths.accountSubscription()) {
    const reader = visitor();
    await reader.post(paths.login(), { email, password: PASSWORD });
    const { dom } = await reader.get(path);
    return dom.querySelector("main")?.text.replace(/\s+/g, " ");
  }

  const SHOWN_AT = [paths.accountSubscription(), paths.accountContract()];

  it.each(SHOWN_AT)("shows its state at %s", async (path) => {
    platform = await open({ clock: new FakeClock() });
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person, CASHBACK));
    const words = await factsOf(person, path);
    expect(words).toContain("20,00 € que vous verse Astro Partenaire (démonstration)");
    const day = path === paths.accountSubscription() ? "prévu vers le 3 janv. 2027" : "le premier";
    expect(words).toContain(`pas encore dû : ${day}`);
    await passTo(platform, "2026-12-10T10:00:00.000Z");
    expect(await factsOf(person, path)).toContain("dû à partir du 3 janv. 2027");
    await passTo(platform, DUE);
    await platform.runDueJobs();
    expect(await factsOf(person, path)).toContain("dû depuis le 3 janv. 2027");
    const { database: db, clock } = platform;
    const { uid } = await subscriptionOf(platform, person);
    const calendar = calendarOf(undefined);
    expect(await markCreditPaid({ db, clock, calendar }, uid, null)).not.toHaveProperty("refusal");
    expect(await factsOf(person, path)).toContain("payé le 3 janv. 2027");
  });

  it("stays on the page of the contract after its end", async () => {
    const person = await buyer();
    await passTo(platform, "2026-12-10T10:00:00.000Z");
    await loseCard(platform, person);
    await passTo(platform, "2027-01-20T10:00:00.000Z");
    expect((await subscriptionOf(platform, person)).ended_at).not.toBeNull();
    const reader = await signedIn(person);
    expect((await reader.get(paths.accountSubscription())).status).toBe(302);
    const words = wordsOf(await reader.get(paths.accountContract())) ?? "";
    expect(words).toContain("20,00 € que vous verse Astro Partenaire (démonstration)");
    expect(words).toContain("dû depuis le 3 janv. 2027");
    // The confirmation below holds the whole terms.
    expect(words.indexOf("dû depuis")).toBeLessThan(words.indexOf("Confirmation envoyée"));
    const { text } = await mailAbout(platform, person.email, "credit-due");
    expect(text).toContain(paths.accountContract());
  });

  it("stays readable once another contract is newer", async () => {
    const person = await buyer();
    await passTo(platform, "2026-12-10T10:00:00.000Z");
    await loseCard(platform, person);
    await passTo(platform, "2027-01-20T10:00:00.000Z");
    const { uid } = await subscriptionOf(platform, person);
    await post(platform, await newPage(platform, await back(platform, person)));
    const reader = await signedIn(person);
    const newest = await reader.get(paths.accountContract());
    expect(wordsOf(newest)).not.toContain("dû depuis le 3 janv. 2027");
    const link = newest.dom.querySelector("section[aria-labelledby=others] a");
    expect(link?.getAttribute("href")).toBe(paths.accountContract(uid));
    const words = wordsOf(await reader.get(paths.accountContract(uid)));
    expect(words).toContain("20,00 € que vous verse Astro Partenaire (démonstration)");
    expect(words).toContain("dû depuis le 3 janv. 2027");
    const { text } = await mailAbout(platform, person.email, "credit-due");
    expect(text).toContain(paths.accountContract(uid));
  });

  it("is on no page of somebody else", async () => {
    const person = await buyer();
    const { uid } = await subscriptionOf(platform, person);
    const other = await newPerson(platform);
    await post(platform, await newPage(platform, other));
    const page = await (await signedIn(other)).get(paths.accountContract(uid));
    expect(page.status).toBe(404);
  });

  async function buyer({ creditAfter = "full-payment" } = {}) {
    platform = await open({ clock: new FakeClock() });
    const terms = { credit_delay_after: creditAfter };
    await platform.database.updateTable("formula").set(terms).execute();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person, CASHBACK));
    return person;
  }

  async function signedIn({ email }: Person) {
    const reader = visitor();
    await reader.post(paths.login(), { email, password: PASSWORD });
    return reader;
  }

  const wordsOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text.replace(/\s+/g, " ");

  const recapOf = (reader: Visitor, { email }: Person, more: Fields = {}) =>
    reader.post(paths.cancelContract(), { name: "Ada Byron", email, intent: "recap", ...more });

  it("is promised on the page of a payment only while it is still to be paid", async () => {
    const person = await buyer();
    const promised = async () => wordsOf(await (await signedIn(person)).get(SUCCESS));
    expect(await promised()).toMatch(/comprend un cashback\s: 20,00 €/);
    await passTo(platform, DUE);
    await platform.runDueJobs();
    expect(await promised()).toContain("comprend un cashback");
    const { database: db, clock } = platform;
    const { uid } = await subscriptionOf(platform, person);
    const calendar = calendarOf(undefined);
    expect(await markCreditPaid({ db, clock, calendar }, uid, null)).not.toHaveProperty("refusal");
    const words = await promised();
    expect(words).toContain("Votre accès continue");
    expect(words).not.toContain("cashback");
  });

  it("that a stop has lost is not promised on the page of a payment", async () => {
    const person = await buyer();
    const reader = await signedIn(person);
    expect(wordsOf(await reader.get(SUCCESS))).toContain("comprend un cashback");
    await reader.post(paths.accountSubscription(), { confirm: "on" });
    expect(wordsOf(await reader.get(SUCCESS))).not.toContain("cashback");
  });

  it("announces the page that follows to somebody signed in", async () => {
    platform = await open();
    const reader = await signedIn(await newPerson(platform));
    const usual = await reader.get(paths.registration());
    expect(wordsOf(usual)).toContain("Continuez vers la page de la banque");
    const page = await reader.get(`${serverPaths.welcome()}${PARTNER}`);
    expect(wordsOf(page)).toContain("L’étape suivante est le paiement");
    expect(wordsOf(page)).not.toContain("page de la banque");
    const order = { ...hiddenFields(page), intent: "pay" };
    const next = await reader.follow(await reader.post(serverPaths.welcome(), order));
    expect(next.path).toBe(paths.registrationPayment());
    expect(next.dom.querySelector("main [name=cardNumber]")).not.toBeNull();
  });

  it("that a stop loses is named before the last button", async () => {
    const person = await buyer();
    const reader = await signedIn(person);
    const lost = "Vous perdez le cashback de 20,00 €";
    expect(wordsOf(await reader.get(`${paths.accountSubscription()}?stop`))).toContain(lost);
    expect(wordsOf(await recapOf(reader, person))).toContain(lost);
    // A reference of none counts as none.
    expect(wordsOf(await recapOf(reader, person, { reference: "contrat-42" }))).toContain(lost);
    const deletion = wordsOf(await reader.get(paths.accountData()));
    expect(deletion).toContain("Le cashback de 20,00 € est perdu");
    await reader.post(paths.accountSubscription(), { confirm: "on" });
    const stopped = "ne sera pas dû : abonnement arrêté avant ce débit";
    expect(await factsOf(person)).toContain(stopped);
    expect(wordsOf(await reader.get(paths.account()))).toContain(stopped);
    const left = wordsOf(await reader.get(paths.accountData()));
    expect(left).not.toMatch(/Vous perdez le cashback|est perdu/);
  });

  it("that others' stop has lost is named before the owner's own", async () => {
    const person = await buyer();
    await platform.call("POST /cancellations", { body: { name: "Zoé", email: person.email } });
    await platform.runDueJobs();
    const reader = await signedIn(person);
    const lost = "Vous perdez le cashback de 20,00 €";
    expect(wordsOf(await recapOf(reader, person))).toContain(lost);
    // A form that was opened before, sent without its box.
    expect(wordsOf(await reader.post(paths.accountSubscription(), {}))).toContain(lost);
    expect(wordsOf(await recapOf(reader, person, { date: "2027-02-10" }))).not.toContain(lost);
    platform.clock.advance(60_000);
    await reader.post(paths.accountSubscription(), { confirm: "on" });
    expect(wordsOf(await recapOf(reader, person))).not.toContain(lost);
  });

  it("that a stop loses takes one preview of a mistyped reference", async () => {
    const person = await buyer();
    const reader = await signedIn(person);
    previews = 0;
    const recap = await recapOf(reader, person, { reference: "contrat-42" });
    expect(wordsOf(recap)).toContain("Vous perdez le cashback de 20,00 €");
    expect(previews).toBe(1);
  });

  it("that a withdrawal loses is named before the last button", async () => {
    const person = await buyer();
    const reader = await signedIn(person);
    const lost = "Vous perdez le cashback de 20,00 € : il n’est pas dû quand on renonce";
    const notice = { name: "Ada Byron", email: person.email, intent: "recap" };
    expect(wordsOf(await reader.post(paths.withdrawal(), notice))).toContain(lost);
    expect(wordsOf(await reader.get(paths.accountData()))).toContain(lost);
    expect(wordsOf(await visitor().post(paths.withdrawal(), notice))).not.toContain("cashback");
    const sent = await reader.post(paths.withdrawal(), { ...notice, intent: "confirm" });
    expect(wordsOf(await reader.follow(sent))).toContain(
      "Cashback20,00 €, non dû : vous avez renoncé au contrat",
    );
  });

  it("is not said to be lost by a later cancellation", async () => {
    const person = await buyer();
    const recap = await recapOf(await signedIn(person), person, { date: "2026-12-10" });
    expect(wordsOf(recap)).toContain("Vérifiez votre demande");
    expect(wordsOf(recap)).not.toContain("cashback");
  });

  it("is named to nobody who is not signed in", async () => {
    const person = await buyer();
    const other = await newPerson(platform);
    for (const reader of [visitor(), await signedIn(other)]) {
      const { uid: reference } = await subscriptionOf(platform, person);
      for (const more of [{ reference: "" }, { reference }]) {
        expect(wordsOf(await recapOf(reader, person, more))).not.toContain("cashback");
      }
    }
  });

  it("that stays owed is said to, before the last button", async () => {
    const person = await buyer();
    await passTo(platform, "2026-12-10T10:00:00.000Z");
    const reader = await signedIn(person);
    const kept = "L’arrêt ne change rien à votre cashback de 20,00 € : dû à partir du 3 janv. 2027";
    expect(wordsOf(await reader.get(`${paths.accountSubscription()}?stop`))).toContain(kept);
    expect(wordsOf(await recapOf(reader, person))).toContain(kept);
    const deletion = wordsOf(await reader.get(paths.accountData()));
    expect(deletion).toContain("Votre cashback de 20,00 € vous reste promis : dû à partir du");
  });

  it("is not promised to whoever leaves while a withdrawal is open", async () => {
    const person = await buyer({ creditAfter: "order" });
    const body = { name: "Ada Byron", email: person.email };
    await platform.call("POST /withdrawals", { body });
    await platform.runDueJobs();
    const { dom } = await (await signedIn(person)).get(paths.accountData());
    const deletion = dom.querySelector("#deletion-panel")?.text;
    expect(deletion).toMatch(/Une rétractation est en cours\s: si rien ne l’annule, le cashback/);
    expect(deletion).not.toContain("vous reste promis");
    expect(dom.querySelector("#withdrawal-panel")?.text).toContain("Vous perdez le cashback");
  });

  /** The link that a registration with the address of a stopped contract mails. */
  async function releaseLinkOf({ email }: Person) {
    const body = { identifier: email, formula: "vip-mensuel", password: PASSWORD };
    await platform.call("POST /registrations/register", { body });
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, email, "address-release");
    return serverPaths.registrationRelease(/release\?token=(\S+)/.exec(text)?.[1]);
  }

  it("that stays owed is said to before a release", async () => {
    const person = await buyer();
    await passTo(platform, "2026-12-10T10:00:00.000Z");
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    const page = await visitor().get(await releaseLinkOf(person));
    expect(wordsOf(page)).toContain("Votre cashback de 20,00 € vous reste promis : dû à partir du");
    expect(wordsOf(page)).not.toContain("déclaré sans connexion");
  });

  it("is not promised by a release while a withdrawal is open", async () => {
    const person = await buyer({ creditAfter: "order" });
    const body = { name: "Ada Byron", email: person.email };
    await platform.call("POST /withdrawals", { body });
    await platform.runDueJobs();
    const words = wordsOf(await visitor().get(await releaseLinkOf(person)));
    expect(words).toContain("Une rétractation est en cours : si rien ne l’annule, le cashback");
    expect(words).not.toContain("vous reste promis");
  });

  it("that an undoing may save is lost by a release", async () => {
    const person = await buyer();
    await platform.call("POST /cancellations", { body: { name: "Ada", email: person.email } });
    await platform.runDueJobs();
    const page = await visitor().get(await releaseLinkOf(person));
    expect(wordsOf(page)).toContain("Le cashback de 20,00 € est perdu");
    expect(wordsOf(page)).toContain("déclaré sans connexion");
    expect(wordsOf(page)).toContain("Une fois le compte supprimé, l’abonnement ne peut plus");
    const undo = `main a[href="${paths.accountSubscriptionUndo()}"]`;
    expect(page.dom.querySelector(undo)).not.toBeNull();
  });

  it("that stays owed is said to before a restart", async () => {
    const person = await buyer();
    await passTo(platform, "2027-01-03T10:00:00.000Z");
    await platform.runDueJobs();
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    const reader = await signedIn(person);
    await passTo(platform, "2027-01-04T12:00:00.000Z");
    const page = await reader.get(paths.registration());
    expect(wordsOf(page)).toContain("supprimez d’abord cet ancien compte");
    expect(wordsOf(page)).toContain("Votre cashback de 20,00 € vous reste promis : dû depuis");
  });

  it("has its sentences under their terms", async () => {
    const reader = await signedIn(await buyer());
    const { dom } = await reader.get(paths.accountSubscription());
    const sentences = dom.querySelectorAll("#subscription .definitions--sentences dt");
    expect(sentences.map(({ text }) => text)).toEqual(["Cashback", "État du cashback"]);
    const account = (await reader.get(paths.account())).dom;
    expect(account.querySelector("#subscription .definitions--sentences dt")?.text).toBe(
      "État du cashback",
    );
  });
});
