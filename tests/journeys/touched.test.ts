import type { Page, Route } from "playwright";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { FORM_PAGES } from "./form-pages";
import { openJourneys } from "./journeys";
import { newResetLink } from "./reset-link";
import { faultyFields, heading, press, signIn, subscribe, touch } from "./steps";
import { watch, watchErrors } from "./watch";

const { site, reader } = openJourneys();

/** */
const FRAMEWORK = /\/assets\/(?!index-)[^/]*\.js$/;

type Opened = Awaited<ReturnType<typeof open>>;

type Session = Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;
let session: Session;
let sessionWithName: Session;
let resetLink: Promise<string> | undefined;
beforeAll(async () => {
  const page = await reader();
  await subscribe(page);
  session = await page.context().storageState();
  const named = await reader();
  await subscribe(named);
  await named.goto(paths.account());
  await named.locator("[name=name]").fill("Léa");
  await press(named, "Enregistrer");
  await named.getByText("Votre nom a bien été enregistré").first().waitFor();
  sessionWithName = await named.context().storageState();
});

/** Without a name a new discussion begins with a dialog over its form. */
const sessionOf = ({ path, secured }: (typeof FORM_PAGES)[number]) => {
  if (!secured) return {};
  const asks = path === paths.coachingNewDiscussion();
  return { storageState: asks ? sessionWithName : session };
};

/** A form page at its address; without its secret the page of a mailed link has no form. */
async function addressOf(path: string): Promise<string> {
  if (path !== serverPaths.resetPasswordUpdate()) return path;
  return (resetLink ??= newResetLink(site(), await reader()));
}

const slowPages: Page[] = [];
// The browser slows a page down by keeping a core busy, for as long as the page is open.
afterEach(async () => {
  await Promise.all(slowPages.splice(0).map((page) => page.context().close()));
});

/** Opens a form page on a slow phone. Its framework scripts are held back until they are released. */
async function open(formPage: (typeof FORM_PAGES)[number]) {
  const { path } = formPage;
  const page = await reader(sessionOf(formPage));
  const complaints = watch(page, site().origin);
  const asked: string[] = [];
  const held: Route[] = [];
  let isHeld = true;
  await page.route(FRAMEWORK, async (route) => {
    asked.push(route.request().url());
    if (isHeld) held.push(route);
    else await route.continue();
  });
  const release = async () => {
    isHeld = false;
    await Promise.all(held.map((route) => route.continue()));
  };
  slowPages.push(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const address = await addressOf(path);
  await page.goto(address);
  expect(page.url()).toBe(site().origin + address);
  return { page, complaints, asked: () => asked.length, release };
}

const isTakenOver = async (page: Page) => (await page.locator("form[novalidate]").count()) > 0;

const shown = (page: Page, selector: string) =>
  page.locator("main form").locator(selector).filter({ visible: true }).all();

const TYPED =
  "input:not([type=hidden], [type=checkbox], [type=date], [readonly], [tabindex='-1']), textarea";

/** Fills in each field a little: one letter, a tick, the last choice. Returns how to read them all. */
async function fillBefore(page: Page) {
  const typed = await shown(page, TYPED);
  for (const field of typed) await field.pressSequentially("1");
  const boxes = await shown(page, "[type=checkbox]");
  for (const box of boxes) await box.check();
  const choices = await shown(page, "select");
  for (const choice of choices) await choice.selectOption({ index: 1 });
  const dates = await shown(page, "[type=date]");
  for (const date of dates) await date.fill("2031-02-03");
  const valuesOf = (fields: typeof typed) => Promise.all(fields.map((field) => field.inputValue()));
  return {
    first: typed[0],
    others: async () => ({
      typed: await valuesOf(typed.slice(1)),
      ticked: await Promise.all(boxes.map((box) => box.isChecked())),
      chosen: await valuesOf([...choices, ...dates]),
    }),
  };
}

/** Types at the start of a field until React has taken over the page. Returns what was typed. */
async function typeWhileHydrating({ page, release }: Opened, field: ReturnType<Page["locator"]>) {
  await field.focus();
  await page.keyboard.press("Home");
  let typed = "";
  const released = release();
  // As many as fit into the shortest field.
  while (typed.length < 30 && !(await isTakenOver(page))) {
    await page.keyboard.type("a");
    typed += "a";
  }
  await page.locator("form[novalidate]").first().waitFor({ state: "attached" });
  await released;
  return typed;
}

/** Sends the form of a page that needs no script, without the browser's own checks. */
async function sendPlainly(page: Page) {
  const form = page.locator("main form").filter({ visible: true }).first();
  await form.evaluate((element) => element.setAttribute("novalidate", ""));
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === "POST"),
    form.locator("button:not([type=button])").first().click(),
  ]);
  await page.waitForLoadState();
  return request;
}

