import { afterEach, describe, expect, it, vi } from "vitest";
import { paths, serverPaths } from "~/paths";
import { linkIn, waitForMail } from "../support/mailed";
import { openPages, type PageAnswer, type Visitor } from "../support/pages";
import { newEmail, PASSWORD, reachBank, subscribe } from "../support/people";

const { visitor, dataDir } = openPages();

const pathOf = (path: (token: string) => string) => new URL(path(""), "http://x").pathname;

describe("stopping and withdrawing", () => {
  const functionsIn = async (reader: Visitor, path: string) =>
    (await reader.get(path)).dom.querySelectorAll("footer a").flatMap(({ text, attributes }) => {
      const isFunction = ["Résilier votre contrat", "Renoncer au contrat ici"].includes(
        text.trim(),
      );
      return isFunction ? [attributes.href] : [];
    });

  const BOTH = ["/cancel-contract", "/withdrawal"];

  it.each([
    "/",
    "/articles",
    "/article/lire-son-theme-natal",
    "/about",
    "/terms-of-service",
    "/login",
    "/reset-password",
    "/registration",
    "/registration/welcome",
    "/registration/payment?utk=demo-cashback",
    "/contact",
    "/contact/new-ticket",
    "/contact/link",
    "/cancel-contract",
    "/withdrawal",
    "/page404",
    "/page5xx",
    "/nulle-part",
  ])("are linked at the foot of %s", async (path) => {
    expect((await functionsIn(visitor(), path)).sort()).toEqual(BOTH);
  });

  it("are linked at the foot of a subscriber's pages", async () => {
    const reader = visitor();
    await subscribe(reader);
    const pages = ["/account", "/account/subscription", "/account/data", "/coaching", "/logout"];
    for (const path of pages) expect((await functionsIn(reader, path)).sort(), path).toEqual(BOTH);
  });
});

describe("the subscription page", () => {
  it("stops only when the box is ticked", async () => {
    const reader = visitor();
    await subscribe(reader);
    const page = await reader.get("/account/subscription?stop");
    expect(page.dom.querySelector("dialog[open] [name=confirm][required]")).not.toBeNull();
    const refused = await reader.post("/account/subscription", {});
    expect(refused.status).toBe(400);
    expect(refused.dom.querySelectorAll(".field__error")).toHaveLength(1);
    const stopped = await reader.follow(
      await reader.post("/account/subscription", { confirm: "on" }),
    );
    expect(stopped.html).toContain("Arrêt demandé");
    // No debit follows: the price alone would read like one.
    const terms = stopped.dom.querySelectorAll(".definitions dt");
    expect(terms.map(({ text }) => text)).toContain("Prix de l’abonnement");
    expect(stopped.dom.querySelector("[name=confirm]")).toBeNull();
    expect(
      (await reader.get("/article/lire-son-theme-natal")).dom.querySelector(".paywall"),
    ).toBeNull();
  });

  it("and its mail name the right to withdraw while it is open", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    const right =
      /Vous préférez un remboursement\s\? Jusqu’au \d.{5,20} inclus, vous pouvez renoncer/;
    const linkIn = (page: PageAnswer, within: string) =>
      page.dom.querySelector(`main ${within} a[href="${paths.withdrawal()}"]`);
    const dialog = await reader.get(`${paths.accountSubscription()}?stop`);
    expect(dialog.dom.querySelector("dialog")?.text).toMatch(right);
    expect(linkIn(dialog, "dialog")).not.toBeNull();
    expect(dialog.dom.querySelectorAll(`main a[href="${paths.withdrawal()}"]`)).toHaveLength(1);
    const stopped = await reader.follow(
      await reader.post(paths.accountSubscription(), { confirm: "on" }),
    );
    expect(stopped.dom.querySelector("main")?.text).toMatch(right);
    expect(linkIn(stopped, "")).not.toBeNull();
    const { text } = await waitForMail({ dataDir }, email, "ne sera pas renouvelé");
    expect(text).toMatch(/Jusqu’au \d.* inclus, vous pouvez renoncer au contrat/);
  });

  it("that came before is told as that, and promises no mail", async () => {
    const reader = visitor();
    await subscribe(reader);
    const stop = async () =>
      (await reader.follow(await reader.post("/account/subscription", { confirm: "on" }))).html;
    expect(await stop()).toContain("Une confirmation vous est envoyée par e\u2011mail");
    const again = await stop();
    expect(again).toContain("était déjà arrêté");
    expect(again).not.toContain("Une confirmation vous est envoyée");
  });
});

