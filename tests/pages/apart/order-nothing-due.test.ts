import { afterAll, expect, it } from "vitest";
import { FakeClock } from "../../../server/platform/ports/clock";
import { paths } from "~/paths";
import { openLoopback } from "../../app/loopback";
import { CARDS, newPage, newPerson, PASSWORD, post } from "../../platform/funnel";
import { back, ledgerOf, passDays, passTo, subscriber } from "../../platform/life";
import { hiddenFields, openPages, type Visitor } from "../../support/pages";
import { cardFields } from "../../support/people";
import { onEachDatabase, type TestPlatform } from "../../support/platform";

let platform: TestPlatform;

const api = await openLoopback((request) => platform.fetch(request));
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

const PATH = paths.registrationPayment();
const NAME = { firstName: "Léa", lastName: "Martin" };

/** A form of a due renewal is open, in a tab of the returned visitor. */
async function openDue(email: string) {
  const reader = visitor();
  await reader.post(paths.login(), { email, password: PASSWORD });
  const page = await reader.get(PATH);
  expect(page.dom.querySelector(".price")?.text).toMatch(/9,90/);
  return { reader, order: { ...hiddenFields(page), ...NAME, ...cardFields() } };
}

const stop = async (reader: Visitor) =>
  expect((await reader.post(paths.accountSubscription(), { confirm: "on" })).status).toBe(303);

/** A due form is open in one tab; another tab stops the subscription. */
onEachDatabase("an order of a renewal that was stopped meanwhile", (open) => {
  async function openStopped() {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    await passDays(platform, 7.1);
    const { reader, order } = await openDue(person.email);
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
    const { token } = await back(platform, person);
    const { body } = await platform.call("GET /offers?formula=vip-mensuel", { token });
    const { statement: offer, terms } = body.payload;
    const sold = { offer, ...(terms && { termsDigest: terms, terms: "on" }) };
    const sent = await reader.post(PATH, { ...order, ...sold });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, paths.account()]);
    const { html } = await reader.follow(sent);
    expect(html).toContain("n’a plus rien à payer");
    expect(html).not.toContain("Votre première carte");
  });
});

/** The bank's page for a due renewal is open in one tab; another tab stops the subscription. */
onEachDatabase("the result page of a renewal that was stopped meanwhile", (open) => {
  const FAILURE = paths.registrationResult("failure");

  /** With the form to try again as it was shown before the stop. */
  async function openLeft() {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    await passDays(platform, 7.1);
    const { reader, order } = await openDue(person.email);
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
    const { token } = await back(platform, person);
    const { body } = await platform.call("GET /offers?formula=vip-mensuel", { token });
    const { statement: offer, terms } = body.payload;
    for (const fields of [retry, { ...retry, offer, ...(terms && { termsDigest: terms }) }]) {
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
    return { person, ...(await openDue(person.email)) };
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
    expect(again.path).toBe(paths.registrationResult("success"));
  });
});
