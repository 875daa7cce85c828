import type { Page, Route } from "playwright";
import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { waitForMail } from "../support/mailed";
import {
  isInView,
  newSubject,
  reply,
  said,
  ticketLink,
  writeMany,
  writeTicket,
} from "./conversation";
import { answerAtDesk, openAtDesk, openDesk } from "./desk";
import { openJourneys } from "./journeys";
import { press, pressInVain, subscribe } from "./steps";

const { site, reader } = openJourneys();

/** Waits until the page is hydrated: shortcuts and posts in place work. */
const hydrated = (page: Page) => page.locator("[name=inPlace]").waitFor({ state: "attached" });

/** The same for a ticket at the desk: its form leaves the checks to the server. */
const hydratedDesk = (page: Page) =>
  page.locator("form[data-desk-reply][novalidate]").waitFor({ state: "attached" });

/** A page in the background is not reloaded from time to time. */
const hidePage = () => {
  Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
};

async function openTicket(page: Page) {
  const subject = newSubject();
  const email = await writeTicket(page, subject);
  const link = await ticketLink(site(), email);
  await page.goto(link);
  await hydrated(page);
  return { subject, email, link };
}

describe("a thread with script", () => {
  it("keeps a draft over a reload", async () => {
    const page = await reader();
    const subject = newSubject();
    const link = await ticketLink(site(), await writeTicket(page, subject));
    await page.goto(link);
    await page.locator("[name=inPlace]").waitFor({ state: "attached" });
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
    await page.locator("[name=message]").fill("Je commence à");
    await page.reload();
    await expect.poll(() => page.locator("[name=message]").inputValue()).toBe("Je commence à");
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.join("\n")).not.toMatch(/commence/);
    const elsewhere = await reader();
    await elsewhere.goto(link);
    await elsewhere.locator("[name=inPlace]").waitFor({ state: "attached" });
    expect(await elsewhere.locator("[name=message]").inputValue()).toBe("");
    await reply(page, "C’est écrit");
    await page.reload();
    expect(await page.locator("[name=message]").inputValue()).toBe("");
    expect(await said(page)).toHaveLength(2);
  });

  it("shows a reply while it is being sent", async () => {
    const page = await reader();
    await openTicket(page);
    let arrive = () => {};
    const held = new Promise<void>((resolve) => (arrive = resolve));
    await page.route(/\/contact\/tickets\/[^/]+\.data/, async (route) => {
      if (route.request().method() === "POST") await held;
      await route.continue();
    });
    await page.locator("[name=message]").fill("Encore ceci");
    await page.getByRole("button", { name: "Envoyer" }).click();
    await page.locator("li.message:not([id])", { hasText: "Encore ceci" }).waitFor();
    expect(await page.locator("[name=message]").inputValue()).toBe("");
    arrive();
    await page.locator("li.message[id]", { hasText: "Encore ceci" }).waitFor();
    expect(await said(page)).toHaveLength(2);
  });

  it("returns the text of an unsent reply", async () => {
    const page = await reader();
    await openTicket(page);
    const field = page.locator("[name=message]");
    await field.fill(" \u00A0 ");
    await page.getByRole("button", { name: "Envoyer" }).click();
    await page.locator("[name=message][aria-invalid=true]").waitFor();
    await page.context().setOffline(true);
    await field.fill("Dans le tunnel");
    await page.getByRole("button", { name: "Envoyer" }).click();
    await page.getByRole("alert", { name: "Rien n’est parti" }).waitFor();
    expect(await field.inputValue()).toBe("Dans le tunnel");
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Envoyer" }).click();
    await page.locator("li.message[id]", { hasText: "Dans le tunnel" }).waitFor();
    expect(await said(page)).toHaveLength(2);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("loads older messages without moving the shown ones", async () => {
    const page = await reader();
    const { link } = await openTicket(page);
    await writeMany(site(), link, 24);
    await page.reload();
    await hydrated(page);
    const read = page.locator("li.message", { hasText: "Message 15" });
    const older = page.getByRole("link", { name: "Messages plus anciens" });
    await older.scrollIntoViewIfNeeded();
    const top = async () => Math.round((await read.boundingBox())?.y ?? NaN);
    const before = await top();
    await older.click();
    await page.locator("li.message", { hasText: "Message 5" }).waitFor();
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1);
    expect(new URL(page.url()).search).not.toContain("cursor");
  });

  it("announces new messages but not older ones", async () => {
    const page = await reader();
    const { link } = await openTicket(page);
    await writeMany(site(), link, 12);
    await page.reload();
    await hydrated(page);
    const log = page.getByRole("log", { name: "Conversation" });
    await log.evaluate((region) => {
      const record = () =>
        (region.dataset.heard = `${region.ariaLive ?? ""} ${region.dataset.heard ?? ""}`);
      new MutationObserver(record).observe(region, { childList: true, subtree: true });
    });
    const heard = async () => (await log.getAttribute("data-heard"))?.trim().split(" ").at(0);
    await page.getByRole("link", { name: "Messages plus anciens" }).press("Enter");
    await page.locator("li.message", { hasText: "Bonjour" }).waitFor();
    expect(await heard()).toBe("off");
    // The link to older messages disappears, so the focus moves to the list.
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("thread");
    await expect.poll(() => log.getAttribute("aria-live")).toBe(null);
    await log.evaluate((region) => delete region.dataset.heard);
    await reply(page, "Encore moi");
    expect(await heard()).toBe("");
  });

  it("leads to a message that arrived below the screen", async () => {
    const page = await reader();
    const { subject, link } = await openTicket(page);
    await writeMany(site(), link, 9);
    await page.reload();
    await hydrated(page);
    const coach = await reader();
    await openDesk(site(), coach, "Rigel");
    await openAtDesk(coach, subject);
    const notice = page.getByRole("link", { name: "Nouveau message" });
    await page.evaluate(() => scrollTo(0, 0));
    await answerAtDesk(coach, "Me voici");
    await notice.waitFor();
    const last = page.locator(".message").last();
    expect(await isInView(last)).toBe(false);
    await notice.click();
    await expect.poll(() => isInView(last)).toBe(true);
    await notice.waitFor({ state: "detached" });
  });

  it("polls where streams are blocked", async () => {
    const page = await reader();
    await page.clock.install();
    await page.route("**/events?*", (route) => route.fulfill({ status: 503 }));
    const { subject } = await openTicket(page);
    const coach = await reader();
    await openDesk(site(), coach, "Altaïr");
    await openAtDesk(coach, subject);
    await answerAtDesk(coach, "Sans le fil");
    await page.clock.fastForward(20_000);
    await page.getByText("Sans le fil").waitFor();
    expect(await said(page)).toHaveLength(2);
  });

  it("shows an answer before the own message that was sent after it", async () => {
    const page = await reader();
    await page.route("**/events?*", (route) => route.fulfill({ status: 503 }));
    const { subject } = await openTicket(page);
    const coach = await reader();
    await openDesk(site(), coach, "Electre");
    await openAtDesk(coach, subject);
    await answerAtDesk(coach, "Une réponse");
    await reply(page, "Un mot de plus");
    await page.getByText("Une réponse").waitFor();
    expect((await said(page)).slice(1)).toEqual(["Une réponse", "Un mot de plus"]);
  });

  it("keeps typed text when it is closed meanwhile", async () => {
    const page = await reader();
    // Over its stream the page would learn of the close before the press.
    await page.route("**/events?*", (route) => route.fulfill({ status: 503 }));
    const { subject } = await openTicket(page);
    await page.locator("[name=message]").fill("Un mot encore");
    const coach = await reader();
    await openDesk(site(), coach, "Procyon");
    await openAtDesk(coach, subject);
    await coach.locator("[name=status]").last().selectOption("closed");
    await press(coach, "Enregistrer");
    await coach.getByText("C’est enregistré").first().waitFor();
    await page.getByRole("button", { name: "Envoyer" }).click();
    const kept = page.getByLabel("Votre message, qui n’est pas parti");
    await kept.waitFor();
    expect(await kept.inputValue()).toBe("Un mot encore");
    expect(await page.getByRole("button", { name: "Envoyer" }).count()).toBe(0);
    expect(await said(page)).toHaveLength(1);
  });

  it("marks an answer as new until it is seen", async () => {
    const page = await reader();
    const { subject, email, link } = await openTicket(page);
    const list = link.replace(/\/[\w-]+\?/, "?");
    await page.goto(list);
    const coach = await reader();
    await openDesk(site(), coach, "Deneb");
    await openAtDesk(coach, subject);
    await answerAtDesk(coach, "Bonsoir");
    await waitForMail(site(), email, "répond");
    await page.reload();
    await page.getByText("Nouvelle réponse").waitFor();
    const marked = page.waitForResponse((answer) => answer.request().method() === "POST");
    await page.getByRole("link", { name: subject }).click();
    await marked;
    await page.goto(list);
    await page.getByRole("link", { name: subject }).waitFor();
    expect(await page.getByText("Nouvelle réponse").count()).toBe(0);
  });
});