describe("a cancellation by who has stopped on the account page", () => {
  it("promises no certain link, as its receipt has none", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    await reader.post("/account/subscription", { confirm: "on" });
    const fields = { name: "Léa", email, intent: "notify" };
    const page = await reader.follow(await reader.post(paths.cancelContract(), fields));
    const told = page.dom.querySelector("main")?.text;
    expect(told).toContain(
      "Si le renouvellement était déjà arrêté, l’e\u2011mail peut ne pas avoir de lien",
    );
    const { text } = await waitForMail(
      { dataDir },
      email,
      "Accusé de réception de votre résiliation",
    );
    expect(text).toContain("Le renouvellement était déjà arrêté");
    expect(text).not.toContain("?token=");
  });
});

describe("after a withdrawal", () => {
  const declare = async (reader: Visitor, email: string) => {
    const fields = { name: "Léa", email, intent: "confirm" };
    const { dom } = await reader.follow(await reader.post("/withdrawal", fields));
    return dom.querySelector("main")?.text;
  };

  it("the account says when the subscription ended", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    const reference = /[0-9a-f-]{36}/;
    expect((await reader.get("/account/subscription")).dom.querySelector("dl")?.text).toMatch(
      reference,
    );
    expect(await declare(reader, email)).not.toContain("Pour que ce soit aussitôt");
    const page = await reader.follow(await reader.get("/account/subscription"));
    expect(page.dom.querySelector("main")?.text).toMatch(/a pris fin le \d/);
  });

  it("without signing in, the receipt points to the mail", async () => {
    const email = newEmail();
    await subscribe(visitor(), email);
    expect(await declare(visitor(), email)).toContain("Pour que ce soit aussitôt");
  });
});

describe("within the withdrawal period", () => {
  it("the data page offers the refund before the deletion", async () => {
    const reader = visitor();
    await subscribe(reader);
    const { dom } = await reader.get(paths.accountData());
    const panels = dom.querySelectorAll("main .panel").map(({ id }) => id);
    expect(panels.indexOf("withdrawal-panel")).toBeGreaterThanOrEqual(0);
    expect(panels.indexOf("withdrawal-panel")).toBeLessThan(panels.indexOf("deletion-panel"));
    const link = dom.querySelector(`#withdrawal-panel a[href="${paths.withdrawal()}"]`);
    expect(link?.text).toBe("Renoncer au contrat");
    const panel = dom.querySelector("#withdrawal-panel")?.text;
    expect(panel).toContain("toute somme payée vous est remboursée");
  });

  it("only the owner is told until when the right runs", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    const told = async (by: typeof reader) => {
      const fields = { name: "Léa", email, reference: "", intent: "recap" };
      return (await by.post(paths.withdrawal(), fields)).dom.querySelector("main")?.text;
    };
    expect(await told(reader)).toMatch(/Votre délai de rétractation court jusqu’au \d/);
    expect(await told(visitor())).toContain("Si le délai de rétractation court encore");
  });

  it("a declaration may name its contract", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    expect(
      (await reader.get(paths.withdrawal())).dom
        .querySelector("[name=reference]")
        ?.hasAttribute("required"),
    ).toBe(false);
    const fields = { name: "Léa", email, reference: "contrat-42" };
    const recap = await reader.post(paths.withdrawal(), { ...fields, intent: "recap" });
    expect(recap.dom.querySelector("main dl")?.text).toContain("contrat-42");
    await visitor().post(paths.withdrawal(), { ...fields, intent: "confirm" });
    expect((await waitForMail({ dataDir }, email, "rétractation")).text).toContain("contrat-42");
  });
});

