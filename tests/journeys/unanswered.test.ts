import type { Page, Route } from "playwright";
import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import errors from "~/locales/fr/error.json";
import { newEmail } from "../support/people";
import { newSubject, said, ticketLink, writeTicket } from "./conversation";
import { openAtDesk, openDesk } from "./desk";
import { openJourneys } from "./journeys";
import { movements } from "./ledger";
import {
  BANK,
  fillOrder,
  fillRegistration,
  ORDER,
  press,
  pressInVain,
  reachBank,
  signIn,
  subscribe,
  touch,
} from "./steps";

const { site, reader } = openJourneys();

const BAD_GATEWAY = {
  status: 502,
  contentType: "text/html",
  body: "<html><body><h1>502 Bad Gateway</h1></body></html>",
};

type Answer = Parameters<Route["fulfill"]>[0];

/** All posts of script, but not the reads after them. */
async function interceptPosts(page: Page, intercept: (route: Route) => Promise<void>) {
  await page.route(/\.data\b/, (route) =>
    route.request().method() === "POST" ? intercept(route) : route.continue(),
  );
  return () => page.unroute(/\.data\b/);
}

/** A proxy that answers the next posts in the place of a site that is down. */
const answerAsProxy = (page: Page, answer: Answer = BAD_GATEWAY) =>
  interceptPosts(page, (route) => route.fulfill(answer));

/** Passes a post on as a proxy does. Its answer never reaches the browser, and no cookie of it either. */
async function passOn(route: Route) {
  const request = route.request();
  const { cookie = "", origin = "", "content-type": type = "" } = await request.allHeaders();
  const headers = { "content-type": type, origin, ...(cookie && { cookie }) };
  const body = request.postData() ?? "";
  await fetch(request.url(), { method: "POST", headers, body, redirect: "manual" });
}

/** A proxy that passes the next posts on, and loses their answers. */
const loseAnswers = (page: Page) =>
  interceptPosts(page, async (route) => {
    await passOn(route);
    await route.fulfill(BAD_GATEWAY);
  });

const unanswered = (page: Page) => page.getByRole("alert", { name: "Le site n’a pas répondu" });

/** All that is typed in the forms of the page, hidden fields too. */
const typedIn = (page: Page) =>
  page
    .locator("main form")
    .evaluateAll((forms) =>
      forms.flatMap((form) =>
        form instanceof HTMLFormElement
          ? [...new FormData(form)].map(
              ([name, value]) => `${name}=${typeof value === "string" ? value : ""}`,
            )
          : [],
      ),
    );

async function openTicketForm(page: Page) {
  await page.goto(paths.contactNewTicket());
  await touch(page);
  await page.locator("[name=email]").fill(newEmail("visiteuse"));
  await page.locator("[name=name]").fill("Inès");
  await page.locator("[name=subject]").fill(newSubject());
  await page.locator("[name=message]").fill("Une heure d’écriture");
}

/** Presses, and expects the page as it was below the message. */
async function expectKept(page: Page, button: string | RegExp) {
  const before = await typedIn(page);
  await press(page, button);
  await unanswered(page).waitFor();
  expect(await typedIn(page)).toEqual(before);
  expect(await page.title()).toMatch(/^Erreur/);
  await expect
    .poll(() => unanswered(page).evaluate((it) => it === document.activeElement))
    .toBe(true);
  return unanswered(page).textContent();
}

