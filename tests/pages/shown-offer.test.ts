import { expect, describe, it, afterEach } from "vitest";
import { embeddedPlatform } from "../../server/embedded";
import { hiddenFields, openPages, type PageAnswer, type Visitor } from "../support/pages";
import { CARDS, cardFields, newEmail, reachBank, registrationFields } from "../support/people";
import { lostFields } from "./posted-forms";

const { visitor } = openPages();

const PATH = "/registration/payment";
const CHANGED = "L’offre n’est plus celle que cette page montrait";

const order = (page: PageAnswer, cardNumber: string = CARDS.success) => ({
  ...hiddenFields(page),
  firstName: "Léa",
  lastName: "Martin",
  ...cardFields(cardNumber),
});

async function member(email = newEmail()): Promise<{ reader: Visitor; page: PageAnswer }> {
  const reader = visitor();
  await reachBank(reader, email);
  return { reader, page: await reader.get(PATH) };
}

const database = async () => (await embeddedPlatform()).database;

async function change(values: { amount?: number; trial_amount?: number }) {
  const db = await database();
  await db.updateTable("formula").set(values).where("uid", "=", "vip-mensuel").execute();
}

async function setToken(is_valid: 0 | 1) {
  const db = await database();
  await db.updateTable("traffic_token").set({ is_valid }).execute();
}

/** The amounts that the bank has charged a person. */
async function chargesOf(email: string) {
  const moved = await (
    await database()
  )
    .selectFrom("bank_movement")
    .select("amount")
    .where("email", "=", email)
    .execute();
  return moved.map(({ amount }) => amount);
}

async function accountsOf(email: string) {
  const db = await database();
  return db.selectFrom("account").select("uid").where("identifier", "=", email).execute();
}

const pathOf = ({ headers }: PageAnswer) =>
  new URL(headers.get("location") ?? "", "http://nowhere.test").pathname;
const alertOf = ({ dom }: PageAnswer) => dom.querySelector("[role=alert]")?.text ?? "";
const priceOf = ({ dom }: PageAnswer) => dom.querySelector(".price")?.text ?? "";
const valueOf = ({ dom }: PageAnswer, name: string) =>
  dom.querySelector(`[name=${name}]`)?.getAttribute("value");

afterEach(async () => {
  await change({ amount: 990, trial_amount: 100 });
  await setToken(1);
});