describe("the recap of a declaration", () => {
  const DECLARED = [
    [paths.cancelContract(), "résiliation de mon contrat d’abonnement à Cap Céleste."],
    [paths.withdrawal(), "rétractation du contrat portant sur l’abonnement à Cap Céleste."],
  ] as const;

  it.each(DECLARED)("at %s shows what the receipt quotes", async (path, words) => {
    const fields = { name: "Léa", email: newEmail() };
    const recap = await visitor().post(path, { ...fields, intent: "recap" });
    const declared = recap.dom.querySelector("main blockquote")?.text.trim();
    expect(declared).toContain(words);
    const intent = path === paths.withdrawal() ? "confirm" : "notify";
    await visitor().post(path, { ...fields, intent });
    expect((await waitForMail({ dataDir }, fields.email, "")).text).toContain(declared);
  });
});

describe("a declaration without sign-in", () => {
  it("is taken back on the page of its signed-in owner", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    const shown = async () =>
      (await reader.get(paths.accountSubscription())).dom.querySelector(
        `main a[href="${paths.accountSubscriptionUndo()}"]`,
      );
    expect(await shown()).toBeNull();
    const fields = { name: "Une Inconnue", email, intent: "notify" };
    await visitor().post(paths.cancelContract(), fields);
    await expect.poll(shown).not.toBeNull();
    const undone = await reader.follow(await reader.post(paths.accountSubscriptionUndo(), {}));
    expect(undone.html).toContain("C’est annulé");
    expect(await shown()).toBeNull();
  });
});

describe("a planned end", () => {
  const ACCOUNT = [paths.account(), paths.accountSubscription()];

  const dateIn = (days: number) =>
    new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);

  /** A signed-in subscriber who cancels for a later day. */
  async function planning(days = 45) {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    const fields = { name: "Léa", email, date: dateIn(days), intent: "notify" };
    await reader.follow(await reader.post(paths.cancelContract(), fields));
    return { reader, email };
  }

  it("is shown on the account beside the next debit", async () => {
    const { reader } = await planning();
    for (const path of ACCOUNT) {
      const { dom } = await reader.get(path);
      const text = dom.querySelector("#subscription")?.text ?? "";
      expect(text).toMatch(/Résiliation prévue\s: votre abonnement prend fin le \d/);
      expect(text).toContain("les prélèvements aussi");
      expect(text).toMatch(/Prochain prélèvement[\d,]+\s€ le \d/);
      expect(text).toMatch(/Accès jusqu’au\d/);
      expect(text).not.toContain("Actif");
    }
  });

  it("names the mailed link that undoes it", async () => {
    const { reader, email } = await planning();
    for (const path of ACCOUNT) {
      const { dom } = await reader.get(path);
      const text = dom.querySelector("#subscription")?.text ?? "";
      expect(text).toContain("Le lien de l’accusé de réception, reçu par e\u2011mail, annule");
    }
    const mail = await waitForMail({ dataDir }, email, "résiliation");
    expect(linkIn(mail, pathOf(serverPaths.undoCancellation))).toContain("token=");
  });

  it("can be brought forward by the subscriber", async () => {
    const { reader } = await planning();
    const page = await reader.get(`${paths.accountSubscription()}?stop`);
    expect(page.dom.querySelector("[name=confirm]")).not.toBeNull();
    const answer = await reader.post(paths.accountSubscription(), { confirm: "on" });
    const text = (await reader.follow(answer)).dom.querySelector("main")?.text;
    expect(text).toContain("Arrêt demandé");
    expect(text).not.toContain("Résiliation prévue");
  });

  it("is undone once, which its link then reports", async () => {
    const { reader, email } = await planning();
    const mail = await waitForMail({ dataDir }, email, "résiliation");
    const link = linkIn(mail, pathOf(serverPaths.undoCancellation));
    const token = new URL(link, "http://x").searchParams.get("token") ?? "";
    const undo = async () => {
      const page = await reader.follow(await reader.post(link, { token }));
      return page.dom.querySelector("main")?.text ?? page.html;
    };
    expect((await reader.get(link)).html).not.toContain("continue comme avant");
    expect(await undo()).toContain("Votre abonnement continue comme avant");
    await reader.post(paths.accountSubscription(), { confirm: "on" });
    const again = await undo();
    expect(again).toContain("Votre abonnement reste toutefois arrêté");
    expect(again).not.toContain("continue comme avant");
  });
});

