import { describe, expect, it } from "vitest";
import { embeddedPlatform } from "../../../server/embedded";
import { hiddenFields, openPages } from "../../support/pages";
import { cardFields, newEmail, reachBank, registrationFields } from "../../support/people";
import { linesOfOrder, WORDS_OF_ORDER } from "../order-box";

const { visitor } = openPages({ CARD_FORM: "off" });

const PATH = "/registration/payment";
const PARTNER = `${PATH}?utk=demo-cashback&token=abc&platform=demo`;

describe("without a card form, a partner's link", () => {
  it("creates the account and leads to the bank", async () => {
    const reader = visitor();
    const page = await reader.get(PARTNER);
    expect(page.dom.querySelector("[name=cardNumber]")).toBeNull();
    const lead = page.dom.querySelector(".heading__lead")?.text;
    expect(lead).toContain("continuez vers la page de la banque");
    expect(lead).not.toContain("indiquez votre carte");
    expect(page.dom.querySelector(".price")?.text).toMatch(/Cashback\s*20,00\s€/);
    const fields = { ...hiddenFields(page), ...registrationFields(), intent: "link" };
    const answer = await reader.post(PATH, fields);
    const bank = new URL(answer.headers.get("location") ?? "").pathname;
    expect((await reader.get(bank)).html).toMatch(/4,90\s€/);
    const done = await reader.follow(await reader.post(bank, cardFields()));
    expect(done.path).toBe("/registration/welcome/success");
  });

  it("shows each faulty field of the account", async () => {
    const reader = visitor();
    const page = await reader.get(PARTNER);
    const answer = await reader.post(PATH, { ...hiddenFields(page), intent: "link" });
    expect(answer.status).toBe(400);
    const errors = answer.dom.querySelectorAll(".field__error").map(({ id }) => id);
    expect(errors).toEqual([
      "payment-email-error",
      "payment-password-error",
      "payment-terms-error",
    ]);
  });

  it("creates no second account", async () => {
    const email = newEmail();
    const reader = visitor();
    const page = await reader.get(PARTNER);
    const fields = { ...hiddenFields(page), ...registrationFields(email), intent: "link" };
    await reader.post(PATH, fields);
    const member = await reader.get(PARTNER);
    expect(member.dom.querySelector("[name=password]")).toBeNull();
    const answer = await reader.post(PATH, { ...hiddenFields(member), intent: "link" });
    expect(answer.headers.get("location")).toContain("/api/sandbox/pay/");
  });

  it("asks somebody signed in to tick changed terms", async () => {
    const reader = visitor();
    await reader.get(PARTNER);
    await reachBank(reader);
    const { database } = await embeddedPlatform();
    const text = { number: 99, title: "C", body: "<p>Autre.</p>", digest: "9".repeat(64) };
    const at = "2026-01-01T00:00:00.000Z";
    const dates = { recorded_at: at, applies_at: at, announced_at: null, applies: null };
    await database
      .insertInto("terms_version")
      .values({ ...text, ...dates })
      .execute();
    const page = await reader.get(PATH);
    const box = (answer: typeof page) => answer.dom.querySelector(".price__action [name=terms]");
    expect(box(page)?.hasAttribute("checked")).toBe(false);
    const fields = { ...hiddenFields(page), intent: "link" };
    const pages = () => database.selectFrom("payment").select("uid").execute();
    const before = await pages();
    const refused = await reader.post(PATH, fields);
    expect([refused.status, box(refused)?.hasAttribute("checked")]).toEqual([400, false]);
    expect(await pages()).toEqual(before);
    const answer = await reader.post(PATH, { ...fields, terms: "on" });
    expect(answer.headers.get("location")).toContain("/api/sandbox/pay/");
    expect(box(await reader.get(PATH))).toBeNull();
    await database.deleteFrom("terms_version").where("number", "=", 99).execute();
  });

  it("leads to the bank after the words in their order", async () => {
    const reader = visitor();
    await reachBank(reader);
    const statement = expect.stringMatching(/^Sur votre relevé \| \S/);
    const terms = "En commandant, vous acceptez les conditions générales.";
    expect(linesOfOrder(await reader.get(PATH))).toEqual([
      ...WORDS_OF_ORDER,
      statement,
      terms,
      "Continuer vers la page de la banque",
    ]);
    expect(linesOfOrder(await reader.get("/registration"))).toEqual([
      ...WORDS_OF_ORDER,
      terms,
      "Continuer vers le paiement",
    ]);
    expect(linesOfOrder(await visitor().get("/registration"))).toEqual([
      ...WORDS_OF_ORDER,
      expect.stringMatching(/^À l’étape suivante/),
      "Créer mon compte et continuer vers le paiement",
    ]);
  });

  it("leads nowhere without its token", async () => {
    const { html } = await visitor().get(PATH);
    expect(html).toContain("Unable to get a token");
  });

  it("that was withdrawn leads to the bank with the usual offer", async () => {
    const reader = visitor();
    const email = newEmail();
    const page = await reader.get(PARTNER);
    const { database } = await embeddedPlatform();
    const setToken = (is_valid: 0 | 1) =>
      database.updateTable("traffic_token").set({ is_valid }).execute();
    await setToken(0);
    const filled = { ...registrationFields(email), intent: "link" };
    const refused = await reader.post(PATH, { ...hiddenFields(page), ...filled });
    expect(refused.status).toBe(400);
    expect(refused.dom.querySelector("main [role=alert]")?.text).toMatch(
      /L’offre n’est plus celle que cette page montrait\s: rien n’a été débité/,
    );
    expect(refused.dom.querySelector("[name=email]")?.getAttribute("value")).toBe(email);
    const blind = await reader.post(PATH, { ...filled, idempotencyKey: "cle-sans-offre" });
    expect([blind.status, blind.dom.querySelector(".price")?.text]).toEqual([
      400,
      expect.stringContaining("9,90"),
    ]);
    const answer = await reader.post(PATH, { ...hiddenFields(refused), ...filled });
    await setToken(1);
    const bank = new URL(answer.headers.get("location") ?? "").pathname;
    expect((await reader.get(bank)).html).toMatch(/1,00\s€/);
    const done = await reader.follow(await reader.post(bank, cardFields()));
    expect(done.path).toBe("/registration/success");
  });
});
