import { describe, expect, it } from "vitest";
import { BANK_CODES } from "~/contract/bank-codes";
import forms from "~/locales/fr/forms.json";
import payment from "~/locales/fr/payment.json";
import cards from "../../server/platform/payments/sandbox/cards.json";
import { hiddenFields, openPages, type PageAnswer, type Visitor } from "../support/pages";
import { cardFields, newEmail, PASSWORD, reachBank } from "../support/people";
import { linesOfOrder, WORDS_OF_ORDER } from "./order-box";

const { visitor } = openPages();

const PATH = "/registration/payment";

const cardForm = (page: PageAnswer, number = "4242 4242 4242 4242"): Record<string, string> => ({
  ...hiddenFields(page),
  firstName: "Léa",
  lastName: "d’Arc-Martin",
  cardNumber: number,
  expiry: "12/38",
  cvv: "123",
  cardholder: "Léa Martin",
  intent: "pay",
});

const errorsOf = ({ dom }: PageAnswer) =>
  dom.querySelectorAll(".field__error").map(({ id }) => id.replace(/^payment-|-error$/g, ""));

/** A signed-in visitor without a subscription, at the card form. */
async function member(): Promise<{ reader: Visitor; page: PageAnswer }> {
  const reader = visitor();
  await reachBank(reader);
  return { reader, page: await reader.get(PATH) };
}

async function newcomer(path: string): Promise<{ reader: Visitor; page: PageAnswer }> {
  const reader = visitor();
  return { reader, page: await reader.get(path) };
}