describe("a withdrawal that waits for its link", () => {
  async function waiting({ isStopped = false } = {}) {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    if (isStopped) await reader.post(paths.accountSubscription(), { confirm: "on" });
    const fields = { name: "Léa", email, intent: "confirm" };
    await visitor().post(paths.withdrawal(), fields);
    const mail = await waitForMail({ dataDir }, email, "rétractation");
    return { reader, link: linkIn(mail, pathOf(serverPaths.confirmWithdrawal)) };
  }

  const send = async (reader: Visitor, link: string, intent: string) => {
    const token = new URL(link, "http://x").searchParams.get("token") ?? "";
    return (await reader.follow(await reader.post(link, { token, intent }))).html;
  };

  it("is shown on the account with its refund day", async () => {
    const { reader, link } = await waiting();
    for (const path of [paths.account(), paths.accountSubscription()]) {
      const text = (await reader.get(path)).dom.querySelector("#subscription")?.text ?? "";
      expect(text).toContain("Rétractation reçue");
      expect(text).toMatch(/parvenue le \d{1,2}(?:er)?\s[^\s\d]+\s\d{4}/);
      expect(text).toMatch(/remboursée le \d{1,2}(?:er)?\s[^\s\d]+\s\d{4}/);
      expect(text).not.toContain("Arrêt demandé");
    }
    expect(await send(reader, link, "undo")).toContain("continue comme avant");
    const text = (await reader.get(paths.account())).dom.querySelector("#subscription")?.text;
    expect(text).toContain("Actif");
    expect(text).not.toContain("rétractation");
  });

  it("is told once, with a way for whoever declared it and one for others", async () => {
    const { reader } = await waiting();
    const { dom } = await reader.get(paths.accountSubscription());
    const main = dom.querySelector("main")?.text ?? "";
    expect(main.match(/toute somme payée vous est remboursée/g)).toHaveLength(2);
    expect(main.match(/débit/g)?.length).toBeLessThanOrEqual(3);
    const hrefs = dom.querySelectorAll("main .button").map(({ attributes }) => attributes.href);
    expect(hrefs).toContain(paths.withdrawal());
    expect(hrefs).toContain(paths.accountSubscriptionUndo());
  });

  it("is confirmed or undone by the buttons of its link", async () => {
    const { reader, link } = await waiting();
    const { dom } = await reader.get(link);
    const buttons = dom.querySelectorAll("main form[method=post] button");
    expect(buttons.map((button) => button.getAttribute("value") ?? "confirm")).toEqual([
      "confirm",
      "undo",
    ]);
  });

  it.each(["undo", "confirm"])("leads to what an unknown link says: %s", async (intent) => {
    const reader = visitor();
    const answer = await reader.post(pathOf(serverPaths.confirmWithdrawal), {
      token: "usé",
      intent,
    });
    expect(answer.status).toBe(303);
    expect((await reader.follow(answer)).html).toContain("Ce lien n’est plus valable");
  });

  it("keeps the owner's own stop when undone", async () => {
    const { reader, link } = await waiting({ isStopped: true });
    const html = await send(reader, link, "undo");
    expect(html).toContain("Votre abonnement reste toutefois arrêté");
    expect(html).not.toContain("continue comme avant");
  });
});

describe("the receipt of a notice without signing in", () => {
  const receiptAt = async (path: string, fields: Record<string, string>) => {
    const reader = visitor();
    const answer = await reader.post(path, { name: "Léa", email: newEmail(), ...fields });
    const main = (await reader.follow(answer)).dom.querySelector("main");
    main?.querySelector("[aria-labelledby=declared]")?.remove();
    return main?.text ?? "";
  };

  it("names no number of days for undoing", async () => {
    const date = `${new Date().getFullYear() + 1}-12-01`;
    const dated = await receiptAt(paths.cancelContract(), { date, intent: "notify" });
    expect(dated).toContain("jusqu’à la date qu’il indique");
    expect(dated).not.toContain("sept jours");
  });

  it("promises a refund only if a contract matches", async () => {
    const text = await receiptAt(paths.withdrawal(), { intent: "confirm" });
    const [before, ...after] = text.split("Si un contrat y correspond");
    expect(after.join()).toContain("toute somme payée est remboursée. Pour que ce soit aussitôt");
    expect(before).not.toMatch(/débit|rembours/);
  });

  it.each([
    [paths.withdrawal(), "confirm"],
    [paths.cancelContract(), "notify"],
  ])("has short sentences at %s", async (path, intent) => {
    const text = await receiptAt(path, { intent });
    const sentences = text
      .replace(/lea\.\S+/, "")
      .split(/[.!?:](?=\s|[A-Z]|$)/)
      .map((sentence) => sentence.trim().split(/\s+/).length);
    expect(Math.max(...sentences)).toBeLessThanOrEqual(26);
    const words = sentences.reduce((sum, count) => sum + count, 0);
    expect(words / sentences.length).toBeLessThanOrEqual(13);
  });
});

