import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { lostFrom, openFailingCalls, type Check } from "../failing-calls";
import { FORMS } from "../posted-forms";

const { api, cookieOf, requestAs, faultsOf } = await openFailingCalls({ CARD_FORM: "off" });

const OF_THE_CARD = ["firstName", "lastName", "cardNumber", "expiry", "cvv", "cardholder"];

/** The orders of the card form, with what this form has of them. */
const ORDERS = FORMS.filter(([, path]) => path.startsWith(paths.registrationPayment())).map(
  ([person, path, fields]) => {
    const typed = Object.entries(fields).filter(([name]) => !OF_THE_CARD.includes(name));
    return [person, path, Object.fromEntries(typed)] as const;
  },
);

describe("a form to the bank's page keeps all values", () => {
  it.each(ORDERS)("when a call fails: %s at %s %j", async (person, path, fields) => {
    const read = () => requestAs(person, path);
    const send = () => requestAs(person, path, fields);
    const check: Check = (answer, how) => lostFrom(answer, fields, how);
    expect(await faultsOf({ read, send, path }, check)).toEqual([]);
  });

  it.each(ORDERS)("without an API: %s at %s %j", async (person, path, fields) => {
    await cookieOf(person);
    api.tell({ how: "reset" });
    const answer = await requestAs(person, path, fields);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(lostFrom(answer, fields, "reset")).toEqual([]);
    expect(answer.dom.querySelector("main")?.text).toContain("pas pu lire votre offre");
    expect(answer.dom.querySelector("main form button")?.getAttribute("name")).toBe("restore");
  });
});