describe("a card form whose price has changed", () => {
  it("comes back with the new price, and charges nothing", async () => {
    const email = newEmail();
    const { reader, page } = await member(email);
    await change({ amount: 1290, trial_amount: 300 });
    const refused = await reader.post(PATH, order(page));
    expect(refused.status).toBe(400);
    expect(alertOf(refused)).toContain(CHANGED);
    expect(priceOf(refused)).toMatch(/À payer aujourd’hui\s*:\s*3,00\s€.*12,90\s€/);
    expect(await chargesOf(email)).toEqual([]);
    expect(valueOf(refused, "cardholder")).toBe("Léa Martin");
    expect(valueOf(refused, "cardNumber") ?? "").toBe("");

    const paid = await reader.post(PATH, order(refused));
    expect((await reader.follow(paid)).path).toBe("/registration/success");
    expect(await chargesOf(email)).toEqual([300]);
  });

  it("tells the new price when it is only shown again", async () => {
    const { reader, page } = await member();
    const again = { ...order(page), restore: "1" };
    const same = await reader.post(PATH, again);
    expect([same.status, same.html.includes(CHANGED)]).toEqual([200, false]);
    await change({ amount: 1290 });
    const changed = await reader.post(PATH, again);
    expect([changed.status, alertOf(changed)]).toEqual([200, ""]);
    expect(priceOf(changed)).toMatch(/12,90\s€/);
    expect(changed.dom.querySelector(".flash")?.text).toContain(CHANGED);
    expect(valueOf(changed, "cardholder")).toBe("Léa Martin");
  });

  it("reports the change beside its other errors", async () => {
    const { reader, page } = await member();
    await change({ amount: 1290 });
    const refused = await reader.post(PATH, order(page, "4242 4242 4242 4241"));
    expect(refused.dom.querySelector("#payment-cardNumber-error")).not.toBeNull();
    expect(alertOf(refused)).toContain(CHANGED);
  });

  it("charges nothing without a shown offer", async () => {
    const email = newEmail();
    const { reader, page } = await member(email);
    const { offer: _, ...blind } = { ...order(page), offer: "" };
    const refused = await reader.post(PATH, blind);
    expect([refused.status, alertOf(refused)]).toEqual([400, expect.stringContaining(CHANGED)]);
    expect(await chargesOf(email)).toEqual([]);
  });

  it("of a partner comes back to a stranger with the usual offer", async () => {
    const stranger = visitor();
    const page = await stranger.get(`${PATH}?utk=demo-cashback`);
    await setToken(0);
    const email = newEmail();
    const refused = await stranger.post(PATH, { ...order(page), ...registrationFields(email) });
    expect([refused.status, alertOf(refused)]).toEqual([400, expect.stringContaining(CHANGED)]);
    expect(priceOf(refused)).toMatch(/À payer aujourd’hui\s*:\s*1,00\s€.*9,90\s€/);
    const typed = { email, firstName: "Léa", lastName: "Martin", cardholder: "Léa Martin" };
    expect(lostFields(refused.dom, typed)).toEqual([]);
    expect(await accountsOf(email)).toEqual([]);
    expect(await chargesOf(email)).toEqual([]);

    const again = { ...order(refused), ...registrationFields(email) };
    const wrong = await stranger.post(PATH, { ...again, cvv: "" });
    expect([wrong.status, priceOf(wrong)]).toEqual([400, expect.stringContaining("9,90")]);
    const paid = await stranger.post(PATH, again);
    expect((await stranger.follow(paid)).path).toBe("/registration/success");
    expect(await chargesOf(email)).toEqual([100]);
  });

  it("that names no offer is shown the usual one", async () => {
    const email = newEmail();
    const blind = { ...cardFields(), firstName: "Léa", lastName: "Martin" };
    const fields = { ...blind, ...registrationFields(email), idempotencyKey: "cle-sans-offre" };
    const refused = await visitor().post(PATH, fields);
    expect([refused.status, alertOf(refused)]).toEqual([400, expect.stringContaining(CHANGED)]);
    expect(priceOf(refused)).toContain("9,90");
    expect(await accountsOf(email)).toEqual([]);
  });

  it("offers the default formula after the token expired", async () => {
    const email = newEmail();
    const { reader } = await member(email);
    const page = await reader.get(`${PATH}?utk=demo-cashback`);
    await setToken(0);
    const refused = await reader.post(PATH, order(page));
    expect(alertOf(refused)).toContain(CHANGED);
    expect(priceOf(refused)).toContain("9,90");
    expect(await chargesOf(email)).toEqual([]);
  });
});

describe("two tabs of two offers", () => {
  it("each buy the offer that they showed", async () => {
    for (const [tab, amount] of [
      ["plain", 100],
      ["partner", 490],
    ] as const) {
      const email = newEmail();
      const { reader, page: plain } = await member(email);
      const partner = await reader.get(`${PATH}?utk=demo-cashback`);
      const paid = await reader.post(PATH, order(tab === "plain" ? plain : partner));
      expect(paid.status).toBe(303);
      expect(await chargesOf(email)).toEqual([amount]);
    }
  });

  it("keep their own offer after an error", async () => {
    const { reader, page: plain } = await member();
    await reader.get(`${PATH}?utk=demo-cashback`);
    const refused = await reader.post(PATH, order(plain, "4242 4242 4242 4241"));
    expect(priceOf(refused)).toContain("9,90");
    expect(alertOf(refused)).not.toContain(CHANGED);
  });

  it("lead to the bank with their own offers", async () => {
    const reader = visitor();
    const plain = await reader.get("/registration");
    await reader.get("/registration?utk=demo-cashback");
    const fields = { ...registrationFields(), ...hiddenFields(plain) };
    const bank = await reader.follow(await reader.post("/registration", fields));
    expect(bank.html).toContain("1,00");
    expect(bank.html).not.toContain("4,90");
  });
});