describe.each([
  [paths.withdrawal(), "confirm"],
  [paths.cancelContract(), "notify"],
])("the receipt at %s", (path, intent) => {
  afterEach(() => vi.useRealTimers());

  const RECEIVED = /nous est parvenue.*Reçue le \d/s;

  async function sent(reader: Visitor, email = newEmail()) {
    return reader.follow(await reader.post(path, { name: "Léa", email, intent }));
  }

  const shownAt = async (reader: Visitor, address: string) =>
    (await reader.get(address)).dom.querySelector("main")?.text ?? "";

  it("is still there when the phone loads its page anew", async () => {
    const reader = visitor();
    const email = newEmail();
    const page = await sent(reader, email);
    expect(page.path).toMatch(new RegExp(`^${path}\\?sent=\\w+$`));
    const first = page.dom.querySelector("main")?.text ?? "";
    expect(first).toMatch(RECEIVED);
    for (let times = 0; times < 2; times++) {
      const again = await reader.get(page.path);
      expect(again.dom.querySelector("main")?.text).toMatch(RECEIVED);
      expect(again.dom.querySelector("main form[method=post]")).toBeNull();
      expect(again.headers.get("cache-control")).toContain("no-store");
    }
    expect((await reader.get(path)).dom.querySelector("[name=name]")).not.toBeNull();
  });

  it("gives way to the form after an hour, which says that it was sent", async () => {
    const reader = visitor();
    const { path: address } = await sent(reader);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61 * 60_000 });
    const text = await shownAt(reader, address);
    expect(text).not.toMatch(RECEIVED);
    expect(text).toContain("inutile de la refaire");
  });

  it("of a signed-in person is for nobody who signs in after them", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    const { path: address } = await sent(reader, email);
    expect(await shownAt(reader, address)).toMatch(RECEIVED);
    await reader.post(paths.logout(), {});
    expect(await shownAt(reader, address)).not.toMatch(RECEIVED);
    await subscribe(reader);
    expect(await shownAt(reader, address)).not.toMatch(RECEIVED);
  });

  it("of a signed-in person is not shown once their session is over", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    const elsewhere = visitor();
    await elsewhere.post(paths.login(), { email, password: PASSWORD });
    const { path: address } = await sent(reader, email);
    await elsewhere.post(paths.account(), { intent: "end-sessions" });
    expect(await shownAt(reader, address)).not.toMatch(RECEIVED);
  });

  it("is gone once its mailed link undid the notice", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(visitor(), email);
    const { path: address } = await sent(reader, email);
    expect(await shownAt(reader, address)).toMatch(RECEIVED);
    const isCancellation = intent === "notify";
    const mail = await waitForMail(
      { dataDir },
      email,
      isCancellation ? "résiliation" : "rétractation",
    );
    const link = isCancellation ? serverPaths.undoCancellation : serverPaths.confirmWithdrawal;
    const mailed = linkIn(mail, pathOf(link));
    const token = new URL(mailed, "http://x").searchParams.get("token") ?? "";
    await reader.post(mailed, { token, intent: "undo" });
    expect(await shownAt(reader, address)).not.toMatch(RECEIVED);
  });

  it("names what was declared, by whom and to whom", async () => {
    const reader = visitor();
    const email = newEmail();
    const fields = { name: "Léa Moreau", email, reference: "contrat-42", intent };
    const { path: address } = await reader.follow(await reader.post(path, fields));
    const { dom } = await reader.get(address);
    const declared = dom.querySelector(".receipt [aria-labelledby=declared]")?.text ?? "";
    expect(declared).toContain("Je vous notifie");
    expect(declared).toMatch(/Adressée à.*Cap Céleste SAS/s);
    for (const typed of ["Léa Moreau", email, "contrat-42"]) expect(declared).toContain(typed);
  });

  it("is kept beside those of two other declarations", async () => {
    const reader = visitor();
    const shown = async () => {
      const email = newEmail();
      return { email, address: (await sent(reader, email)).path };
    };
    const [first, ...newest] = [await shown(), await shown(), await shown(), await shown()];
    for (const { address, email } of newest)
      expect(await shownAt(reader, address)).toContain(email);
    expect(await shownAt(reader, first.address)).toContain("inutile de la refaire");
  });

  it("of a repetition promises no other mail", async () => {
    const reader = visitor();
    const email = newEmail();
    const once = await sent(reader, email);
    const again = await sent(reader, email);
    expect(again.path).toBe(once.path);
    const text = again.dom.querySelector("main")?.text ?? "";
    expect(text).toContain("Vous aviez déjà envoyé cette demande");
    expect(text).not.toContain("Un accusé de réception part à l’adresse indiquée");
  });

  it("prints alone", async () => {
    const page = await sent(visitor());
    expect(page.dom.querySelector(".receipt")?.text).toContain("imprimez-la");
  });
});

