import { describe, expect, it } from "vitest";
import { hiddenFields, openPages } from "../support/pages";
import { cardFields, newEmail, registrationFields } from "../support/people";

const { visitor } = openPages({ CARD_FORM: "off" });

const PATH = "/registration/payment";
const PARTNER = `${PATH}?utk=demo-cashback&token=abc&platform=demo`;

describe("without a card form, a partner's link", () => {
  it("creates the account and leads to the bank", async () => {
    const reader = visitor();
    const page = await reader.get(PARTNER);
    expect(page.dom.querySelector("[name=cardNumber]")).toBeNull();
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

  it("is useless without its token", async () => {
    const { html } = await visitor().get(PATH);
    expect(html).toContain("Unable to get a token");
  });
});