describe("a partner's tab that was opened meanwhile", () => {
  const WELCOME = "/registration/welcome";
  const linkOf = (token: string) => `${WELCOME}?utk=demo-cashback&token=${token}&platform=demo`;

  /** What the bank's page was opened for, and whom the partner's ledger credits with it. */
  const paymentOf = async (email: string) =>
    (await database())
      .selectFrom("payment")
      .innerJoin("account", "account.uid", "payment.account_uid")
      .select(["payment.formula_uid", "payment.affiliation_token as token", "cashback"])
      .where("account.identifier", "=", email)
      .executeTakeFirstOrThrow();

  it("changes neither the offer nor the next page", async () => {
    const email = newEmail();
    const reader = visitor();
    const plain = await reader.get("/registration");
    await reader.get(linkOf("tok1"));
    const fields = { ...registrationFields(email), ...hiddenFields(plain) };
    const sent = await reader.post("/registration", fields);
    expect(sent.headers.get("location")).toContain("/api/sandbox/pay/");
    expect(await paymentOf(email)).toEqual({
      formula_uid: "vip-mensuel",
      token: null,
      cashback: 0,
    });
    const done = await reader.follow(await reader.post(pathOf(sent), cardFields()));
    expect(done.path).toBe("/registration/success");
  });

  it("changes them for nobody who is signed in", async () => {
    const reader = visitor();
    const email = newEmail();
    await reachBank(reader, email);
    const plain = await reader.get("/registration");
    await reader.get(linkOf("tok1"));
    const sent = await reader.post("/registration", { ...hiddenFields(plain), intent: "pay" });
    expect(sent.headers.get("location")).toContain("/api/sandbox/pay/");
    expect(priceOf(await reader.get(PATH))).toContain("9,90");
  });

  it("gets the sale by card to an account of the partner before", async () => {
    const email = newEmail();
    const reader = visitor();
    const first = await reader.get(linkOf("tok1"));
    await reader.post("/registration", { ...registrationFields(email), ...hiddenFields(first) });
    await reader.get(linkOf("tok2"));
    const done = await reader.follow(await reader.post(PATH, order(await reader.get(PATH))));
    expect(done.path).toBe("/registration/welcome/success");
    const db = await database();
    const paid = await db
      .selectFrom("payment")
      .innerJoin("account", "account.uid", "payment.account_uid")
      .select(["payment.traffic_token", "payment.affiliation_token as token"])
      .where("account.identifier", "=", email)
      .where("payment.status", "=", "success")
      .execute();
    expect(paid).toEqual([{ traffic_token: "demo-cashback", token: "tok2" }]);
  });

  it("gets no sale that is tried again", async () => {
    const email = newEmail();
    const reader = visitor();
    const plain = await reader.get("/registration");
    const fields = { ...registrationFields(email), ...hiddenFields(plain) };
    const bank = pathOf(await reader.post("/registration", fields));
    const declined = { ...cardFields(), cardNumber: CARDS.declined };
    await reader.follow(await reader.post(bank, declined));
    await reader.get(linkOf("tok1"));
    const failure = await reader.get("/registration/failure");
    const again = await reader.post("/registration/failure", {
      ...hiddenFields(failure),
      intent: "retry",
    });
    const done = await reader.follow(await reader.post(pathOf(again), cardFields()));
    expect(done.path).toBe("/registration/success");
    const tokens = await (
      await database()
    )
      .selectFrom("payment")
      .innerJoin("account", "account.uid", "payment.account_uid")
      .select("payment.affiliation_token as token")
      .where("account.identifier", "=", email)
      .execute();
    expect(new Set(tokens.map(({ token }) => token))).toEqual(new Set([null]));
  });

  it("leaves the other partner its buyer", async () => {
    const email = newEmail();
    const reader = visitor();
    const first = await reader.get(linkOf("tok1"));
    await reader.get(linkOf("tok2"));
    await reader.post(WELCOME, { ...registrationFields(email), ...hiddenFields(first) });
    const db = await database();
    const account = await db
      .selectFrom("account")
      .select("affiliation_token")
      .where("identifier", "=", email)
      .executeTakeFirst();
    expect(account).toEqual({ affiliation_token: "tok1" });
  });
});

describe("a partner who was left", () => {
  it("is credited with nothing", async () => {
    const email = newEmail();
    const reader = visitor();
    await reader.get("/registration/welcome?utk=demo-cashback&token=tok1&platform=demo");
    const usual = await reader.get("/registration?utk=");
    const fields = { ...registrationFields(email), ...hiddenFields(usual) };
    const sent = await reader.post("/registration", fields);
    const bank = pathOf(sent);
    expect(bank).toContain("/api/sandbox/pay/");
    const done = await reader.follow(await reader.post(bank, cardFields()));
    expect(done.path).toBe("/registration/success");
    const db = await database();
    const credited = [
      ...(await db.selectFrom("account").selectAll().where("identifier", "=", email).execute()),
      ...(await db.selectFrom("payment").selectAll().execute()),
    ].filter((row) => JSON.stringify(row).includes("tok1"));
    expect(credited).toEqual([]);
  });
});