describe("a post that a proxy answers keeps its form", () => {
  it.each<[what: string, answer: Answer]>([
    ["502", BAD_GATEWAY],
    ["503", { ...BAD_GATEWAY, status: 503 }],
    ["504", { ...BAD_GATEWAY, status: 504 }],
    ["an HTML page of success", { ...BAD_GATEWAY, status: 200 }],
    ["nothing", { status: 502, body: "" }],
    ["JSON of its own", { status: 503, json: { message: "no upstream" } }],
    ["the first half of an answer", { status: 200, body: '[{"_1":2},"data",{"_3"' }],
  ])("with %s", async (_, answer) => {
    const page = await reader();
    await openTicketForm(page);
    const restore = await answerAsProxy(page, answer);
    expect(await expectKept(page, "Envoyer")).toContain("il n’arrivera qu’une fois");
    await restore();
    await press(page, "Envoyer");
    await page.getByText("Votre message est arrivé").waitFor();
  });

  it("on the registration, which then goes on", async () => {
    const page = await reader();
    await page.goto(paths.registration());
    await touch(page);
    await fillRegistration(page, newEmail());
    const restore = await loseAnswers(page);
    const words = await expectKept(page, /continuer vers le paiement/);
    expect(words).toContain("peut-être déjà prise en compte");
    await restore();
    await press(page, /continuer vers le paiement/);
    await page.waitForURL(BANK);
  });

  it("on the card form, and charges once", async () => {
    const page = await reader();
    const email = await reachBank(page);
    await page.goto(paths.registrationPayment());
    await touch(page);
    await fillOrder(page);
    const restore = await loseAnswers(page);
    const words = await expectKept(page, ORDER);
    expect(words).toContain("Nous ne savons pas encore si le paiement est passé");
    expect(words).toContain("rien ne sera débité deux fois");
    await restore();
    await press(page, ORDER);
    await page.waitForURL(serverPaths.registrationResult("success"));
    expect(await movements(site(), email)).toEqual(["charge success"]);
  });

  it("on both steps of a cancellation", async () => {
    const page = await reader();
    await page.goto(paths.cancelContract());
    await touch(page);
    await page.locator("[name=name]").fill("Ada Lo");
    await page.locator("[name=email]").fill(newEmail());
    const next = page.getByRole("main").locator("button[value=recap]");
    let restore = await answerAsProxy(page);
    await expectKept(page, (await next.textContent()) ?? "");
    await restore();
    await next.click();
    await page.locator("button[value=edit]").waitFor();
    const send = page.getByRole("main").locator("button[name=intent]").first();
    restore = await loseAnswers(page);
    await expectKept(page, (await send.textContent()) ?? "");
    await page.locator("button[value=edit]").waitFor();
    await restore();
    await send.click();
    await page.locator("button[value=edit]").waitFor({ state: "detached" });
    await page.locator(".notice[role=status]").waitFor();
  });

  it("on the login page, which then signs in", async () => {
    const page = await reader();
    const email = await subscribe(page);
    await page.context().clearCookies();
    await page.goto(paths.login());
    await touch(page);
    const restore = await answerAsProxy(page);
    await signIn(page, email);
    await unanswered(page).waitFor();
    await restore();
    await press(page, "Se connecter");
    await page.waitForURL(paths.account());
  });

  it("at the desk, and the answer arrives once", async () => {
    const subject = newSubject();
    await writeTicket(await reader(), subject);
    const coach = await reader();
    await openDesk(site(), coach, "Sirius");
    await openAtDesk(coach, subject);
    await touch(coach);
    await coach.locator("[name=message]").fill("Une longue réponse");
    const restore = await loseAnswers(coach);
    await expectKept(coach, "Envoyer");
    await restore();
    await press(coach, "Envoyer");
    await coach.getByText("Votre réponse est partie").first().waitFor();
    const answers = (await said(coach)).filter((text) => text === "Une longue réponse");
    expect(answers).toHaveLength(1);
  });

  it("in a thread, and the reply arrives once", async () => {
    const page = await reader();
    await page.goto(await ticketLink(site(), await writeTicket(page, newSubject())));
    await page.locator("[name=inPlace]").waitFor({ state: "attached" });
    const field = page.locator("[name=message]");
    await field.fill("Encore une chose");
    const restore = await loseAnswers(page);
    await press(page, "Envoyer");
    await unanswered(page).waitFor();
    expect(await field.inputValue()).toBe("Encore une chose");
    await restore();
    await press(page, "Envoyer");
    await expect.poll(async () => (await said(page)).slice(1)).toEqual(["Encore une chose"]);
    await page.reload();
    expect(await said(page)).toHaveLength(2);
  });

  it("for ending all sessions, which it does not claim", async () => {
    const page = await reader();
    await subscribe(page);
    await page.goto(paths.account());
    await touch(page);
    await answerAsProxy(page);
    await press(page, /partout/);
    expect(await unanswered(page).textContent()).toContain("peut-être déjà fermées");
  });

  it("on the deletion, which then tells what became of it", async () => {
    const page = await reader();
    await subscribe(page);
    await page.goto(paths.accountData());
    await touch(page);
    await page.locator("[name=confirm]").check();
    const restore = await loseAnswers(page);
    await press(page, /^Supprimer/);
    expect(await unanswered(page).textContent()).toContain("supprim");
    await restore();
    await press(page, /^Supprimer/);
    await page.waitForURL(paths.home());
    await page.getByText("Votre compte n’est plus accessible").first().waitFor();
  });

  it("with the key of the refusal before it", async () => {
    const page = await reader();
    await openTicketForm(page);
    const key = page.locator("[name=idempotencyKey]");
    await page.locator("[name=message]").fill(" \u00A0 ");
    const sent = await key.inputValue();
    expect(await pressInVain(page, "Envoyer")).toBe(400);
    await page.locator("[name=message]").fill("Une heure d’écriture");
    const restore = await loseAnswers(page);
    await press(page, "Envoyer");
    await unanswered(page).waitFor();
    expect(await key.inputValue()).toBe(sent);
    await restore();
    await press(page, "Envoyer");
    await page.getByText("Votre message est arrivé").waitFor();
  });
});

it("a cut connection claims nothing about a payment", async () => {
  const page = await reader();
  await reachBank(page);
  await page.goto(paths.registrationPayment());
  await touch(page);
  await fillOrder(page);
  await interceptPosts(page, async (route) => {
    await passOn(route);
    await route.abort("connectionreset");
  });
  const words = await expectKept(page, ORDER);
  expect(words).toContain("Nous ne savons pas encore si le paiement est passé");
});

it("a page that the browser cannot read again says so", async () => {
  const page = await reader();
  await page.goto(paths.cancelContract());
  await touch(page);
  await page.locator("[name=name]").fill("Ada Lo");
  await page.locator("[name=email]").fill(newEmail());
  await page.getByRole("main").locator("button[value=recap]").click();
  await page.locator("button[value=edit]").waitFor();
  await expect.poll(() => page.evaluate(() => history.state?.idx)).toBe(1);
  await page.route(/\.data\b/, (route) => route.fulfill(BAD_GATEWAY));
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: errors.page5xx.title }).waitFor();
  expect(await page.title()).toBe(`Cap Céleste - ${errors.page5xx.title}`);
  await page.getByText(errors.page5xx.text).waitFor();
  // The style sheet of this document is read anew and moves the link: a click can miss it, a key cannot.
  await page.getByRole("link", { name: errors.back_button }).press("Enter");
  await page.waitForURL(paths.home());
});
