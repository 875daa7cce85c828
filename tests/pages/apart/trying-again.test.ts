import { describe, expect, it } from "vitest";
import type { EndpointName } from "~/contract/endpoints";
import { hiddenFields, type Fields, type PageAnswer } from "../../support/pages";
import { openFailingCalls } from "../failing-calls";
import { FORMS, lostFields, T, type Person } from "../posted-forms";

const { api, cookieOf, requestAs } = await openFailingCalls();

const fieldsOf = (person: Person, path: string): Fields =>
  FORMS.find(([by, at]) => by === person && at === path)?.[2] ?? {};

const link = ({ dom }: PageAnswer, scope = "main") => dom.querySelector(`${scope} a[href=""]`);
const buttonIn = ({ dom }: PageAnswer) => dom.querySelector("main button[name=restore]");

/** Refused posts with typed text, beside which their page could not read something. */
const REFUSED: [Person, string, Fields, EndpointName?][] = [
  ["nobody", "/registration", fieldsOf("nobody", "/registration"), "getOffer"],
  ["member", "/registration/payment", fieldsOf("member", "/registration/payment"), "getOffer"],
  [
    "member",
    "/registration/payment",
    { ...fieldsOf("member", "/registration/payment"), cvv: "1" },
    "getLastPayment",
  ],
  ["subscriber", "/account", { intent: "name", name: "Léa" }, "getMetadata"],
  ["coach", "/desk/t1", fieldsOf("coach", "/desk/t1")],
  ["subscriber", "/coaching/t1", fieldsOf("subscriber", "/coaching/t1")],
  ["nobody", `/contact/tickets/t1?${T}`, fieldsOf("nobody", `/contact/tickets/t1?${T}`)],
];

describe("trying again keeps what was typed", () => {
  it.each(REFUSED)("as %s at %s: %j without %s", async (person, path, fields, call) => {
    await cookieOf(person);
    // A registration is created without its offer, so its own call fails too.
    api.tell({ ...(call && person !== "nobody" && { call }), how: 502 });
    const refused = await requestAs(person, path, fields);
    expect(lostFields(refused.dom, fields)).toEqual([]);
    expect(link(refused, path === "/account" ? "#profile" : "main")).toBeNull();
    expect(buttonIn(refused)).not.toBeNull();
    api.tell();
    const { intent: _, ...typed } = fields;
    const sent = { ...hiddenFields(refused), ...typed, restore: "1" };
    const shown = await requestAs(person, path, sent);
    expect([shown.status, lostFields(shown.dom, fields)]).toEqual([200, []]);
    expect([buttonIn(shown), shown.dom.querySelector("main .notice--error")]).toEqual([null, null]);
  });

  it("stands behind the button that Enter presses", async () => {
    for (const [person, path, fields, call] of REFUSED.slice(0, 4)) {
      await cookieOf(person);
      api.tell({ ...(call && person !== "nobody" && { call }), how: 502 });
      const page = await requestAs(person, path, fields);
      const form = buttonIn(page)?.closest("form");
      const isLast = form?.querySelectorAll("button").at(-1)?.getAttribute("name") === "restore";
      expect([path, isLast]).toEqual([path, true]);
    }
  });

  it("is what sending a discussion does", async () => {
    const path = "/coaching/new-discussion";
    const fields = fieldsOf("subscriber", path);
    await cookieOf("subscriber");
    api.tell({ call: "getSensitiveConsent", how: 502 });
    const refused = await requestAs("subscriber", path, { ...fields, intent: "send" });
    expect(refused.dom.querySelector("main .notice--error")).not.toBeNull();
    expect([link(refused), lostFields(refused.dom, fields)]).toEqual([null, []]);
    api.tell();
    const sent = await requestAs("subscriber", path, { ...hiddenFields(refused), ...fields });
    expect(sent.status).toBe(303);
  });

  it("leaves no link above a text to copy", async () => {
    const path = "/login?returnTo=%2Fcoaching&denied=1&carried=1";
    const fields = { message: "Que dit-il de moi ?" };
    await cookieOf("member");
    api.tell({ call: "getLastPayment", how: 502 });
    const page = await requestAs("member", path, fields);
    expect(page.dom.querySelector("main .notice--error")).not.toBeNull();
    expect([link(page), lostFields(page.dom, fields)]).toEqual([null, []]);
  });

  it("is a link on a page without a form", async () => {
    await cookieOf("member");
    api.tell({ call: "getOffer", how: 502 });
    const page = await requestAs("member", "/registration/payment");
    expect([link(page) !== null, buttonIn(page)]).toEqual([true, null]);
  });

  it("shows the stored name where none was typed", async () => {
    await cookieOf("subscriber");
    api.tell();
    const page = await requestAs("subscriber", "/account", { name: "", restore: "1" });
    expect(page.dom.querySelector("#profile [name=name]")?.getAttribute("value")).toBe("Ada");
  });
});
