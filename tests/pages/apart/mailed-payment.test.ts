import { afterAll, expect, it } from "vitest";
import { FakeClock } from "../../../server/platform/ports/clock";
import { paths, serverPaths } from "~/paths";
import { openLoopback } from "../../app/loopback";
import { CARDS, newPerson, PASSWORD, payWith } from "../../platform/funnel";
import { mailAbout, passDays, subscriber } from "../../platform/life";
import { onEachDatabase, type TestPlatform } from "../../support/platform";
import { hiddenFields, openPages } from "../../support/pages";
import { cardFields } from "../../support/people";

let platform: TestPlatform;

const api = await openLoopback((request) => platform.fetch(request));
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

onEachDatabase("the payment link of a mail", (open) => {
  const signIn = ({ email }: { email: string }) => ({ email, password: PASSWORD });

  async function linkOf(email: string, cause: string) {
    const { text } = await mailAbout(platform, email, cause);
    const [link = ""] = /https:\S*payment/.exec(text) ?? [];
    const { pathname, search } = new URL(link);
    return pathname + search;
  }

  async function inGrace() {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    await passDays(platform, 7.1);
    return { person, link: await linkOf(person.email, "declined") };
  }

  it("leads a signed-out person to what is due", async () => {
    const { person, link } = await inGrace();
    const reader = visitor();
    const page = await reader.follow(await reader.get(link));
    const form = page.dom.querySelector("main form");
    expect(page.dom.querySelector("main")?.text).toContain("Connectez-vous pour payer");
    expect(page.dom.querySelector("main")?.text).not.toContain("partenaire");
    const action = form?.getAttribute("action") ?? link;
    const due = await reader.follow(await reader.post(action, signIn(person)));
    expect(due.path).toBe(paths.registrationPayment());
    expect(due.dom.querySelector(".price")?.text).toMatch(/à partir du 27\snov\.\s2026/);
  });

  it("leads a signed-in person straight there", async () => {
    const { person, link } = await inGrace();
    const reader = visitor();
    await reader.post(paths.login(), signIn(person));
    const due = await reader.follow(await reader.get(link));
    expect(due.path).toBe(paths.registrationPayment());
    expect(due.dom.querySelector(".price")?.text).toMatch(/à partir du 27\snov\.\s2026/);
  });

  it("thanks for a period, and greets no newcomer", async () => {
    const { person, link } = await inGrace();
    const reader = visitor();
    await reader.post(paths.login(), signIn(person));
    const due = await reader.follow(await reader.get(link));
    expect(due.dom.querySelector(".steps")).toBeNull();
    expect(due.dom.querySelector("main")?.text).not.toContain("Vérifiez votre formule");
    const names = { firstName: "Zoé", lastName: "Kowalska" };
    const order = { ...hiddenFields(due), ...names, ...cardFields() };
    const paid = await reader.follow(await reader.post(due.path, order));
    expect(paid.path).toBe(serverPaths.registrationResult("success", false));
    expect(paid.dom.querySelector(".steps")).toBeNull();
    const main = paid.dom.querySelector("main")?.text;
    expect(main).not.toMatch(/Bienvenue|est ouvert/);
    expect(main).toMatch(/Votre accès continue jusqu’au 27\sdéc\.\s2026/);
    expect(main).toMatch(/Prochain débit\s: 9,90\s€ le 27\sdéc\.\s2026/);
    expect(main).toContain("la carte de ce paiement");
  });

  it("asks nobody for a partner after another one's", async () => {
    const { link } = await inGrace();
    const reader = visitor();
    await reader.get(paths.registrationPayment({ utk: "demo-cashback" }));
    const page = await reader.follow(await reader.get(link));
    expect(page.dom.querySelector("h1")?.text).toBe("Se connecter");
  });

  it("leads an account without access to its order", async () => {
    platform = await open({ clock: new FakeClock() });
    const person = await newPerson(platform);
    await payWith(platform, person, CARDS.pendingDeclined);
    platform.clock.advance(3_600_000);
    await platform.runDueJobs();
    const link = await linkOf(person.email, "refused");
    const reader = visitor();
    await reader.post(paths.login(), signIn(person));
    const order = await reader.follow(await reader.get(link));
    expect(order.path).toBe(paths.registrationPayment());
    expect(order.dom.querySelector("main form")?.text).toContain("Commande avec obligation");
  });

  it("leads back from the page that lacks a partner", async () => {
    platform = await open();
    const { dom } = await visitor().get(paths.registrationPayment());
    const links = dom.querySelectorAll("main a").map((link) => link.getAttribute("href"));
    expect(links).toContain(paths.login(paths.registrationPayment()));
  });
});