describe("the way to the bank", () => {
  it("is refused for a price that was not shown", async () => {
    const reader = visitor();
    const page = await reader.get("/registration");
    await change({ trial_amount: 300 });
    const email = newEmail();
    const fields = { ...registrationFields(email), ...hiddenFields(page) };
    const refused = await reader.post("/registration", fields);
    expect([refused.status, alertOf(refused)]).toEqual([400, expect.stringContaining(CHANGED)]);
    expect(valueOf(refused, "email")).toBe(email);
    const bank = await reader.follow(
      await reader.post("/registration", { ...fields, ...hiddenFields(refused) }),
    );
    expect(bank.html).toContain("3,00");
  });

  it("ends at the payment that another tab has made", async () => {
    const email = newEmail();
    const reader = visitor();
    const bank = await reachBank(reader, email);
    const open = await reader.get("/registration");
    expect(priceOf(open)).toMatch(/1,00\s€/);
    await reader.follow(await reader.post(bank, cardFields()));
    const sent = await reader.post("/registration", { ...hiddenFields(open), intent: "pay" });
    expect([sent.status, pathOf(sent)]).toEqual([303, "/callback/payment"]);
    expect((await reader.follow(sent)).path).toBe("/registration/success");
    expect(await chargesOf(email)).toEqual([100]);
  });

  it("repeats the failed payment's offer", async () => {
    const reader = visitor();
    const bank = await reachBank(reader);
    const failed = await reader.follow(await reader.post(bank, cardFields(CARDS.declined)));
    expect(priceOf(failed)).toMatch(/À payer aujourd’hui\s*:\s*1,00\s€/);
    await change({ trial_amount: 300 });
    const retry = { ...hiddenFields(failed), intent: "retry" };
    const anew = await reader.follow(await reader.post(failed.path, retry));
    expect(anew.path).toBe("/registration/failure");
    expect(anew.html).toContain(CHANGED);
    expect(priceOf(anew)).toMatch(/3,00\s€/);
    const again = await reader.post(anew.path, { ...hiddenFields(anew), intent: "retry" });
    expect(again.headers.get("location")).toContain("/api/sandbox/pay/");
  });

  it("says that a partner's offer is gone", async () => {
    const gone = "Le lien du partenaire n’est plus valable";
    await setToken(0);
    for (const token of ["demo-expire", "inconnu"]) {
      const reader = visitor();
      const page = await reader.get(`/registration?utk=${token}`);
      expect(page.status).toBe(200);
      expect(page.dom.querySelector("main")?.text).toContain(gone);
      expect(page.dom.querySelector("[name=formula]")?.getAttribute("value")).toBe("vip-mensuel");
    }
    await setToken(1);
    for (const path of ["/registration", "/registration?utk=demo-cashback"]) {
      const { dom } = await visitor().get(path);
      expect(dom.querySelector("main")?.text).not.toContain(gone);
    }
  });

  it("keeps the partner's offer after a declined card", async () => {
    const reader = visitor();
    await reader.get("/registration?utk=demo-cashback");
    const bank = await reachBank(reader);
    const failed = await reader.follow(await reader.post(bank, cardFields(CARDS.declined)));
    expect(failed.path).toBe("/registration/welcome/failure");
    expect(priceOf(failed)).toMatch(/Cashback\s*20,00\s€/);
    const retry = { ...hiddenFields(failed), intent: "retry" };
    const second = await reader.post(failed.path, retry);
    const path = new URL(second.headers.get("location") ?? "").pathname;
    const done = await reader.follow(await reader.post(path, cardFields()));
    expect(done.path).toBe("/registration/welcome/success");
    expect(done.dom.querySelector("main")?.text).toMatch(/cashback\s: 20,00\s€/);
  });
});