describe("the card form", () => {
  it("shows all amounts beside the order button", async () => {
    const { page } = await member();
    const box = page.dom.querySelector(".price");
    expect(box?.querySelector("button")?.text).toBe("Commande avec obligation de paiement");
    expect(box?.text).toMatch(/1,00\s€.*7\sjours à 1,00\s€.*9,90\s€ le.*puis 9,90\s€ par mois/s);
  });

  it("says in order what is paid for what", async () => {
    const { page } = await member();
    expect(linesOfOrder(page)).toEqual([
      ...WORDS_OF_ORDER,
      expect.stringMatching(/^Sur votre relevé \| \S/),
      "En commandant, vous acceptez les conditions générales.",
      "Commande avec obligation de paiement",
    ]);
  });

  it.each([
    ["a member", "", "numéro de carte, code de sécurité"],
    ["a newcomer", "?utk=demo-cashback", "mot de passe, numéro de carte, code de sécurité"],
  ])("tells %s what to type again", async (person, query, fields) => {
    const { reader, page } =
      person === "a member" ? await member() : await newcomer(`${PATH}${query}`);
    const account = { email: newEmail(), password: PASSWORD, terms: "on" };
    const typed = { ...cardForm(page, "4242 4242 4242 4243"), ...(query && account) };
    const refused = await reader.post(PATH, typed);
    const summary = refused.dom.querySelector("[data-error-summary]");
    expect(summary?.text.replace(/\s/g, " ")).toContain(
      `Pour votre sécurité, saisissez de nouveau : ${fields}.`,
    );
    for (const name of ["cardNumber", "cvv"]) {
      expect(refused.dom.querySelector(`[name=${name}]`)?.getAttribute("value") ?? "").toBe("");
    }
    // Nothing was typed into a field that is left out, or there is none.
    const { cvv: _, ...others } = typed as Record<string, string>;
    const again = await reader.post(PATH, others);
    expect(again.dom.querySelector("[data-error-summary]")?.text).not.toMatch(/nouveau.*code/);
  });

  it("pays and opens the whole article", async () => {
    const { reader, page } = await member();
    const answer = await reader.post(PATH, cardForm(page));
    expect(answer.headers.get("location")).toBe("/callback/payment?cashback=0&success=1");
    expect((await reader.follow(answer)).path).toBe("/registration/success");
    const article = await reader.get("/article/lire-son-theme-natal");
    expect(article.dom.querySelector(".paywall")).toBeNull();
  });

  it("asks to sign in after the session ended elsewhere", async () => {
    const email = newEmail();
    const reader = visitor();
    await reachBank(reader, email);
    const page = await reader.get(PATH);
    const body = JSON.stringify({ identifier: email, password: PASSWORD });
    const headers = { "content-type": "application/json" };
    const signedIn = await visitor().send("/api/auth_check", { method: "POST", headers, body });
    const { token } = JSON.parse(signedIn.body);
    const { uid } = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
    const bearer = { authorization: `Bearer ${token}` };
    await visitor().send(`/api/users/${uid}/sessions`, { method: "DELETE", headers: bearer });
    const fields = cardForm(page);
    const sent = await reader.post(PATH, fields);
    expect(sent.status).toBe(307);
    const login = await reader.post(sent.headers.get("location") ?? "", fields);
    expect(login.html).toContain("Ce que vous avez écrit est conservé");
    const carried = login.dom.querySelector("[name=carried]")?.getAttribute("value") ?? "";
    const resumed = await reader.post("/login", { email, password: PASSWORD, carried });
    const back = Object.fromEntries(
      resumed.dom
        .querySelectorAll("main form input")
        .map((input): [string, string] => [
          input.getAttribute("name") ?? "",
          input.getAttribute("value") ?? "",
        ]),
    );
    const restored = await reader.post(PATH, back);
    const value = (name: string) =>
      restored.dom.querySelector(`[name=${name}]`)?.getAttribute("value");
    expect([restored.status, value("firstName")]).toEqual([200, fields.firstName]);
    expect(value("idempotencyKey")).toBe(fields.idempotencyKey);
    expect(restored.body).not.toContain(fields.cardNumber);
  });

  it("shows each empty field and keeps no card data", async () => {
    const { reader, page } = await member();
    const empty = await reader.post(PATH, { ...hiddenFields(page), intent: "pay" });
    expect(empty.status).toBe(400);
    expect(errorsOf(empty)).toEqual([
      "firstName",
      "lastName",
      "cardNumber",
      "expiry",
      "cvv",
      "cardholder",
    ]);
    const wrong = await reader.post(PATH, { ...cardForm(page), cardNumber: "4242424242424241" });
    expect(errorsOf(wrong)).toEqual(["cardNumber"]);
    expect(wrong.body).not.toContain("4242424242424241");
    expect(wrong.dom.querySelector("[name=firstName]")?.getAttribute("value")).toBe("Léa");
  });

  it.each(["1238", "12 / 38", "12/2038"])("reads the expiry typed as %s", async (expiry) => {
    const { reader, page } = await member();
    const answer = await reader.post(PATH, { ...cardForm(page), expiry });
    expect(answer.status).toBe(303);
  });

  it.each([
    ["no-break spaces", "4242\u00a04242\u00a04242\u00a04242"],
    ["narrow no-break spaces", "4242\u202f4242\u202f4242\u202f4242"],
    ["tabs", "4242\t4242\t4242\t4242"],
    ["a space after each digit", [..."4242424242424242"].join(" ")],
  ])("reads the number pasted with %s", async (_, number) => {
    const { reader, page } = await member();
    const answer = await reader.post(PATH, cardForm(page, number));
    expect(answer.status).toBe(303);
  });

  it("names the expiry of a year that no card has", async () => {
    const { reader, page } = await member();
    const answer = await reader.post(PATH, { ...cardForm(page), expiry: "12/2130" });
    expect([answer.status, errorsOf(answer)]).toEqual([400, ["expiry"]]);
  });

  it("refuses a card of last year", async () => {
    const { reader, page } = await member();
    const answer = await reader.post(PATH, { ...cardForm(page), expiry: "12/20" });
    expect(answer.dom.querySelector("#payment-expiry-error")?.text).toContain("expiré");
  });

  it("gives the first answer to a form sent twice", async () => {
    const { reader, page } = await member();
    const form = cardForm(page);
    const answers = await Promise.all([reader.post(PATH, form), reader.post(PATH, form)]);
    for (const answer of answers) expect(answer.headers.get("location")).toContain("/callback");
    expect((await reader.follow(await reader.get("/callback/payment"))).path).toBe(
      "/registration/success",
    );
  });

  it("leads to the payment that its first post has made", async () => {
    const { reader, page } = await member();
    await reader.follow(await reader.post(PATH, cardForm(page)));
    for (const intent of ["pay", "link"]) {
      const second = await reader.post(PATH, { ...cardForm(page), intent });
      expect((await reader.follow(second)).path).toBe("/registration/success");
    }
  });

  it("gives a corrected card a key of its own", async () => {
    const { reader, page } = await member();
    const refused = await reader.post(PATH, cardForm(page, "4000 0000 0100 0001"));
    expect(refused.status).toBe(400);
    expect(refused.html).toContain("Erreur pendant le paiement");
    const again = cardForm(refused);
    expect(again.idempotencyKey).not.toBe(cardForm(page).idempotencyKey);
    expect((await reader.post(PATH, again)).status).toBe(303);
  });

  it("sends a challenged card to the bank's confirmation and back", async () => {
    const { reader, page } = await member();
    const answer = await reader.post(PATH, cardForm(page, "4000 0000 0200 0000"));
    const bank = new URL(answer.headers.get("location") ?? "").pathname;
    expect(bank).toContain("/api/sandbox/");
    const done = await reader.follow(await reader.post(bank, { intent: "confirm" }));
    expect(done.path).toBe("/registration/success");
  });

  it.each(["4000000004000008", "4000000007000005"])(
    "shows the card %s as not known yet",
    async (number) => {
      const { reader, page } = await member();
      const result = await reader.follow(await reader.post(PATH, cardForm(page, number)));
      expect(result.dom.querySelector("h1")?.text).toContain("pas encore répondu");
    },
  );
});

