import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { newEmail } from "../support/people";
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
import { openJourneys, SCRIPTING } from "./journeys";
import { linkIn, waitForMail } from "../support/mailed";
import { faultyFields, press, pressInVain, subscribe } from "./steps";

const { site, reader } = openJourneys();

describe.each(SCRIPTING)("a conversation %s", (_, javaScriptEnabled) => {
  const open = () => reader({ javaScriptEnabled });

  it("opens by the mailed link and is answered", async () => {
    const page = await open();
    const coach = await open();
    const subject = newSubject();
    await page.goto(paths.contactNewTicket());
    await page.locator("[name=email]").fill(newEmail());
    await page.locator("[name=name]").fill("  ");
    await page.locator("[name=subject]").fill(subject);
    await page.locator("[name=message]").fill("  ");
    expect(await pressInVain(page, "Envoyer")).toBe(400);
    await expect.poll(() => faultyFields(page)).toEqual(["name", "message"]);
    expect(await page.locator("[name=subject]").inputValue()).toBe(subject);

    const email = await writeTicket(page, subject);
    await page.goto(await ticketLink(site(), email));
    expect(await said(page)).toEqual(["Bonjour,\nun lien : https://exemple.fr <b>ici</b>"]);
    expect(await page.locator(".message a").getAttribute("rel")).toBe("nofollow noreferrer");
    await reply(page, "J’oubliais : merci !");

    await openDesk(site(), coach);
    await openAtDesk(coach, subject);
    await answerAtDesk(coach, "À relire entre nous", { note: true });
    await answerAtDesk(coach, "Bonjour Inès, voici la réponse.");
    const answer = await waitForMail(site(), email, "répond");
    expect(answer.text).toContain("voici la réponse");
    if (!javaScriptEnabled) await page.reload();
    await page.getByText("voici la réponse").waitFor();
    expect(await said(page)).toHaveLength(3);
    expect((await said(page)).join()).not.toContain("entre nous");
  });

  it("is found again by a new link", async () => {
    const page = await open();
    const subject = newSubject();
    const email = await writeTicket(page, subject);
    await page.goto(paths.contactTickets());
    await page.waitForURL(paths.contactLink());
    await page.goto(paths.contactTickets({ t: "un-secret-qui-ne-vaut-rien" }));
    await page.getByText("Ce lien ne sert plus").waitFor();
    await page.locator("[name=email]").fill(email);
    await press(page, "Recevoir le lien");
    await page.getByText("Regardez vos e\u2011mails").waitFor();
    await page.goto(linkIn(await waitForMail(site(), email, "lien"), paths.contactTickets()));
    await page.getByRole("link", { name: subject }).click();
    await page.getByRole("heading", { level: 1, name: subject }).waitFor();
  });

  it("is closed to the links that its person disables", async () => {
    const page = await open();
    const link = await ticketLink(site(), await writeTicket(page, newSubject()));
    await page.goto(link);
    await page.getByRole("link", { name: "Toutes mes demandes" }).click();
    await press(page, "Désactiver tous mes liens");
    await page.getByText("n’ouvrent plus vos demandes").waitFor();
    await page.goto(link);
    await page.getByText("Ce lien ne sert plus").waitFor();
  });

  it("opens from its list at the last message", async () => {
    const page = await open();
    const subject = newSubject();
    const link = await ticketLink(site(), await writeTicket(page, subject));
    const list = link.replace(/\/[\w-]+\?/, "?");
    await writeMany(site(), link, 9);
    await page.goto(list);
    await page.getByRole("link", { name: subject }).click();
    const last = page.locator(".message", { hasText: "Message 9" });
    await last.waitFor();
    await expect.poll(() => isInView(last)).toBe(true);
    expect(await isInView(page.locator(".message", { hasText: "Message 1" }).first())).toBe(false);
  });

  it("shows each older message once", async () => {
    const page = await open();
    const subject = newSubject();
    const email = await writeTicket(page, subject);
    const link = await ticketLink(site(), email);
    await writeMany(site(), link, 24);
    await page.goto(link);
    const seen = [await said(page)];
    while (await page.getByRole("link", { name: "Messages plus anciens" }).isVisible()) {
      const before = await page.locator(".message").first().getAttribute("id");
      await page.getByRole("link", { name: "Messages plus anciens" }).click();
      await expect.poll(() => page.locator(".message").first().getAttribute("id")).not.toBe(before);
      seen.unshift(await said(page));
    }
    const whole = javaScriptEnabled ? (seen[0] ?? []) : seen.flat();
    expect(whole).toHaveLength(25);
    expect(whole.slice(1).map((text) => text.split("\n")[0])).toEqual(
      Array.from({ length: 24 }, (__, index) => `Message ${index + 1}`),
    );
  });

  it("with a coach starts with choosing a name", async () => {
    const page = await open();
    await subscribe(page);
    await page.goto(paths.coaching());
    await page.getByText("Votre premier échange").waitFor();
    await page.getByRole("link", { name: "Nouvel échange" }).click();
    await page.locator("[name=name]").fill("Zoé");
    if (javaScriptEnabled) {
      await press(page, "Continuer");
      await page.locator("[name=name]").waitFor({ state: "detached" });
    }
    const subject = newSubject();
    await page.locator("[name=subject]").fill(subject);
    await page.locator("[name=message]").fill("Que dit mon ascendant ?");
    await page.locator("[name=consent]").check();
    await press(page, "Envoyer au coach");
    await page.getByRole("heading", { level: 1, name: subject }).waitFor();
    const thread = page.url();

    const coach = await open();
    await openDesk(site(), coach, "Orion");
    await openAtDesk(coach, subject);
    await coach.getByText("VIP mensuel").waitFor();
    await answerAtDesk(coach, "Bonjour Zoé.");
    await coach.locator("[name=status]").last().selectOption("closed");
    await press(coach, "Enregistrer");
    await coach.getByText("C’est enregistré").first().waitFor();

    await page.goto(thread);
    expect(await said(page)).toEqual(["Que dit mon ascendant ?", "Bonjour Zoé."]);
    await page.getByText("Cet échange est clos").waitFor();
    expect(await page.locator("[name=message]").count()).toBe(0);
  });

  it("is protected from two coaches' simultaneous changes", async () => {
    const [one, two] = [await open(), await open()];
    const subject = newSubject();
    await writeTicket(await open(), subject);
    await openDesk(site(), one, "Lyra");
    await openDesk(site(), two, "Vega");
    await openAtDesk(two, subject);
    await two.locator("[name=message]").fill("Ma réponse");
    await openAtDesk(one, subject);
    await answerAtDesk(one, "Déjà répondu");
    const [answer] = await Promise.all([
      two.waitForResponse((response) => response.request().method() === "POST"),
      press(two, "Envoyer"),
    ]);
    // With script the page may have reloaded the change in time.
    if (!javaScriptEnabled) expect(answer.status()).toBe(400);
    if (answer.status() === 400) {
      await two.getByText("Cette demande a changé entre-temps").first().waitFor();
      expect(await two.locator("[name=message]").inputValue()).toBe("Ma réponse");
    }
    await two.getByText("Déjà répondu").first().waitFor();
  });
});

