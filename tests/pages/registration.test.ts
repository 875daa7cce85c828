import { describe, expect, it, onTestFinished } from "vitest";
import { embeddedPlatform } from "../../server/embedded";
import { paths } from "~/paths";
import { openPages, type PageAnswer } from "../support/pages";
import {
  CARDS,
  cardFields,
  newEmail,
  PASSWORD,
  reachBank,
  registrationFields,
  subscribe,
} from "../support/people";
import { endSessionsOf } from "./sessions";

const { visitor } = openPages();

const errorsOf = ({ dom }: PageAnswer) =>
  dom.querySelectorAll(".field__error").map((element) => [element.id, element.text.trim()]);

describe("the registration form", () => {
  it("shows each empty field once, in French", async () => {
    const answer = await visitor().post("/registration", {});
    expect(answer.status).toBe(400);
    expect(errorsOf(answer).map(([id]) => id)).toEqual([
      "registration-email-error",
      "registration-password-error",
      "registration-terms-error",
    ]);
    expect(answer.dom.querySelectorAll("[role=alert] a")).toHaveLength(3);
    expect(answer.dom.querySelector("title")?.text).toMatch(/^Erreur\s: /);
  });

  it("keeps the typed values except the password", async () => {
    const answer = await visitor().post("/registration", {
      email: "pas-une-adresse",
      password: "secret-tapé-ici",
    });
    expect(answer.dom.querySelector("[name=email]")?.getAttribute("value")).toBe("pas-une-adresse");
    expect(answer.body).not.toContain("secret-tapé-ici");
  });

  it("ties each error to its field", async () => {
    const { dom } = await visitor().post("/registration", registrationFields("nope"));
    const field = dom.querySelector("[name=email]");
    expect(field?.getAttribute("aria-invalid")).toBe("true");
    expect(field?.getAttribute("aria-describedby")).toBe(`${field?.id}-error`);
  });

  it("refuses a password of 60 characters", async () => {
    const fields = { ...registrationFields(), password: "x".repeat(60) };
    const answer = await visitor().post("/registration", fields);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer).map(([id]) => id)).toEqual(["registration-password-error"]);
  });

  it("names a used e-mail and signs nobody in", async () => {
    const email = newEmail();
    await reachBank(visitor(), email);
    const stranger = visitor();
    const answer = await stranger.post("/registration", registrationFields(email));
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toEqual([
      ["registration-email-error", expect.stringContaining("déjà utilisée")],
    ]);
    expect((await stranger.get("/account")).status).toBe(302);
  });

  it("creates one account on a double click", async () => {
    const reader = visitor();
    const { dom } = await reader.get("/registration");
    const idempotencyKey = dom.querySelector("[name=idempotencyKey]")?.getAttribute("value") ?? "";
    const fields = { ...registrationFields(), idempotencyKey };
    const answers = await Promise.all([1, 2].map(() => reader.post("/registration", fields)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers[1]?.headers.get("location")).toBe(answers[0]?.headers.get("location"));
  });

  it.each([
    ["text/plain", "email=a"],
    ["application/json", "{}"],
    ["multipart/form-data", "no boundary"],
  ])("answers 400 to a body of type %s", async (type, body) => {
    const answer = await visitor().send("/registration", {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    expect(answer.status).toBe(400);
    expect(answer.dom.querySelector("[role=alert]")?.text).toContain("autre chose");
    expect(answer.dom.querySelector("form [name=email]")).not.toBeNull();
  });

  it("answers 413 to a body of 2 MiB", async () => {
    const body = new URLSearchParams({ email: "a".repeat(2 * 1024 * 1024) });
    const answer = await visitor().send("/registration", { method: "POST", body });
    expect(answer.status).toBe(413);
  });

  it("refuses a filled honeypot", async () => {
    const fields = { ...registrationFields(), website: "https://spam.example" };
    expect((await visitor().post("/registration", fields)).status).toBe(400);
  });
});

describe("the way to the bank and back", () => {
  it("leads from registration to the bank's page", async () => {
    const answer = await visitor().post("/registration", registrationFields());
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toContain("/api/sandbox/pay/");
  });

  it("claims no payment where the trial is free", async () => {
    const { database } = await embeddedPlatform();
    const { trial_amount } = await database
      .selectFrom("formula")
      .select("trial_amount")
      .where("uid", "=", "vip-mensuel")
      .executeTakeFirstOrThrow();
    const setTrial = (amount: number | null) =>
      database
        .updateTable("formula")
        .set({ trial_amount: amount })
        .where("uid", "=", "vip-mensuel")
        .execute();
    await setTrial(0);
    onTestFinished(async () => void (await setTrial(trial_amount)));
    const result = await subscribe(visitor());
    expect(result.dom.querySelector("h1")?.text).toContain("votre essai gratuit est confirmé");
    expect(result.dom.querySelector("title")?.text).toContain("Essai gratuit confirmé");
    expect(result.html).not.toMatch(/paiement a réussi|Paiement réussi/);
  });

  it("opens the whole article at once after payment", async () => {
    const reader = visitor();
    const before = await reader.get("/article/lire-son-theme-natal");
    expect(before.dom.querySelector(".paywall")).not.toBeNull();
    const result = await subscribe(reader);
    expect(result.dom.querySelector("h1")?.text).toContain("paiement a réussi");
    const after = await reader.get("/article/lire-son-theme-natal");
    expect(after.dom.querySelector(".paywall")).toBeNull();
    expect(after.html.length).toBeGreaterThan(before.html.length);
  });

  it("leads back to the article after registering", async () => {
    const reader = visitor();
    await reader.get("/registration?returnTo=/article/lire-son-theme-natal");
    const result = await subscribe(reader);
    expect(
      result.dom.querySelector("a.button--primary[href='/article/lire-son-theme-natal']"),
    ).not.toBeNull();
  });

  it("reports a declined card and offers a retry", async () => {
    const reader = visitor();
    const bank = await reachBank(reader);
    const result = await reader.follow(await reader.post(bank, cardFields(CARDS.declined)));
    expect(result).toMatchObject({ status: 200, path: "/registration/failure" });
    const told = result.dom.querySelector(".notice--error")?.text;
    expect(told).toContain("réessayez");
    expect(told).toContain("Votre banque l’a refusé, et rien n’a été débité.");
    expect(told).toContain("Essayez une autre carte");
    expect(result.dom.querySelector(`main a[href="${paths.contactNewTicket()}"]`)).not.toBeNull();
    const again = await reader.post("/registration/failure", { intent: "retry" });
    expect(again.headers.get("location")).toContain("/api/sandbox/pay/");
    expect(new URL(again.headers.get("location") ?? "").pathname).not.toBe(bank);
  });

  it("shows the bank's code of an error", async () => {
    const reader = visitor();
    const bank = await reachBank(reader);
    const result = await reader.follow(await reader.post(bank, cardFields(CARDS.refused)));
    expect(result.dom.querySelector(".notice--error")?.text).toContain("E000");
  });

  it("shows a pending payment as neither success nor failure", async () => {
    const reader = visitor();
    const bank = await reachBank(reader);
    const result = await reader.follow(await reader.post(bank, cardFields(CARDS.pending)));
    expect(result.path).toMatch(/^\/callback\/payment/);
    expect(result.dom.querySelector("h1")?.text).toContain("pas encore répondu");
    expect(result.dom.querySelector("meta[http-equiv=refresh]")).not.toBeNull();
    expect((await reader.get("/account")).status).toBe(302);
  });

  it("grants nothing for a forged callback", async () => {
    const reader = visitor();
    await reachBank(reader);
    await reader.follow(await reader.get("/callback/payment?cashback=0&success=1"));
    const article = await reader.get("/article/lire-son-theme-natal");
    expect(article.dom.querySelector(".paywall")).not.toBeNull();
    const success = await reader.get("/registration/success");
    expect(success.html).not.toContain("le paiement a réussi");
  });

  it.each([
    ["/callback/payment?success=1", "/registration/success"],
    ["/callback/payment?cashback=1", "/registration/welcome/success"],
    ["/registration/failure", "/registration/failure"],
    ["/registration/welcome/failure", "/registration/welcome/failure"],
    ["/registration/success", "/registration/success"],
  ])("shows a stranger at %s no payment", async (path, shown) => {
    const stranger = visitor();
    const page = await stranger.follow(await stranger.get(path));
    expect([page.status, page.path || path]).toEqual([200, shown]);
    expect(page.dom.querySelector("h1")?.text).toBe("Nous n’avons aucun paiement à votre nom");
    expect(page.dom.querySelector("main")?.text).not.toMatch(/débité|en cours|refusé|abouti/);
    const ways = page.dom.querySelectorAll("main a").map((link) => link.getAttribute("href"));
    expect(ways).toEqual(expect.arrayContaining(["/login", "/registration"]));
  });

  it.each([
    "/registration/failure",
    "/registration/success",
    "/callback/payment?cashback=0&success=0",
  ])("leads a signed-out payer from %s to the login", async (path) => {
    const reader = visitor();
    const email = newEmail();
    await reachBank(reader, email);
    await endSessionsOf(email);
    const result = await reader.get(path);
    expect(result.headers.get("location")).toBe(`/login?returnTo=${encodeURIComponent(path)}`);
  });

  it("reports that the bank's page was left", async () => {
    const reader = visitor();
    const bank = await reachBank(reader);
    const result = await reader.follow(await reader.post(bank, { intent: "cancel" }));
    expect(result.path).toBe("/registration/failure");
    expect(result.dom.querySelector("title")?.text).toContain("Paiement non terminé");
    expect(result.dom.querySelector("main")?.text).toContain("Rien n’a été débité");
    expect(result.dom.querySelector("main")?.text).not.toMatch(/refusé|erreur/i);
    const again = await reader.post("/registration/failure", { intent: "retry" });
    expect(again.headers.get("location")).toContain("/api/sandbox/pay/");
  });

  it("continues to payment without registering a second time", async () => {
    const reader = visitor();
    const bank = await reachBank(reader);
    const form = await reader.get("/registration");
    expect(form.dom.querySelector("[name=password]")).toBeNull();
    const link = await reader.post("/registration", { intent: "pay" });
    expect(new URL(link.headers.get("location") ?? "").pathname).toBe(bank);
  });

  it("sends a subscriber from registration to the account", async () => {
    const reader = visitor();
    await subscribe(reader);
    expect((await reader.get("/registration")).headers.get("location")).toBe("/account");
  });

  it("shows no success page without a payment", async () => {
    const answer = await visitor().get("/registration/success");
    expect(answer.status).toBe(200);
    expect(answer.dom.querySelector("h1")?.text).toContain("aucun paiement");
  });

  it("answers 404 for unknown results", async () => {
    expect((await visitor().get("/registration/peut-etre")).status).toBe(404);
  });

  it("takes the formula of a valid traffic token", async () => {
    const reader = visitor();
    const form = await reader.get("/registration?utk=demo-cashback");
    expect(form.dom.querySelector(".price")?.text).toContain("14,90");
    const bank = await reader.get(await reachBank(reader));
    expect(bank.html).toContain("4,90");
  });

  it("falls back to the default formula without a valid token", async () => {
    const form = await visitor().get("/registration?utk=demo-expire");
    expect(form.dom.querySelector(".price")?.text).toContain("9,90");
  });
});

describe("signing in with the new account", () => {
  it("works after a refused payment too", async () => {
    const email = newEmail();
    await reachBank(visitor(), email);
    const back = visitor();
    const answer = await back.post("/login", { email, password: PASSWORD });
    expect(answer.status).toBe(303);
    const account = await back.follow(answer);
    expect(account.path).toBe("/login?returnTo=%2Faccount");
    expect(account.dom.querySelector("h1")?.text).toContain("réservée aux abonnés");
  });
});