describe.each(FORM_PAGES)("the form page $path", (formPage) => {
  it("loses nothing typed before, during and after", async () => {
    const opened = await open(formPage);
    const { page } = opened;
    const { first, others } = await fillBefore(page);
    const before = await others();
    if (first) {
      const during = await typeWhileHydrating(opened, first);
      await page.keyboard.type("z");
      expect(await first.inputValue()).toBe(`${during}z1`);
    } else {
      await opened.release();
      await touch(page);
    }
    expect(await others()).toEqual(before);
    expect(opened.complaints).toEqual([]);
  });

  it("loads no framework until it is touched", async () => {
    const { page, asked } = await open(formPage);
    await page.mouse.wheel(0, 300);
    await page.locator("footer a").first().focus();
    await page.waitForLoadState("networkidle");
    expect(asked()).toBe(0);
    await page.locator("main form").first().dispatchEvent("pointerdown");
    await expect.poll(asked).toBeGreaterThan(5);
  });

  it("is a plain post before, and waits again after a refusal", async () => {
    const opened = await open(formPage);
    const { page, asked } = opened;
    const request = await sendPlainly(page);
    expect(request.isNavigationRequest()).toBe(true);
    expect((await request.response())?.status()).toBe(400);
    await page.waitForLoadState("networkidle");
    // The press was a touch. The new page has asked for nothing.
    const askedBefore = asked();
    const { first, others } = await fillBefore(page);
    const before = await others();
    await expect.poll(asked).toBeGreaterThan(askedBefore);
    const start = (await first?.inputValue()) ?? "";
    const during = first ? await typeWhileHydrating(opened, first) : "";
    if (first) expect(await first.inputValue()).toBe(during + start);
    expect(await others()).toEqual(before);
  });
});