describe("the retry of an offer that is gone", () => {
  const GONE = "L’offre du partenaire que vous aviez choisie n’existe plus";

  /** The page of a declined order of a partner's offer. */
  async function declined(utk = "demo-cashback") {
    const email = newEmail();
    const reader = visitor();
    await reader.get(`/registration?utk=${utk}`);
    const bank = await reachBank(reader, email);
    const page = await reader.follow(await reader.post(bank, cardFields(CARDS.declined)));
    return { email, reader, page };
  }
  const noticesOf = ({ dom }: PageAnswer) =>
    dom.querySelectorAll("main .notice").map(({ text }) => text);

  it("names the partner's end and the price instead", async () => {
    const { email, reader, page } = await declined();
    expect(noticesOf(page).join()).not.toContain(GONE);
    await setToken(0);
    const shown = await reader.get(page.path);
    expect(noticesOf(shown).join()).toContain(GONE);
    expect(priceOf(shown)).toMatch(/À payer aujourd’hui\s*:\s*1,00\s€.*9,90\s€/);
    const anew = await reader.post(page.path, { ...hiddenFields(shown), intent: "retry" });
    const bank = pathOf(anew);
    expect((await reader.get(bank)).html).toMatch(/1,00\s€/);
    await reader.follow(await reader.post(bank, cardFields()));
    // After the declined one.
    expect((await chargesOf(email)).slice(1)).toEqual([100]);
  });

  it("opens no bank's page for the offer that was shown", async () => {
    const { reader, page } = await declined();
    await setToken(0);
    const fields = { ...hiddenFields(page), intent: "retry" };
    const anew = await reader.follow(await reader.post(page.path, fields));
    expect(anew.path).toBe(page.path);
    expect(anew.html).toContain(CHANGED);
    expect(noticesOf(anew).join()).toContain(GONE);
  });

  it("opens none for a price that was not shown", async () => {
    const token = { value: "meme-formule", formula_uid: "vip-mensuel", is_valid: 1 } as const;
    const db = await database();
    await db.insertInto("traffic_token").values(token).execute();
    const { reader, page } = await declined(token.value);
    await setToken(0);
    const { offer: _, ...unread } = hiddenFields(page);
    expect(unread).toMatchObject({ formula: "vip-mensuel", trafficToken: token.value });
    const anew = await reader.follow(await reader.post(page.path, { ...unread, intent: "retry" }));
    expect(anew.path).toBe(page.path);
    expect(noticesOf(anew).join()).toContain(GONE);
  });

  it("names our own offer's end where that was ordered", async () => {
    const db = await database();
    const { reader, page } = await declined();
    await db.updateTable("payment").set({ traffic_token: null }).execute();
    await setToken(0);
    const shown = await reader.get(page.path);
    expect(noticesOf(shown).join()).toContain("n’est plus proposée");
  });
});

describe("the price box of a card form", () => {
  it("names the bank statement and the partner's credit", async () => {
    const page = await visitor().get(`${PATH}?utk=demo-cashback`);
    expect(priceOf(page)).toMatch(/Cashback\s*20,00\s€/);
    expect(priceOf(page)).toMatch(/Sur votre relevé\s*CAP CELESTE PARIS/);
  });

  it("is repeated on the bank's page with its credit", async () => {
    const reader = visitor();
    await reader.get("/registration?utk=demo-cashback");
    const bank = await reader.get(await reachBank(reader));
    expect(bank.html).toMatch(/Cashback\s:\s20,00\s€/);
  });
});

describe("an order whose offer nothing replaces", () => {
  const setRetired = async (retired_at: string | null) => {
    const db = await database();
    await db.updateTable("formula").set({ retired_at }).where("uid", "=", "vip-mensuel").execute();
  };
  afterEach(() => setRetired(null));

  it.each([
    [PATH, order],
    ["/registration", (page: PageAnswer) => ({ ...hiddenFields(page), intent: "pay" })],
  ])("keeps its form at %s without a price", async (path, fill) => {
    const email = newEmail();
    const { reader } = await member(email);
    const page = await reader.get(path);
    await setRetired("2026-01-01T00:00:00.000Z");
    const refused = await reader.post(path, fill(page));
    expect([refused.status, priceOf(refused)]).toEqual([400, ""]);
    expect(alertOf(refused)).toContain(CHANGED);
    const buttons = refused.dom.querySelectorAll("main form button").map(({ text }) => text.trim());
    expect(buttons).toContain("Afficher l’offre de nouveau");
    expect(refused.dom.querySelector("main form [name=intent][value=pay]")).toBeNull();
    await setRetired(null);
    const shown = await reader.post(path, { ...hiddenFields(refused), restore: "1" });
    expect([shown.status, priceOf(shown)]).toEqual([200, expect.stringContaining("9,90")]);
    expect(shown.dom.querySelector("main form [name=intent][value=pay]")).not.toBeNull();
    expect(await chargesOf(email)).toEqual([]);
  });
});
