import { afterAll, expect, it } from "vitest";
import { FakeClock } from "../../../server/platform/ports/clock";
import { paths, serverPaths } from "~/paths";
import { openLoopback } from "../../app/loopback";
import { CARDS, newPage, newPerson, PASSWORD, post, type Person } from "../../platform/funnel";
import { addFormula, back, ledgerOf, passDays, passTo, subscriber } from "../../platform/life";
import { declare } from "../../platform/undecided";
import { hiddenFields, openPages, type Visitor } from "../../support/pages";
import { cardFields } from "../../support/people";
import { onEachDatabase, type TestPlatform } from "../../support/platform";

let platform: TestPlatform;

const api = await openLoopback((request) => platform.fetch(request));
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

const PATH = paths.registrationPayment();
const NAME = { firstName: "Léa", lastName: "Martin" };

/** The form of an order is open, in a tab of the returned visitor. */
async function openOrder(email: string, price = /9,90/) {
  const reader = visitor();
  await reader.post(paths.login(), { email, password: PASSWORD });
  const page = await reader.get(PATH);
  expect(page.dom.querySelector(".price")?.text).toMatch(price);
  return { reader, order: { ...hiddenFields(page), ...NAME, ...cardFields() } };
}

/** What the API would sell to somebody now, as a form shows it. */
async function shownOffer(person: Person) {
  const { token } = await back(platform, person);
  const { body } = await platform.call("GET /offers?formula=vip-mensuel", { token });
  const { statement: offer, terms } = body.payload;
  return { offer, ...(terms && { termsDigest: terms }) };
}

const stop = async (reader: Visitor) =>
  expect((await reader.post(paths.accountSubscription(), { confirm: "on" })).status).toBe(303);

/** A due form is open in one tab; another tab stops the subscription. */
onEachDatabase("an order of a renewal that was stopped meanwhile", (open) => {
  async function openStopped() {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    await passDays(platform, 7.1);
    const { reader, order } = await openOrder(person.email);
    await stop(reader);
    return { reader, person, order };
  }

  it.each(["pay", "link"])("leads to the account, sent to %s", async (intent) => {
    const { reader, person, order } = await openStopped();
    const before = await ledgerOf(platform, person.email);
    const sent = await reader.post(PATH, { ...order, intent });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, paths.account()]);
    expect((await reader.follow(sent)).html).toContain("n’a plus rien à payer");
    expect(await ledgerOf(platform, person.email)).toEqual(before);
  });

  it("leads to the account with script", async () => {
    const { reader, order } = await openStopped();
    const { body } = await reader.post(`${PATH}.data`, order);
    expect(body).toContain(`"${paths.account()}"`);
    expect(body).not.toContain("L’offre n’est plus celle");
  });

  it("for a second contract blames no earlier card", async () => {
    const { reader, person, order } = await openStopped();
    const sold = { ...(await shownOffer(person)), terms: "on" };
    const sent = await reader.post(PATH, { ...order, ...sold });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, paths.account()]);
    const { html } = await reader.follow(sent);
    expect(html).toContain("n’a plus rien à payer");
    expect(html).not.toContain("Votre première carte");
  });
});

