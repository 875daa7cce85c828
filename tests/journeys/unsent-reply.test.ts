import type { Page, Route } from "playwright";
import { describe, expect, it } from "vitest";
import { newSubject, said, ticketLink, writeTicket } from "./conversation";
import { openJourneys } from "./journeys";
import { press } from "./steps";

const { site, reader } = openJourneys();

const BOTH = "PREMIER\n\nSECOND";

const field = (page: Page) => page.locator("[name=message]");
const hydrated = (page: Page) => page.locator("[name=inPlace]").waitFor({ state: "attached" });
const sending = (page: Page, text: string) =>
  page.locator("li.message:not([id])", { hasText: text }).waitFor();
const unanswered = (page: Page) => page.getByRole("alert", { name: "Le site n’a pas répondu" });

/** What the page sends with a reply. */
const formIn = (route: Route) => new URLSearchParams(route.request().postData() ?? "");

async function openTicket() {
  const page = await reader();
  await page.goto(await ticketLink(site(), await writeTicket(page, newSubject())));
  await hydrated(page);
  return page;
}

/**
 * Holds the first reply of the page until `end` says what becomes of it. `posts` are all replies, as texts
 * with their idempotency keys.
 */
async function holdFirst(page: Page) {
  let end: (finish: (route: Route) => Promise<unknown>) => void = () => {};
  const ended = new Promise<(route: Route) => Promise<unknown>>((resolve) => (end = resolve));
  const posts: { text: string | null; key: string | null }[] = [];
  await page.route(/\/contact\/tickets\/[^/]+\.data/, async (route) => {
    const form = formIn(route);
    if (!form.has("message")) return route.continue();
    posts.push({ text: form.get("message"), key: form.get("idempotencyKey") });
    if (posts.length > 1) return route.continue();
    await (
      await ended
    )(route);
  });
  return { posts, end };
}

/** Sends the first text, whose answer does not come, and types the second. */
async function typeWhileSending() {
  const page = await openTicket();
  const first = await holdFirst(page);
  await field(page).fill("PREMIER");
  await press(page, "Envoyer");
  await sending(page, "PREMIER");
  await expect.poll(() => field(page).inputValue()).toBe("");
  await field(page).fill("SECOND");
  return { page, ...first };
}

const drafts = (page: Page) => page.evaluate(() => Object.values(sessionStorage));

/** Sends while another reply is on its way: the button is marked as disabled, which a click would wait for. */
const pressBusy = (page: Page) => page.getByRole("button", { name: "Envoyer" }).press("Enter");

/** Hands the reply on to the site, whose answer never reaches the page. */
async function loseAnswer(route: Route) {
  await route.fetch();
  await route.abort("connectionreset");
}

/** Makes the site refuse the reply: it gets another text under the same key before. */
async function refuse(route: Route) {
  const form = formIn(route);
  form.set("message", "AUTRE");
  await route.fetch({ postData: form.toString() });
  await route.continue();
}

describe("a reply that fails while another is typed", () => {
  it("comes back before the text typed since", async () => {
    const { page, posts, end } = await typeWhileSending();
    end((route) => route.abort("connectionreset"));
    await unanswered(page).waitFor();
    expect(await field(page).inputValue()).toBe(BOTH);
    expect(await drafts(page)).toContain(BOTH);
    await press(page, "Envoyer");
    await expect.poll(async () => (await said(page)).slice(1)).toEqual(["PREMIER", "SECOND"]);
    await expect.poll(() => field(page).inputValue()).toBe("");
    expect(posts.map(({ text }) => text)).toEqual(["PREMIER", "PREMIER", "SECOND"]);
    expect(posts[1]?.key).toBe(posts[0]?.key);
    expect(posts[2]?.key).not.toBe(posts[1]?.key);
  });

  it("comes back after a refusal of the site", async () => {
    const { page, end } = await typeWhileSending();
    end(refuse);
    await page.getByText("ce texte-ci, qui est différent, n’est pas parti").waitFor();
    expect(await field(page).inputValue()).toBe(BOTH);
    expect(await drafts(page)).toContain(BOTH);
  });

  it("arrives once when only its answer was lost", async () => {
    const { page, end } = await typeWhileSending();
    end(loseAnswer);
    await unanswered(page).waitFor();
    await press(page, "Envoyer");
    await page.locator("li.message[id]", { hasText: "SECOND" }).waitFor();
    await page.reload();
    expect((await said(page)).slice(1)).toEqual(["PREMIER", "SECOND"]);
  });

  it("holds back a second one already sent off", async () => {
    const { page, posts, end } = await typeWhileSending();
    await pressBusy(page);
    end((route) => route.abort("connectionreset"));
    await unanswered(page).waitFor();
    expect(await field(page).inputValue()).toBe(BOTH);
    expect(posts).toHaveLength(1);
    expect(await page.getByText("Votre message est envoyé").count()).toBe(0);
    expect(await said(page)).toHaveLength(1);
  });
});