describe("a bank code", () => {
  const fields = { number: "cardNumber", month: "expiry", year: "expiry", code: "cvv" } as const;
  const coded = Object.entries(BANK_CODES).map(([code, part]) => {
    const number = cards.find((card) => card.code === code)?.number ?? "";
    return { number, code, field: part && fields[part] };
  });

  it.each(coded.flatMap(({ field, ...rest }) => (field ? [{ field, ...rest }] : [])))(
    "$code is shown on its field and keeps the others",
    async ({ number, field }) => {
      const { reader, page } = await member();
      const answer = await reader.post(PATH, cardForm(page, number));
      expect(errorsOf(answer)).toEqual([field]);
      const words = answer.dom.querySelector(`#payment-${field}-error`)?.text;
      expect(words).toContain(forms.errors[field].bank);
      expect(answer.dom.querySelector("[name=cardholder]")?.getAttribute("value")).toBe(
        "Léa Martin",
      );
    },
  );

  it.each(coded.filter(({ field }) => !field))(
    "$code is shown with the bank's code",
    async ({ number, code }) => {
      const { reader, page } = await member();
      const answer = await reader.post(PATH, cardForm(page, number));
      expect(answer.status).toBe(400);
      expect(errorsOf(answer)).toEqual([]);
      expect(answer.dom.querySelector("[role=alert]")?.text).toContain(code);
    },
  );

  it.each(coded)("$code is explained after the bank's page", async ({ number, code, field }) => {
    const reader = visitor();
    const bank = await reachBank(reader);
    const page = await reader.follow(await reader.post(bank, cardFields(number)));
    expect(page).toMatchObject({ status: 200, path: "/registration/failure" });
    const sentence = field
      ? payment.failure.field.replace("{{fault}}", forms.errors[field].bank)
      : payment.failure.coded.replace("{{code}}", code);
    expect(page.dom.querySelectorAll(".notice--error").map(({ text }) => text)).toEqual([sentence]);
    expect(page.dom.querySelector("[name=intent][value=retry]")).not.toBeNull();
  });
});

describe("the cashback variant", () => {
  const stranger = (email = newEmail()) => ({ email, password: PASSWORD, terms: "on" });

  it("creates the account and pays in one form", async () => {
    const reader = visitor();
    const page = await reader.get(`${PATH}?utk=demo-cashback&token=abc&platform=demo`);
    expect(page.dom.querySelector(".price")?.text).toContain("14,90");
    const answer = await reader.post(PATH, { ...cardForm(page), ...stranger() });
    expect(answer.headers.get("location")).toBe("/callback/payment?cashback=1&success=1");
    expect((await reader.follow(answer)).path).toBe("/registration/welcome/success");
  });

  it("keeps the account made before a declined card", async () => {
    const reader = visitor();
    const page = await reader.get(`${PATH}?utk=demo-cashback`);
    const declined = { ...cardForm(page, "4000 0000 0100 0001"), ...stranger() };
    const refused = await reader.post(PATH, declined);
    expect(refused.status).toBe(400);
    expect(refused.dom.querySelector("[name=password]")).toBeNull();
    const paid = await reader.post(PATH, cardForm(refused));
    expect((await reader.follow(paid)).path).toBe("/registration/welcome/success");
  });

  it.each(["", "?utk=demo-expire", "?utk=inconnu"])(
    "says at %s that the token is missing, with a way on",
    async (query) => {
      const { status, html, dom } = await visitor().get(`${PATH}${query}`);
      expect(status).toBe(200);
      expect(html).toContain("Unable to get a token");
      expect(dom.querySelector("main .button--primary")?.getAttribute("href")).toBe(
        "/registration",
      );
    },
  );

  it("are called a partner's offer only with its token", async () => {
    const titleAt = async (path: string) =>
      (await visitor().get(path)).dom.querySelector("title")?.text;
    expect(await titleAt("/registration/welcome?utk=demo-cashback")).toContain("Offre partenaire");
    for (const path of ["/registration/welcome", "/registration/welcome?utk=demo-expire"])
      expect(await titleAt(path)).toBe(await titleAt("/registration"));
  });

  it("leads from the welcome form to the card form", async () => {
    const reader = visitor();
    await reader.get("/registration/welcome?utk=demo-cashback");
    const answer = await reader.post("/registration/welcome", stranger());
    expect(answer.headers.get("location")).toBe(PATH);
  });

  it("has its own result pages", async () => {
    for (const result of ["success", "failure"]) {
      expect((await visitor().get(`/registration/welcome/${result}`)).status).toBe(200);
    }
    expect((await visitor().get("/registration/welcome/autre")).status).toBe(404);
  });
});

describe("ten declined cards in a row", () => {
  it("are limited, with the waiting time", async () => {
    const { reader, page } = await member();
    let answer = page;
    for (let tries = 0; tries < 11; tries++) {
      answer = await reader.post(PATH, cardForm(answer, "4000 0000 0100 0001"));
    }
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.dom.querySelector("[role=alert]")?.text).toMatch(
      /Réessayez dans \d+\s(?:minutes?|heures?)/,
    );
  });
});
