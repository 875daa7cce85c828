import { afterAll, expect, it } from "vitest";
import { FakeClock } from "../../../server/platform/ports/clock";
import { paths } from "~/paths";
import { openLoopback } from "../../app/loopback";
import { CARDS, PASSWORD } from "../../platform/funnel";
import { back, ledgerOf, passDays, subscriber } from "../../platform/life";
import { hiddenFields, openPages } from "../../support/pages";
import { cardFields } from "../../support/people";
import { onEachDatabase, type TestPlatform } from "../../support/platform";

let platform: TestPlatform;

const api = await openLoopback((request) => platform.fetch(request));
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

const PATH = paths.registrationPayment();

/** A due form is open in one tab; another tab stops the subscription. */
onEachDatabase("an order of a renewal that was stopped meanwhile", (open) => {
  async function openStopped() {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    await passDays(platform, 7.1);
    const reader = visitor();
    await reader.post(paths.login(), { email: person.email, password: PASSWORD });
    const page = await reader.get(PATH);
    expect(page.dom.querySelector(".price")?.text).toMatch(/9,90/);
    const stopped = await reader.post(paths.accountSubscription(), { confirm: "on" });
    expect(stopped.status).toBe(303);
    const name = { firstName: "Léa", lastName: "Martin" };
    return { reader, person, order: { ...hiddenFields(page), ...name, ...cardFields() } };
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