describe("the receipt of a signed-in cancellation", () => {
  async function cancelled() {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    const fields = { name: "Léa", email, intent: "notify" };
    const page = await reader.follow(await reader.post(paths.cancelContract(), fields));
    const mail = await waitForMail({ dataDir }, email, "résiliation");
    return { reader, page, email, link: linkIn(mail, pathOf(serverPaths.undoCancellation)) };
  }

  const mainAt = async (reader: Visitor, address: string) =>
    (await reader.get(address)).dom.querySelector("main")?.text ?? "";

  it("says so once it was undone in another browser", async () => {
    const { reader, page, link } = await cancelled();
    expect(await mainAt(reader, page.path)).toMatch(/Votre accès prend fin le \d/);
    const token = new URL(link, "http://x").searchParams.get("token") ?? "";
    await visitor().post(link, { token });
    const text = await mainAt(reader, page.path);
    expect(text).toContain("Cette résiliation a été annulée depuis");
    expect(text).not.toContain("Votre accès prend fin");
  });

  it("says since when access is closed by a withdrawal", async () => {
    const { reader, page, email } = await cancelled();
    expect(await mainAt(reader, page.path)).toContain("Vous changez d’avis");
    await reader.post(paths.withdrawal(), { name: "Léa", email, intent: "confirm" });
    const text = await mainAt(reader, page.path);
    expect(text).toMatch(/Votre accès est fermé depuis le \d/);
    expect(text).not.toMatch(/prend fin le|Vous changez d’avis/);
  });

  it("names the contract by its reference", async () => {
    const { reader, page } = await cancelled();
    const account = await reader.get(paths.accountSubscription());
    const [reference = "none"] =
      /[0-9a-f-]{36}/.exec(account.dom.querySelector("dl")?.text ?? "") ?? [];
    expect(page.dom.querySelector("[aria-labelledby=declared]")?.text).toContain(reference);
  });

  it("leaves the mailed link named on the account", async () => {
    const { reader } = await cancelled();
    for (const path of [paths.account(), paths.accountSubscription()]) {
      const text = (await reader.get(path)).dom.querySelector("#subscription")?.text ?? "";
      expect(text).toContain("Arrêt demandé");
      expect(text).toMatch(/Le lien de l’accusé de réception.* l’annule jusqu’au \d/);
    }
  });
});