describe("a form that React takes over", () => {
  const ticket = { path: paths.contactNewTicket(), secured: false };

  it("keeps a message that its page came with", async () => {
    const opened = await open(ticket);
    const { page } = opened;
    await page.locator("[name=message]").fill("Bonjour,\nune question");
    await sendPlainly(page);
    await page.getByRole("alert").waitFor();
    const message = page.locator("[name=message]");
    await message.press("Control+Home");
    const during = await typeWhileHydrating(opened, message);
    await expect.poll(() => message.inputValue()).toBe(`${during}Bonjour,\nune question`);
  });

  it("keeps a date of which a part is typed", async () => {
    const { page, release } = await open({ path: paths.cancelContract(), secured: false });
    const date = page.locator("[type=date]");
    await date.focus();
    await page.keyboard.type("12");
    await release();
    await touch(page);
    // The faults of other fields draw the form again.
    await page.locator("[name=email]").evaluate((field: HTMLInputElement) => {
      field.value = "pas-une-adresse";
      for (const type of ["input", "focusout"])
        field.dispatchEvent(new Event(type, { bubbles: true }));
    });
    await expect.poll(() => faultyFields(page)).toEqual(["email"]);
    await page.keyboard.type("122031");
    expect(await date.inputValue()).toBe("2031-12-12");
  });

  it("keeps a new password in a page that came refused", async () => {
    const { page, release } = await open({ path: paths.registration(), secured: false });
    await page.locator("[name=email]").fill("pas-une-adresse");
    await sendPlainly(page);
    expect(await faultyFields(page)).toContain("email");
    await page.locator("[name=password]").fill("un nouveau secret");
    await release();
    await touch(page);
    expect(await page.locator("[name=password]").inputValue()).toBe("un nouveau secret");
    expect(await page.title()).toMatch(/^Erreur/);
  });

  it("keeps what was typed though an extension changed the page", async () => {
    const { page, release } = await open(ticket);
    await page.evaluate(() => {
      const icon = document.createElement("extension-icon");
      document.querySelector("main form")?.prepend(icon);
      document.body.prepend(icon.cloneNode());
    });
    await page.locator("[name=subject]").fill("Mon thème");
    await page.locator("[name=message]").pressSequentially("Bonjour");
    await release();
    await touch(page);
    expect(await page.locator("[name=subject]").inputValue()).toBe("Mon thème");
    await expect.poll(() => page.locator("[name=message]").inputValue()).toBe("Bonjour");
    await page.keyboard.type(" !");
    expect(await page.locator("[name=message]").inputValue()).toBe("Bonjour !");
  });

  it("stays plain HTML when a script cannot be loaded", async () => {
    const page = await reader();
    const errors = watchErrors(page);
    await page.route(/vendor-/, (route) => route.abort());
    await page.goto(paths.login());
    const [failed] = await Promise.all([
      page.waitForEvent("requestfailed"),
      page.locator("[name=email]").pressSequentially("personne@exemple.fr"),
    ]);
    expect(failed.url()).toContain("vendor-");
    await page.locator("[name=password]").fill("un secret");
    await press(page, "Se connecter");
    await page.getByText("mot de passe incorrects").waitFor();
    expect(errors).toEqual([]);
  });

  it("takes over with the next touch when its texts were missing", async () => {
    const page = await reader();
    const errors = watchErrors(page);
    const replaced = { status: 404, contentType: "text/html", body: "<p>Introuvable" };
    await page.route(/forms-.*\.json/, (route) => route.fulfill(replaced), { times: 1 });
    await page.goto(paths.login());
    const [missing] = await Promise.all([
      page.waitForResponse(/forms-.*\.json/),
      page.locator("[name=email]").pressSequentially("personne@exemple.fr"),
    ]);
    expect(missing.status()).toBe(404);
    await touch(page);
    expect(await page.locator("[name=email]").inputValue()).toBe("personne@exemple.fr");
    expect(errors).toEqual([]);
  });

  it("works again after a reload and after Back", async () => {
    const page = await reader();
    await page.goto(paths.contactNewTicket());
    await touch(page);
    await page.locator("[name=message]").fill("Bonjour");
    await page.reload();
    await touch(page);
    await page.locator("[name=message]").fill("Bonsoir");
    await page.goto(paths.text("about"));
    await page.goBack();
    await touch(page);
    expect(await page.locator("[name=message]").inputValue()).toBe("Bonsoir");
    await page.goto(paths.login());
    await signIn(page, "personne@exemple.fr");
    await page.getByText("mot de passe incorrects").waitFor();
  });
});

describe("a dialog that nobody has touched", () => {
  const openedSubscription = async (query = "") => {
    const { page } = await open({ path: paths.accountSubscription() + query, secured: true });
    return page;
  };
  const dialog = (page: Page) => page.locator("dialog:modal");

  it("opens over the page by its link", async () => {
    const page = await openedSubscription();
    await page.getByRole("link", { name: "Arrêter mon abonnement" }).click();
    await dialog(page).waitFor();
    expect(page.url()).not.toContain("stop");
    await page.mouse.click(2, 2);
    await dialog(page).waitFor({ state: "detached" });
    expect(await heading(page).isVisible()).toBe(true);
  });

  it("stays open, and closed, when React takes it over", async () => {
    const { page, release } = await open({
      path: `${paths.accountSubscription()}?stop`,
      secured: true,
    });
    await release();
    await touch(page);
    await dialog(page).waitFor();
    await page.getByRole("link", { name: "Garder mon abonnement" }).click();
    await dialog(page).waitFor({ state: "detached" });
    await page.reload();
    await dialog(page).waitFor();
    await page.locator("dialog").evaluate((it: HTMLDialogElement) => it.close());
    await touch(page);
    expect(await dialog(page).count()).toBe(0);
    await page.getByRole("link", { name: "Arrêter mon abonnement" }).click();
    await dialog(page).waitFor();
  });
});