describe("a reply that arrives while another waits", () => {
  it("lets the second follow under its own key", async () => {
    const { page, posts, end } = await typeWhileSending();
    await pressBusy(page);
    end((route) => route.continue());
    await expect.poll(async () => (await said(page)).slice(1)).toEqual(["PREMIER", "SECOND"]);
    await page.getByText("Votre message est envoyé").waitFor();
    expect(new Set(posts.map(({ key }) => key)).size).toBe(2);
    expect(await field(page).inputValue()).toBe("");
  });

  it("leaves what is typed but not sent off", async () => {
    const { page, posts, end } = await typeWhileSending();
    end((route) => route.continue());
    await page.locator("li.message[id]", { hasText: "PREMIER" }).waitFor();
    await page.getByText("Votre message est envoyé").waitFor();
    expect(await field(page).inputValue()).toBe("SECOND");
    expect(await drafts(page)).toContain("SECOND");
    expect(posts).toHaveLength(1);
  });
});

describe("a page reloaded while a reply is on its way", () => {
  it("shows the text again, with what followed it", async () => {
    const { page } = await typeWhileSending();
    expect(await drafts(page)).toContain(BOTH);
    await page.reload();
    await expect.poll(() => field(page).inputValue()).toBe(BOTH);
  });

  it("keeps it beside what is typed before the script runs", async () => {
    const { page } = await typeWhileSending();
    const scripts: Route[] = [];
    await page.route(/\/assets\/.*\.js/, (route) => void scripts.push(route));
    await page.reload({ waitUntil: "commit" });
    await field(page).fill("TROISIÈME");
    await page.unroute(/\/assets\/.*\.js/);
    for (const route of scripts) await route.continue();
    await expect.poll(() => field(page).inputValue()).toBe(`${BOTH}\n\nTROISIÈME`);
    expect(await drafts(page)).toContain(`${BOTH}\n\nTROISIÈME`);
  });

  it("sends it again under the same key", async () => {
    const page = await openTicket();
    const { posts, end } = await holdFirst(page);
    await field(page).fill("PREMIER");
    await press(page, "Envoyer");
    await sending(page, "PREMIER");
    const arrived = new Promise<void>((resolve) =>
      end(async (route) => {
        await route.fetch();
        resolve();
      }),
    );
    await arrived;
    await page.reload();
    await hydrated(page);
    await expect.poll(() => field(page).inputValue()).toBe("PREMIER");
    await press(page, "Envoyer");
    await page.getByText("Votre message est envoyé").waitFor();
    expect(posts).toHaveLength(2);
    expect(posts[1]).toEqual(posts[0]);
    await page.reload();
    await hydrated(page);
    expect((await said(page)).slice(1)).toEqual(["PREMIER"]);
    expect(await field(page).inputValue()).toBe("");
  });

  it("shows no text that has arrived", async () => {
    const page = await openTicket();
    await field(page).fill("PREMIER");
    await press(page, "Envoyer");
    await page.getByText("Votre message est envoyé").waitFor();
    await page.reload();
    await hydrated(page);
    expect(await field(page).inputValue()).toBe("");
    expect((await said(page)).slice(1)).toEqual(["PREMIER"]);
  });
});