/** its account buys nothing more. A due form is open in one tab while it ends. */
onEachDatabase("an order after its contract ended for good", (open) => {
  const ENDS: Record<string, (reader: Visitor, person: Person) => Promise<unknown>> = {
    "by a withdrawal": async (_, person) =>
      declare(platform, "withdrawals", person, (await back(platform, person)).token),
    "after a stop": async (reader) => {
      await stop(reader);
      await passDays(platform, 7);
    },
  };

  async function openEnded(how: string) {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    await passDays(platform, 7.1);
    const { reader, order } = await openOrder(person.email);
    await ENDS[how]?.(reader, person);
    return { reader, person, order };
  }

  const CASES = Object.keys(ENDS).flatMap((how) => ["pay", "link"].map((way) => [how, way]));

  it.each(CASES)("%s leads to a new registration, sent to %s", async (how = "", intent = "") => {
    const { reader, person, order } = await openEnded(how);
    const before = await ledgerOf(platform, person.email);
    const sold = { ...(await shownOffer(person)), terms: "on" };
    for (const fields of [order, { ...order, ...sold }]) {
      const sent = await reader.post(PATH, { ...fields, intent });
      expect([sent.status, sent.headers.get("location")]).toEqual([303, paths.registration()]);
      const { dom } = await reader.follow(sent);
      expect(dom.querySelector("main [name=intent][value=restart]")).not.toBeNull();
    }
    expect(await ledgerOf(platform, person.email)).toEqual(before);
  });

  it("blames no earlier card with script", async () => {
    const { reader, person, order } = await openEnded("by a withdrawal");
    const sold = { ...(await shownOffer(person)), terms: "on" };
    for (const fields of [order, { ...order, ...sold }]) {
      const { body } = await reader.post(`${PATH}.data`, fields);
      expect(body).toContain(`"${paths.registration()}"`);
      expect(body).not.toMatch(/L’offre n’est plus celle|première carte/);
    }
  });

  it("is tried again by a new registration only", async () => {
    const { reader, person } = await openEnded("by a withdrawal");
    const fields = { ...(await shownOffer(person)), formula: "vip-mensuel", intent: "pay" };
    const sent = await reader.post(paths.registration(), fields);
    expect([sent.status, sent.headers.get("location")]).toEqual([303, paths.registration()]);
  });
});

/** The bank's page for a due renewal is open in one tab; another tab stops the subscription. */
onEachDatabase("the result page of a renewal that was stopped meanwhile", (open) => {
  const FAILURE = serverPaths.registrationResult("failure");

  /** With the form to try again as it was shown before the stop. */
  async function openLeft() {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    await passDays(platform, 7.1);
    const { reader, order } = await openOrder(person.email);
    const retry = { ...hiddenFields(await reader.get(FAILURE)), intent: "retry" };
    const bank = await reader.post(PATH, { ...order, intent: "link" });
    expect(bank.headers.get("location")).toContain("/api/sandbox/pay/");
    await stop(reader);
    return { reader, person, retry };
  }

  it("sells no other contract", async () => {
    const { reader } = await openLeft();
    const page = await reader.get(FAILURE);
    expect([page.status, page.headers.get("location")]).toEqual([302, paths.account()]);
  });

  it("tries nothing again", async () => {
    const { reader, person, retry } = await openLeft();
    for (const fields of [retry, { ...retry, ...(await shownOffer(person)) }]) {
      const sent = await reader.post(FAILURE, fields);
      expect([sent.status, sent.headers.get("location")]).toEqual([303, paths.account()]);
      expect((await reader.follow(sent)).html).toContain("n’a plus rien à payer");
    }
  });

  it("tells of money that goes back, without a way to pay again", async () => {
    const { reader, person } = await openLeft();
    await platform.database
      .updateTable("payment")
      .set({ status: "failure", error_code: "late" })
      .where("account_uid", "=", person.uid)
      .execute();
    const page = await reader.get(FAILURE);
    expect([page.status, page.dom.querySelector("main form")]).toEqual([200, null]);
    expect(page.dom.querySelector("main [aria-live], main [role=status]")).not.toBeNull();
  });
});

