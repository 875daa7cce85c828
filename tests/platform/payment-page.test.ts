import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import cards from "../../server/platform/payments/sandbox/cards.json";
import { onEachDatabase, ORIGIN } from "../support/platform";
import { CARDS, lastPayment, movements, newPage, newPerson, payWith, post } from "./funnel";

onEachDatabase("the payment page", (open) => {
  it("shows merchant, amount and purchase", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    const response = await platform.fetch(new Request(page));
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain(person.email);
    expect(html).toContain("CAP CELESTE PARIS");
    expect(html).toContain("1,00\u00a0€");
    expect(html).toContain("VIP mensuel\u00a0: 7\u00a0jours d’essai à 1,00\u00a0€");
    expect(html).toContain(
      "puis 9,90\u00a0€ par mois. Prochain prélèvement le 27\u00a0nov.\u00a02026",
    );
    expect(html).toContain('autocomplete="cc-number"');
  });

  it("allows no script and only its own style", async () => {
    const platform = await open();
    const response = await platform.fetch(
      new Request(await newPage(platform, await newPerson(platform))),
    );
    const html = await response.text();
    const style = /<style>([^]*)<\/style>/.exec(html)?.[1] ?? "";
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain(
      `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    );
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`form-action 'self' ${ORIGIN}`);
    expect(html).not.toMatch(/<script|style=|onclick/);
  });

  it("keeps only a hash of its address", async () => {
    const platform = await open();
    const secret = (await newPage(platform, await newPerson(platform))).split("/").pop() ?? "";
    const rows = await platform.database.selectFrom("bank_page").selectAll().execute();
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it("sends the payer back once paid", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const response = await post(platform, await newPage(platform, person));
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(
      `${ORIGIN}/callback/payment?cashback=0&success=1`,
    );
    expect(await movements(platform)).toMatchObject([
      { email: person.email, kind: "charge", amount: 100, currency: "EUR", status: "success" },
    ]);
  });

  it("returns to the site with the cashback variant", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const offer = { formula: "vip-cashback", trafficToken: "demo-cashback", cashback: true };
    const response = await post(platform, await newPage(platform, person, offer));
    expect(response.headers.get("location")).toBe(
      `${ORIGIN}/callback/payment?cashback=1&success=1`,
    );
  });

  it.each([
    ["cardNumber", "4242424242424241"],
    ["cardNumber", "4242"],
    ["cardNumber", ""],
    ["expiry", "13/30"],
    ["expiry", "10/26"],
    ["expiry", "demain"],
    ["cvv", "12"],
    ["cvv", "12a"],
    ["cardholder", "  "],
  ])("refuses %s «%s» and charges nothing", async (field, value) => {
    const platform = await open();
    const person = await newPerson(platform);
    const response = await post(platform, await newPage(platform, person), { [field]: value });
    const html = await response.text();
    expect(response.status).toBe(400);
    expect(html.match(/class="error"/g)).toHaveLength(1);
    expect(html).toContain(`id="${field}-error"`);
    expect(html).toMatch(new RegExp(`aria-describedby="${field}-hint ${field}-error"`));
    expect(html).toContain("<title>Erreur\u00a0: ");
    expect(await movements(platform)).toEqual([]);
  });

  it("names every faulty field once", async () => {
    const platform = await open();
    const page = await newPage(platform, await newPerson(platform));
    const html = await (
      await post(platform, page, { cardNumber: "", expiry: "", cvv: "", cardholder: "" })
    ).text();
    expect(html.match(/class="error"/g)).toHaveLength(4);
    expect(html.match(/href="#/g)).toHaveLength(4);
    expect(html.match(/autofocus/g)).toHaveLength(1);
  });

  it("never repeats card number and code", async () => {
    const platform = await open();
    const page = await newPage(platform, await newPerson(platform));
    const response = await post(platform, page, { cvv: "987", expiry: "01/20" });
    const html = await response.text();
    expect(html).not.toContain(CARDS.success);
    // Uids may have these digits, too.
    expect(html).not.toMatch(/(?<![\w-])987(?![\w-])/);
    expect(html).toContain('value="01/20"');
    expect(html).toContain('value="Ada Byron"');
  });

  it.each(["1230", "12/2030", "12 / 30", "11/26"])("accepts the expiry %s", async (expiry) => {
    const platform = await open();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person), {
      expiry,
      cardNumber: " 4242 4242 4242 4242 ",
    });
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
  });

  it("escapes the payer's input", async () => {
    const platform = await open();
    const page = await newPage(platform, await newPerson(platform));
    const response = await post(platform, page, { cardholder: '"><script>', cvv: "" });
    expect(await response.text()).not.toContain("<script>");
  });

  it("asks for confirmation before a challenged charge", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    const first = await post(platform, page, { cardNumber: CARDS.challenge });
    expect(first.headers.get("location")).toBe(new URL(page).pathname);
    expect(await movements(platform)).toEqual([]);
    const step = await (await platform.fetch(new Request(page))).text();
    expect(step).toContain('value="confirm"');
    const second = await post(platform, page, { intent: "confirm" });
    expect(second.headers.get("location")).toContain("success=1");
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
  });

  it("charges nothing when the challenge is refused", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    await post(platform, page, { cardNumber: CARDS.challenge });
    const response = await post(platform, page, { intent: "cancel" });
    expect(response.headers.get("location")).toContain("success=0");
    expect(await movements(platform)).toEqual([]);
    expect((await lastPayment(platform, person)).error.code).toBe("cancelled");
  });

  it("declines after the challenge with the declining card", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    await post(platform, page, { cardNumber: CARDS.challengeDeclined });
    await post(platform, page, { intent: "confirm" });
    expect((await lastPayment(platform, person)).error.code).toBe("declined");
  });

  it("does not confirm an unchallenged payment", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person), { intent: "confirm" });
    expect(await movements(platform)).toEqual([]);
    expect(await lastPayment(platform, person)).toMatchObject({ awaiting: "payer" });
  });

  it("ends without charge when the payer cancels", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    const response = await post(platform, page, { intent: "cancel", cardNumber: "", cvv: "" });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toContain("success=0");
    await post(platform, page);
    expect(await movements(platform)).toEqual([]);
    expect(await lastPayment(platform, person)).toMatchObject({
      status: "Failure",
      error: { code: "cancelled" },
    });
  });

  it("reports each provider code with the failure", async () => {
    const platform = await open();
    for (const { number, code } of cards.filter((card) => card.code)) {
      const payment = await payWith(platform, await newPerson(platform), number);
      expect(payment).toMatchObject({ status: "Failure", error: { code } });
    }
    const charges = await movements(platform);
    expect(charges.every(({ status }) => status === "declined")).toBe(true);
  });

  it("stores which card fails at renewal", async () => {
    const platform = await open();
    const payment = await payWith(platform, await newPerson(platform), CARDS.renewalDeclined);
    expect(payment.status).toBe("Success");
    const kept = await platform.database.selectFrom("bank_card").selectAll().execute();
    expect(kept).toMatchObject([{ next_charge: "declined", hint: "400000…0006" }]);
  });

  it("expires when left unused for an hour", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    platform.clock.advance(3_600_000);
    const response = await post(platform, page);
    expect(response.headers.get("location")).toContain("success=0");
    expect(await movements(platform)).toEqual([]);
    expect((await lastPayment(platform, person)).error.code).toBe("expired");
  });

  it("answers unreadable calls with French pages", async () => {
    const platform = await open();
    const page = await newPage(platform, await newPerson(platform));
    const statusOf = async (request: Request) => {
      const response = await platform.fetch(request);
      expect(response.headers.get("content-type")).toContain("text/html");
      expect(await response.text()).toContain('<html lang="fr">');
      return response.status;
    };
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const large = new Request(page, { method: "POST", headers: form, body: "a".repeat(1_100_000) });
    expect(await statusOf(new Request(`${page}x`))).toBe(404);
    expect(await statusOf(new Request(page, { method: "POST", body: "intent=pay" }))).toBe(400);
    expect(await statusOf(new Request(page, { method: "POST", headers: form, body: "a" }))).toBe(
      400,
    );
    expect(await statusOf(large)).toBe(413);
    expect(await statusOf(new Request(page, { method: "PUT" }))).toBe(405);
    expect(await statusOf(new Request(`${ORIGIN}/api/sandbox/other`))).toBe(404);
  });
});