describe("the desk with script", () => {
  it("removes a success once another answer is refused", async () => {
    const visitor = await reader();
    const { subject } = await openTicket(visitor);
    const coach = await reader();
    await coach.addInitScript(hidePage);
    await openDesk(site(), coach, "Alcor");
    await openAtDesk(coach, subject);
    await answerAtDesk(coach, "Première réponse");
    await hydratedDesk(coach);
    await reply(visitor, "Et ceci ?");
    await coach.locator("[name=message]").fill("Deuxième réponse");
    expect(await pressInVain(coach, "Envoyer")).toBe(400);
    await coach.getByText("Cette demande a changé entre-temps").first().waitFor();
    await coach.locator("li.message", { hasText: "Et ceci ?" }).waitFor();
    expect(await coach.getByText("Votre réponse est partie").count()).toBe(0);
  });

  it("keeps an answer that came after the consent was taken back", async () => {
    const member = await reader();
    await subscribe(member);
    await member.goto(paths.coachingNewDiscussion());
    await member.locator("[name=name]").fill("Vega");
    await press(member, "Continuer");
    await member.locator("[name=name]").waitFor({ state: "detached" });
    const subject = newSubject();
    await member.locator("[name=subject]").fill(subject);
    await member.locator("[name=message]").fill("Une question");
    await member.locator("[name=consent]").check();
    await press(member, "Envoyer au coach");
    await member.locator(".message").waitFor();
    const coach = await reader();
    await coach.addInitScript(hidePage);
    await openDesk(site(), coach, "Deneb");
    await openAtDesk(coach, subject);
    await hydratedDesk(coach);
    await coach.locator("[name=message]").fill("Une longue réponse");
    await member.goto(paths.accountData());
    await press(member, "Retirer mon accord");
    await member.getByText("aucun coach ne peut plus les lire").first().waitFor();
    expect(await pressInVain(coach, "Envoyer")).toBe(400);
    await coach.getByText("cette discussion ne vous est plus ouverte").waitFor();
    expect(await coach.locator("[name=message]").inputValue()).toBe("Une longue réponse");
  });

  it("says that the status is saved beside a kept answer", async () => {
    const { subject } = await openTicket(await reader());
    const coach = await reader();
    await openDesk(site(), coach, "Mizar");
    await openAtDesk(coach, subject);
    await hydratedDesk(coach);
    await coach.locator("[name=message]").fill("Pas encore fini");
    await coach.locator("[name=status]").last().selectOption("waiting");
    await press(coach, "Enregistrer");
    const told = coach.getByText("C’est enregistré").first();
    await told.waitFor();
    expect(await isInView(told)).toBe(true);
    expect(await coach.locator("[name=message]").inputValue()).toBe("Pas encore fini");
  });

  it("works by keyboard alone", async () => {
    const [one, two] = [newSubject(), newSubject()];
    const visitor = await reader();
    for (const subject of [one, two]) await writeTicket(visitor, subject);
    const coach = await reader();
    await openDesk(site(), coach, "Mira");
    const focused = () => coach.locator("a:focus").allTextContents();
    const isWriting = async () => (await coach.locator("textarea:focus").count()) > 0;
    // Shortcuts work only after hydration.
    await expect
      .poll(async () => {
        await coach.keyboard.press("j");
        return focused();
      })
      .not.toEqual([]);
    await coach.keyboard.press("/");
    await coach.keyboard.type(two);
    await coach.keyboard.press("Enter");
    await coach.waitForURL(/[?&]q=/);
    await expect
      .poll(async () => {
        await coach.keyboard.press("j");
        return focused();
      })
      .toEqual([two]);
    await coach.keyboard.press("Enter");
    await coach.waitForURL(/\/desk\/[\w-]+#latest$/);
    await expect
      .poll(async () => {
        if (!(await isWriting())) await coach.keyboard.press("r");
        return isWriting();
      })
      .toBe(true);
    await coach.keyboard.type("Répondu sans souris. j k u /");
    for (let tabs = 0; tabs < 3; tabs++) await coach.keyboard.press("Tab");
    await coach.keyboard.press("Enter");
    await coach.getByText("Votre réponse est partie").first().waitFor();
    expect((await said(coach)).at(-1)).toBe("Répondu sans souris. j k u /");
    // The answer loaded the page anew, so the shortcuts wait for hydration again.
    await expect
      .poll(async () => {
        await coach.keyboard.press("u");
        return new URL(coach.url()).pathname;
      })
      .toBe(paths.desk());
  });

  it("loads older messages once, however often pressed", async () => {
    const visitor = await reader();
    const { subject, link } = await openTicket(visitor);
    await writeMany(site(), link, 12);
    const coach = await reader();
    await openDesk(site(), coach, "Castor");
    await openAtDesk(coach, subject);
    await hydratedDesk(coach);
    const loads: string[] = [];
    coach.on("request", (request) => {
      if (request.url().includes("cursor=")) loads.push(request.url());
    });
    const older = coach.getByRole("link", { name: "Messages plus anciens" });
    await older.evaluate((link: HTMLElement) => {
      link.click();
      link.click();
    });
    await older.waitFor({ state: "detached" });
    expect(await said(coach)).toHaveLength(13);
    expect(loads).toHaveLength(1);
  });

  it("loads older messages after a wait in which it sends one", async () => {
    const page = await reader();
    const { link } = await openTicket(page);
    await writeMany(site(), link, 12);
    await page.goto(link);
    await hydrated(page);
    const held: Route[] = [];
    await page.route(`**${paths.latestBuild()}`, (route) => void held.push(route));
    const older = page.getByRole("link", { name: "Messages plus anciens" });
    await older.click();
    await expect.poll(() => held.length).toBe(1);
    expect(await older.getAttribute("aria-busy")).toBe("true");
    await reply(page, "Entre-temps");
    await page.getByText("Votre message est envoyé").waitFor();
    for (const route of held) await route.continue();
    await older.waitFor({ state: "detached" });
    await expect.poll(async () => (await said(page)).length).toBe(14);
  });

  it("keeps a draft while the page reloads", async () => {
    const visitor = await reader();
    const { subject, link } = await openTicket(visitor);
    await writeMany(site(), link, 12);
    const coach = await reader();
    await openDesk(site(), coach, "Pollux");
    await coach.clock.install();
    await openAtDesk(coach, subject);
    const field = coach.locator("[name=message]");
    await field.fill("Je lis tout");
    await expect
      .poll(async () => {
        const older = coach.getByRole("link", { name: "Messages plus anciens" });
        if (await older.isVisible()) await older.click();
        return (await said(coach)).length;
      })
      .toBe(13);
    expect(await field.inputValue()).toBe("Je lis tout");
    expect(new URL(coach.url()).search).toBe("");
    await field.focus();
    // A reload without network changes nothing on the page.
    await coach.context().setOffline(true);
    const looked = coach.waitForEvent("requestfailed");
    await coach.clock.fastForward(10_000);
    await looked;
    await coach.context().setOffline(false);
    expect(await field.inputValue()).toBe("Je lis tout");
    await reply(visitor, "Encore une chose");
    await coach.clock.fastForward(10_000);
    await coach.getByText("Encore une chose").waitFor();
    expect(await said(coach)).toHaveLength(14);
    expect(await field.inputValue()).toBe("Je lis tout");
    expect(await coach.evaluate(() => document.activeElement?.getAttribute("name"))).toBe(
      "message",
    );
  });

  it("shows a colleague's change by itself", async () => {
    const subject = newSubject();
    await writeTicket(await reader(), subject);
    const [one, two] = [await reader(), await reader()];
    await openDesk(site(), one, "Rigel");
    await openDesk(site(), two, "Castor");
    await one.clock.install();
    await openAtDesk(one, subject);
    await openAtDesk(two, subject);
    await answerAtDesk(two, "Je m’en occupe");
    await one.clock.fastForward(10_000);
    await one.getByText("Je m’en occupe").waitFor();
    expect(await one.locator("[name=version]").first().inputValue()).toBe(
      await two.locator("[name=version]").first().inputValue(),
    );
  });
});