describe("a withdrawal that its mailed link confirms", () => {
  it("leads to a receipt that can be kept", async () => {
    const email = newEmail();
    await subscribe(visitor(), email);
    const reader = visitor();
    const fields = { name: "Léa", email, intent: "confirm" };
    await reader.post(paths.withdrawal(), fields);
    const mail = await waitForMail({ dataDir }, email, "rétractation");
    const link = linkIn(mail, pathOf(serverPaths.confirmWithdrawal));
    const token = new URL(link, "http://x").searchParams.get("token") ?? "";
    const elsewhere = visitor();
    for (const browser of [reader, elsewhere]) {
      const page = await browser.follow(await browser.post(link, { token }));
      expect(page.path).toMatch(/^\/withdrawal\?sent=\w+$/);
      const text = (await browser.get(page.path)).dom.querySelector(".receipt")?.text ?? "";
      expect(text).toContain("Votre rétractation est confirmée");
      expect(text).toContain("Je vous notifie ma rétractation");
      expect(text).toContain(email);
      expect(text).toMatch(/[0-9a-f]{8}-[0-9a-f-]{27}/);
      expect(text).not.toContain("Pour que ce soit aussitôt");
    }
  });
});

describe("a signed-in withdrawal", () => {
  const post = (reader: Visitor, email: string, intent: string) =>
    reader.post(paths.withdrawal(), { name: "Léa", email, intent });

  it("names what comes back before and after its button", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    const recap = (await post(reader, email, "recap")).dom.querySelector("main")?.text;
    expect(recap).toMatch(
      /Nous vous remboursons 1,00\s€, sur la carte qui se termine par 4242\. Comptez quelques jours/,
    );
    const page = await reader.follow(await post(reader, email, "confirm"));
    const receipt = page.dom.querySelector("main");
    expect(receipt?.text).toContain("L’accès de ce contrat a pris fin");
    expect(receipt?.text).toMatch(/Nous vous (?:remboursons|avons remboursé) 1,00\s€/);
    expect(receipt?.querySelector(`a[href="${paths.accountPayments()}"]`)).not.toBeNull();
  });

  it("is followed by the money and its receipt on the account", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    await post(reader, email, "confirm");
    for (let times = 0; times < 2; times++) {
      const page = await reader.follow(await reader.get(paths.account()));
      expect(page.html).toContain("Votre abonnement est terminé");
      const main = page.dom.querySelector("main");
      expect(main?.text).toMatch(/Nous vous (?:remboursons|avons remboursé) 1,00\s€/);
      expect(main?.querySelector(`a[href="${paths.accountPayments()}"]`)).not.toBeNull();
    }
  });

  it("tells nobody else of an amount", async () => {
    const email = newEmail();
    await subscribe(visitor(), email);
    const other = visitor();
    await subscribe(other);
    for (const reader of [visitor(), other]) {
      const recap = (await post(reader, email, "recap")).dom.querySelector("main")?.text;
      const page = await reader.follow(await post(reader, email, "confirm"));
      for (const text of [recap, page.dom.querySelector("main")?.text])
        expect(text).not.toMatch(/\d,\d\d\s€/);
    }
  });

  it("that names another contract waits for its mailed link", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    const told = async (intent: string) => {
      const fields = { name: "Léa", email, reference: "contrat-42", intent };
      const page = await reader.follow(await reader.post(paths.withdrawal(), fields));
      return page.dom.querySelector("main")?.text;
    };
    expect(await told("recap")).toContain("Si le délai de rétractation court encore");
    const receipt = await told("confirm");
    expect(receipt).toContain("Pour que ce soit aussitôt");
    expect(receipt).not.toContain("L’accès de ce contrat a pris fin");
    expect((await reader.get(paths.accountSubscription())).status).toBe(200);
  });

  it("that comes a second time promises the same money, not more", async () => {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    await post(reader, email, "confirm");
    const page = await reader.follow(await post(reader, email, "confirm"));
    const amounts = page.dom.querySelector("main")?.text.match(/\d,\d\d\s€/g);
    expect(amounts).toHaveLength(1);
  });
});