/** The last payment has succeeded: nothing was refused yet. */
onEachDatabase("an order in place of a card that expires", (open) => {
  /** Ordered with a card that is good until the end of November. */
  async function openExpiring(start: string, now: string) {
    platform = await open({ clock: new FakeClock(start) });
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person), { expiry: "11/26" });
    await passTo(platform, now);
    return { person, ...(await openOrder(person.email)) };
  }

  it.each([
    ["the first payment", "2026-11-26T10:00:00.000Z", "2026-11-26T11:00:00.000Z"],
    ["a renewal", "2026-11-20T10:00:00.000Z", "2026-12-14T10:00:00.000Z"],
  ])("leads to the account once stopped, after %s", async (_, start, now) => {
    const { reader, person, order } = await openExpiring(start, now);
    await stop(reader);
    const before = await ledgerOf(platform, person.email);
    const sent = await reader.post(PATH, order);
    expect([sent.status, sent.headers.get("location")]).toEqual([303, paths.account()]);
    expect((await reader.follow(sent)).html).toContain("n’a plus rien à payer");
    expect(await ledgerOf(platform, person.email)).toEqual(before);
  });

  it("shows its own payment when it is sent twice, and stopped since", async () => {
    const { reader, order } = await openExpiring(
      "2026-11-26T10:00:00.000Z",
      "2026-11-26T11:00:00.000Z",
    );
    await reader.follow(await reader.post(PATH, order));
    await stop(reader);
    const again = await reader.follow(await reader.post(PATH, order));
    expect(again.path).toBe(serverPaths.registrationResult("success"));
  });
});

/** The next debit is near, and the card that has paid expires before it: its period can be paid at once. */
onEachDatabase("a form sent again when the next period is due", (open) => {
  const expiring = { expiry: "11/26" };
  const pay = async (person: Person, body: object = {}) =>
    post(platform, await newPage(platform, await back(platform, person), body), expiring);

  async function openFirst() {
    platform = await open({ clock: new FakeClock("2026-11-26T10:00:00.000Z") });
    const person = await newPerson(platform);
    const first = await openOrder(person.email, /1,00/);
    return { person, ...first };
  }

  it.each(["pay", "link"])("shows the payment of its order, sent to %s", async (intent) => {
    const { person, reader, order } = await openFirst();
    await pay(person);
    const sent = await reader.post(PATH, { ...order, intent });
    expect([sent.status, sent.headers.get("location")]).toEqual([
      303,
      serverPaths.paymentCallback(),
    ]);
    const page = await reader.follow(sent);
    expect(page.path).toBe(serverPaths.registrationResult("success"));
    expect(page.dom.querySelector("main")?.text).toMatch(/1,00\s€/);
    expect(page.html).not.toContain("rien n’a été débité");
  });

  /** Ordered in another tab: weeks of which each but the first was paid before its day. */
  async function payWeeks(person: Person, count: number) {
    const formula = await addFormula(platform, [7, "day"]);
    for (let week = 0; week < count; week++) {
      await pay(person, { formula });
      platform.clock.advance(1000);
    }
  }

  it("shows the payment of its period", async () => {
    const { person } = await openFirst();
    await payWeeks(person, 1);
    const { reader, order } = await openOrder(person.email, /25,00/);
    await pay(person, { formula: "test" });
    const page = await reader.follow(await reader.post(PATH, order));
    expect(page.path).toBe(serverPaths.registrationResult("success"));
    expect(page.dom.querySelector("main")?.text).toMatch(/25,00\s€/);
  });

  it("blames no first order on a later payment", async () => {
    const { person, reader, order } = await openFirst();
    await payWeeks(person, 2);
    const sent = await reader.post(PATH, order);
    expect(sent.status).toBe(400);
    expect(sent.html).toContain("L’offre n’est plus celle");
    expect(sent.dom.querySelector(".price")?.text).toMatch(/25,00/);
  });

  it("shows the offer again while its period is unpaid", async () => {
    const { person } = await openFirst();
    await payWeeks(person, 1);
    const { reader, order } = await openOrder(person.email, /25,00/);
    const email = person.email;
    await platform.call("POST /cancellations", {
      token: (await back(platform, person)).token,
      body: { name: "Ada Byron", email, date: "2026-12-20" },
    });
    const sent = await reader.post(PATH, order);
    expect(sent.status).toBe(400);
    expect(sent.html).toContain("L’offre n’est plus celle");
  });
});
