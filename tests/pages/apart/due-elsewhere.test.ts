import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Formula, Subscription } from "~/contract/subscriptions";
import { tokenOf } from "../../app/people";
import { hiddenFields, openPages, type PageAnswer, type Visitor } from "../../support/pages";
import { cardFields } from "../../support/people";
import { openLyingApi, subscription, type Lie } from "../lying-api";
import { lostFields } from "../posted-forms";

const api = await openLyingApi();
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: api.url });

const PATH = "/registration/payment";

const monthly: Formula = {
  uid: "ancienne",
  name: "Ancienne formule",
  amount: 1490,
  periodDuration: 1,
  periodDurationUnit: "month",
};
const withTrial: Formula = { ...monthly, trialDuration: 7, trialDurationUnit: "day" };

/** A first renewal that was declined, of a formula that is not the default one. */
const due: Subscription = {
  ...subscription,
  formula: monthly.uid,
  amount: 1290,
  startedDateTime: "2027-01-31T09:00:00Z",
  expirationDateTime: "2027-02-28T09:00:00Z",
  graceDateTime: "2027-03-07T09:00:00Z",
  dueReason: "declined",
};
const named: Subscription = {
  ...due,
  formulaName: "Formule du contrat",
  period: { duration: 1, unit: "month" },
};
const tried: Subscription = {
  ...named,
  trialAmount: 100,
  startedDateTime: "2027-01-24T09:00:00Z",
};

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2027-03-02T09:00:00Z") });
});
afterAll(() => vi.useRealTimers());

beforeEach(() => {
  api.tell();
  api.lack("getOffer");
  api.become();
});

async function subscriber(): Promise<Visitor> {
  api.signIn(tokenOf("signed in"));
  const reader = visitor();
  await reader.post("/login", { email: "ada@exemple.fr", password: "un mot de passe" });
  return reader;
}

/** The API's contract and formula, whose read may fail. */
function hold(held: Subscription, { formula = monthly, how }: { formula?: Formula; how?: Lie }) {
  api.become({ getSubscription: { payload: held }, getFormula: { payload: formula } });
  api.tell(how && { call: "getFormula", how });
}

const order = (page: PageAnswer) => ({
  ...hiddenFields(page),
  firstName: "Léa",
  lastName: "Martin",
  ...cardFields(),
});

const priceOf = ({ dom }: PageAnswer) => dom.querySelector(".price")?.text ?? "";
const alertOf = ({ dom }: PageAnswer) => dom.querySelector("main [role=alert]")?.text ?? "";

describe("a derived renewal", () => {
  it("keeps the contract's day", async () => {
    const reader = await subscriber();
    hold(due, {});
    const price = priceOf(await reader.get(PATH));
    expect(price).toMatch(/12,90\s€ le 31\smars\s2027/);
    expect(price).toContain("Ancienne formule");
  });

  it("names the planned end in place of a debit that is not made", async () => {
    const reader = await subscriber();
    hold({ ...named, plannedEndDateTime: "2027-03-31T08:00:00.000Z" }, {});
    const price = priceOf(await reader.get(PATH));
    expect(price).toMatch(/le contrat prend fin le 31\smars\s2027/);
    expect(price).not.toMatch(/12,90\s€ le|reconduite/);
  });

  it("keeps the day on which its trial ended", async () => {
    const reader = await subscriber();
    hold(tried, { formula: withTrial });
    expect(priceOf(await reader.get(PATH))).toMatch(/12,90\s€ le 31\smars\s2027/);
  });

  it("is of the contract, whatever its formula has become", async () => {
    const reader = await subscriber();
    hold(named, { formula: { ...monthly, name: "Autre nom", periodDurationUnit: "year" } });
    const price = priceOf(await reader.get(PATH));
    expect(price).toContain("Formule du contrat");
    expect(price).toMatch(/12,90\s€ le 31\smars\s2027/);
  });

  describe.each([404, 502, "reset"] as const)("whose formula is answered with %s", (how) => {
    it.each([
      ["without a trial", named, /12,90\s€ le 31\smars\s2027/],
      // The length of the trial is unknown: the periods are counted from the due day.
      ["after a trial", tried, /12,90\s€ le 28\smars\s2027/],
    ])("is shown and paid by a contract %s", async (_, held, next) => {
      const reader = await subscriber();
      hold(held, { how });
      const page = await reader.get(PATH);
      expect([page.status, priceOf(page)]).toEqual([200, expect.stringMatching(next)]);
      const paid = await reader.post(PATH, order(page));
      expect(paid.headers.get("location")).toContain("/callback/payment");
      expect(api.calls.get("pay")).toBe(1);
    });

    it("is told as unread where the contract names no period", async () => {
      const reader = await subscriber();
      hold(due, {});
      const filled = order(await reader.get(PATH));
      hold(due, { how });
      const page = await reader.get(PATH);
      expect([page.status, page.headers.get("location")]).toEqual([
        how === "reset" ? 503 : 502,
        null,
      ]);
      expect(page.dom.querySelector("main")?.text).toContain(
        "Nous n’avons pas pu lire votre offre",
      );
      const refused = await reader.post(PATH, filled);
      expect(refused.status).toBeGreaterThanOrEqual(500);
      expect(alertOf(refused)).not.toBe("");
      const typed = { firstName: "Léa", lastName: "Martin", cardholder: "Léa Martin" };
      expect(lostFields(refused.dom, typed)).toEqual([]);
      expect(api.calls.get("pay")).toBeUndefined();
    });
  });

  it("that names no formula is told as unread", async () => {
    const reader = await subscriber();
    const { formula: _, ...nameless } = named;
    hold(nameless, {});
    const page = await reader.get(PATH);
    expect([page.status, page.headers.get("location")]).toEqual([502, null]);
  });
});

describe("a subscription that names price and period", () => {
  it.each([
    ["/account/subscription", 404],
    ["/account/subscription", 502],
    ["/account", 502],
  ] as const)("is shown at %s without its formula: %s", async (path, how) => {
    const reader = await subscriber();
    hold(named, { how });
    const page = await reader.get(path);
    expect(page.status).toBe(200);
    const words = page.dom.querySelector("main")?.text ?? "";
    expect(words).toContain("Formule du contrat");
    expect(words).toMatch(/12,90\s€ par mois/);
    expect(api.calls.get("getFormula")).toBeUndefined();
  });

  it("has its formula read where the API leaves them out", async () => {
    const reader = await subscriber();
    hold(due, {});
    const words = (await reader.get("/account/subscription")).dom.querySelector("main")?.text ?? "";
    expect(words).toContain("Ancienne formule");
    expect(words).toMatch(/12,90\s€ par mois/);
  });
});