describe("the receipt of a signed-in subscriber's cancellation", () => {
  const receiptOf = async (reader: Visitor, fields: Record<string, string>) => {
    const body = { name: "Léa", intent: "notify", ...fields };
    const answer = await reader.post(paths.cancelContract(), body);
    return (await reader.follow(answer)).dom.querySelector("main")?.text ?? "";
  };

  const endShownTo = async (reader: Visitor) => {
    const { dom } = await reader.get(paths.account());
    return /Accès jusqu’au\s*(\d\S*\s\S+\s\d{4})/.exec(dom.querySelector("main")?.text ?? "")?.[1];
  };

  it.each(["", `${new Date().getFullYear() + 1}-12-01`])(
    "names the end of the access, with the wished day %j",
    async (date) => {
      const reader = visitor();
      const email = newEmail();
      await subscribe(reader, email);
      const text = await receiptOf(reader, { email, date });
      const end = await endShownTo(reader);
      expect(end).toBeDefined();
      expect(text).toContain(`prend fin le ${end}`);
      expect(/encore \d+, de 9,90\s€ chacun/.test(text)).toBe(date !== "");
      expect(text).not.toContain("Si un contrat en cours y correspond");
    },
  );

  it("tells nothing of another address's contract", async () => {
    const reader = visitor();
    await subscribe(reader);
    const other = newEmail();
    await subscribe(visitor(), other);
    await reader.post(paths.accountSubscription(), { confirm: "on" });
    const text = await receiptOf(reader, { email: other });
    expect(text).toContain("Si un contrat en cours y correspond");
    expect(text).not.toContain("Votre accès prend fin");
  });

  it("names no end where nothing shows a stop", async () => {
    const reader = visitor();
    const email = newEmail();
    await reachBank(reader, email);
    expect(await receiptOf(reader, { email })).toContain("Si un contrat en cours y correspond");
  });
});

describe("the date of a cancellation", () => {
  const nextYear = new Date().getFullYear() + 1;
  const asked = (date: string) =>
    visitor().post("/cancel-contract", { name: "Léa", email: newEmail(), date });

  it("is refused in the past", async () => {
    const { status, dom } = await asked("2020-01-31");
    expect(status).toBe(400);
    expect(dom.querySelector("#notice-date-error")?.text).toContain("Cette date est passée");
    expect(dom.querySelector("[name=date]")?.getAttribute("value")).toBe("2020-01-31");
  });

  it("is refused beyond five years ahead", async () => {
    const { status, dom } = await asked(`${nextYear + 5}-12-01`);
    expect(status).toBe(400);
    expect(dom.querySelector("#notice-date-error")?.text).toContain("trop éloignée");
  });

  it("says which period ends the contract", async () => {
    const { dom } = await asked(`${nextYear}-12-01`);
    expect(dom.querySelector("main")?.text).toContain("dans laquelle tombe cette date");
  });
});

describe.each([
  ["/cancel-contract", "notify", "Notification de la résiliation"],
  ["/withdrawal", "confirm", "Confirmer la rétractation"],
])("the notice at %s", (path, intent, button) => {
  const notice = (email = newEmail()) => ({ name: "Léa Martin", email });

  it("is linked in the footer and needs no login", async () => {
    const home = await visitor().get("/");
    expect(home.dom.querySelector(`footer a[href="${path}"]`)).not.toBeNull();
    expect((await visitor().get(path)).status).toBe(200);
  });

  it("shows a recap before the final button", async () => {
    const fields = notice();
    const { status, dom } = await visitor().post(path, fields);
    expect(status).toBe(200);
    expect(dom.querySelector("main dl")?.text).toContain(fields.email);
    expect(dom.querySelector(`button[value=${intent}]`)?.text).toBe(button);
  });

  it("answers the same with and without a contract", async () => {
    const email = newEmail();
    await subscribe(visitor(), email);
    const receipts = await Promise.all(
      [email, newEmail()].map(async (address) => {
        const reader = visitor();
        const answer = await reader.post(path, { ...notice(address), intent });
        const { dom } = await reader.follow(answer);
        return dom.querySelector("main")?.text.replace(/\d/g, "0");
      }),
    );
    expect(receipts[0]).toContain("nous est parvenue");
    expect(receipts[0]).toBe(receipts[1]);
  });

  it("shows each faulty field once", async () => {
    const { status, dom } = await visitor().post(path, { email: "nope" });
    expect(status).toBe(400);
    expect(dom.querySelectorAll(".field__error").map(({ id }) => id)).toEqual([
      "notice-name-error",
      "notice-email-error",
    ]);
  });
});