describe("words wider than a phone's screen", () => {
  const LONG = `https://www.ma-banque.example/espace-client/${"releve".repeat(12)}`;
  /** Elements that overflow the page on either side. No scrolling reaches the left side. */
  const standingOut = (page: Page) =>
    page.locator("main *").evaluateAll((elements) =>
      elements
        .filter((element) => !element.closest(".visually-hidden, .hero__art"))
        .map((element) => ({ at: element.className, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.left < 0 || box.right > innerWidth))
        .map(({ at, box }) => `${at} from ${box.left} to ${box.right}`),
    );

  it("stay on the page in list, thread and desk", async () => {
    const [page, coach] = [await reader(), await reader()];
    const subject = `${"x".repeat(100)} ${newSubject().slice(-18)}`;
    await page.goto(paths.contactNewTicket());
    const email = newEmail(`adresse-${"longue-".repeat(6)}fin`);
    await page.locator("[name=email]").fill(email);
    await page.locator("[name=name]").fill("Inès".repeat(20));
    await page.locator("[name=subject]").fill(subject);
    await page.locator("[name=message]").fill(`Bonjour,\n${LONG}`);
    await press(page, "Envoyer");
    await page.getByText("Votre message est arrivé").waitFor();
    const thread = await ticketLink(site(), email);
    await page.goto(thread);
    await reply(page, `Encore ${LONG}`);
    await expect.poll(() => standingOut(page)).toEqual([]);
    await page.goto(thread.replace(/tickets\/[\w-]+/, "tickets"));
    await page.getByRole("link", { name: subject }).waitFor();
    await expect.poll(() => standingOut(page)).toEqual([]);

    await openDesk(site(), coach, "Nova".repeat(6));
    await coach.getByRole("link", { name: subject }).waitFor();
    await expect.poll(() => standingOut(coach)).toEqual([]);
    await openAtDesk(coach, subject);
    await answerAtDesk(coach, LONG);
    await expect.poll(() => standingOut(coach)).toEqual([]);
    await page.goto(thread);
    await page.locator(".message").nth(2).waitFor();
    await expect.poll(() => standingOut(page)).toEqual([]);
  });

  it("stay on the page of a discussion and the account", async () => {
    const page = await reader();
    await subscribe(page, newEmail(`adresse-${"longue-".repeat(6)}fin`));
    await expect.poll(() => standingOut(page)).toEqual([]);
    await page.goto(paths.coachingNewDiscussion());
    await page.locator("[name=name]").fill("N".repeat(24));
    await press(page, "Continuer");
    await page.locator("[name=name]").waitFor({ state: "detached" });
    await page.locator("[name=subject]").fill(LONG.slice(0, 120));
    await page.locator("[name=message]").fill(LONG);
    await page.locator("[name=consent]").check();
    await press(page, "Envoyer au coach");
    await page.locator(".message").waitFor();
    await expect.poll(() => standingOut(page)).toEqual([]);
    for (const path of [paths.coaching(), paths.account()]) {
      await page.goto(path);
      await expect.poll(() => standingOut(page)).toEqual([]);
    }
  });

  it("stay on the recap of a cancellation", async () => {
    const page = await reader();
    await page.goto(paths.cancelContract());
    await page.locator("[name=name]").fill("N".repeat(100));
    await page.locator("[name=email]").fill(newEmail(`adresse-${"longue-".repeat(6)}fin`));
    await page.locator("[name=reference]").fill("R".repeat(100));
    await page.getByRole("main").locator("[name=intent]").first().click();
    await page.getByText("R".repeat(100)).waitFor();
    await expect.poll(() => standingOut(page)).toEqual([]);
  });
});
