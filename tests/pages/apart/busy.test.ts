import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { EndpointName } from "~/contract/endpoints";
import { busyViolation } from "~/contract/errors";
import error from "~/locales/fr/error.json";
import flash from "~/locales/fr/flash.json";
import forms from "~/locales/fr/forms.json";
import { tokenOf } from "../../app/people";
import { hiddenFields, openPages, type Fields } from "../../support/pages";
import { openLyingApi, shownStatement } from "../lying-api";
import { ticketFields } from "../threads";

const api = await openLyingApi();
afterAll(() => api.close());
afterEach(() => api.become());

const { visitor } = openPages({ API_URL: api.url });

/** Reference data is held for a minute: each page comes after it. */
let now = Date.now();
vi.useFakeTimers({ toFake: ["Date"], now });
afterAll(() => vi.useRealTimers());

const body = { message: "Non", violations: [busyViolation("Non")] };
const BUSY = { status: 429, body };

/** A person who is signed in; `refuse` then has one call find a full queue. */
async function signedIn(acl = {}) {
  const reader = visitor();
  vi.setSystemTime((now += 61_000));
  api.tell();
  api.signIn(tokenOf("signed in", { acl }));
  await reader.post("/login", credentials);
  return reader;
}
const refuse = (call: EndpointName) => api.tell({ call, how: BUSY });

const credentials = { email: "ada@exemple.fr", password: "une-orbite-paisible" };
const key = { idempotencyKey: "cle-d-un-essai" };
const offer = { formula: "vip-mensuel", offer: shownStatement };
const registration = { ...credentials, ...key, ...offer, terms: "on" };
const card = {
  ...offer,
  ...key,
  intent: "pay",
  firstName: "Ada",
  lastName: "Byron",
  cardNumber: "4242 4242 4242 4242",
  expiry: "12/38",
  cvv: "123",
  cardholder: "Ada Byron",
};
const PAY = "/registration/payment";
const words = forms.failures.any.busy;

describe("a site in demand does not tell people that they did too much", () => {
  it.each<[string, Fields, EndpointName, string]>([
    ["/login", credentials, "checkAuth", words],
    ["/registration", registration, "register", words],
    ["/registration", registration, "checkAuth", forms.failures.firstSignIn.busy],
    ["/reset-password", { email: credentials.email }, "requestPasswordReset", words],
    ["/contact/new-ticket", { ...ticketFields(), ...key }, "createContactTicket", words],
  ])("in the form at %s, with %j and %s", async (path, fields, call, text) => {
    vi.setSystemTime((now += 61_000));
    refuse(call);
    const page = await visitor().post(path, fields);
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(page.dom.querySelector("[role=alert]")?.text).toContain(text);
  });

  it("under a button", async () => {
    const reader = await signedIn({ vip: true });
    refuse("endSessions");
    const page = await reader.post("/account", { intent: "end-sessions" });
    expect(page.status).toBe(429);
    expect(page.dom.querySelector("[role=alert]")?.text).toContain(flash.busy);
  });

  it("on a page that could not be read", async () => {
    const reader = await signedIn();
    refuse("getLastPayment");
    const page = await reader.get("/registration/success");
    expect(page.status).toBe(429);
    const main = page.dom.querySelector("main")?.text;
    expect(main).toContain(flash.busy);
    expect(main).not.toContain("Trop de");
  });

  it("on the error page", async () => {
    refuse("getPage");
    const page = await visitor().get("/about");
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(page.dom.querySelector("main")?.text).toContain(error.busy.text);
  });
});

describe("a payment that found a full queue", () => {
  it("keeps what was typed and the key, and speaks of no refused card", async () => {
    const reader = await signedIn();
    refuse("pay");
    const page = await reader.post(PAY, card);
    expect(page.status).toBe(429);
    const told = page.dom.querySelector("[role=alert]")?.text;
    expect(told).toContain(words);
    expect(page.dom.querySelector("[name=firstName]")?.getAttribute("value")).toBe("Ada");
    expect(hiddenFields(page)).toMatchObject(key);
  });

  it.each(["Success", "Pending"] as const)(
    "leads to another one that is in the way: %s",
    async (status) => {
      const reader = await signedIn();
      api.become({
        getLastPayment: {
          payload: {
            status,
            formula: "vip-mensuel",
            amount: 990,
            date: new Date(now).toISOString(),
          },
        },
      });
      refuse("pay");
      const page = await reader.post(PAY, card);
      expect([page.status, page.headers.get("location")]).toEqual([303, "/callback/payment"]);
    },
  );
});
