import type { HTMLElement } from "node-html-parser";
import { dayOf } from "~/contract/day";
import { DAY_MS } from "../../server/platform/ports/durations";
import type { Fields } from "../support/pages";
import { shownStatement } from "./lying-api";

export type Person = "nobody" | "member" | "subscriber" | "coach";

/** Roles, as a token tells them. */
export const ACL = { member: {}, subscriber: { vip: true }, coach: { coach: true } } as const;

export const T = "t=0123456789abcdef0123";
const key = "cle-d-un-essai";

const account = { email: "ada@exemple.fr", password: "un mot de passe", terms: "on" };
const shown = { formula: "vip-mensuel", offer: shownStatement };
const partner = { trafficToken: "jeton" };
const card = {
  ...shown,
  firstName: "Ada",
  lastName: "Byron",
  cardNumber: "4242 4242 4242 4242",
  expiry: "12/38",
  cvv: "123",
  cardholder: "Ada Byron",
};
const written = { subject: "Mon ascendant", message: "Que dit-il de moi ?" };
const passwords = { password: "un autre passe", passwordConfirmation: "un autre passe" };
/** The clock of these tests moves on by days. */
const later = dayOf(new Date(Date.now() + 200 * DAY_MS));
const person = { name: "Ada Byron", email: "ada@exemple.fr" };
const notice = { ...person, reference: "C-2026-17" };

/** Each form that is posted: by whom, where, and with what. */
export const FORMS: [Person, string, Fields][] = [
  ["nobody", "/login", { email: account.email, password: account.password }],
  ["nobody", "/registration", { ...account, idempotencyKey: key }],
  ["member", "/registration", { intent: "pay" }],
  ["member", "/registration", { intent: "correct" }],
  ["member", "/registration", { intent: "restart", confirm: "on" }],
  ["member", "/registration/payment", { ...card, idempotencyKey: key, intent: "pay" }],
  [
    "nobody",
    "/registration/payment?utk=jeton",
    { ...account, ...card, ...partner, idempotencyKey: key },
  ],
  ["member", "/registration/welcome?utk=jeton", { intent: "pay" }],
  ["member", "/registration/payment", { ...shown, intent: "link" }],
  ["member", "/registration/failure", { intent: "retry" }],
  ["nobody", "/registration/release?token=secret", { token: "secret" }],
  ["nobody", "/reset-password", { email: account.email }],
  ["nobody", "/reset-password/update?token=secret", { ...passwords, token: "secret" }],
  ["subscriber", "/account", { intent: "name", name: "Léa" }],
  ["subscriber", "/account", { intent: "password", currentPassword: "passe", ...passwords }],
  ["subscriber", "/account", { intent: "end-session", session: "s1" }],
  ["subscriber", "/account", { intent: "end-sessions" }],
  ["subscriber", "/account/favorites", { article: "lune" }],
  ["subscriber", "/account/subscription", { confirm: "on" }],
  ["member", "/account/email", { newEmail: "zoe@exemple.fr", currentPassword: "passe" }],
  ["member", "/account/email/confirm?token=secret", { token: "secret" }],
  ["subscriber", "/account/data", { confirm: "on" }],
  ["subscriber", "/account/data", { intent: "take-back", erase: "on" }],
  ["subscriber", "/account/data", { intent: "erase", erase: "on" }],
  ["member", "/account/subscription/undo", {}],
  ["subscriber", "/article/lune", { intent: "keep" }],
  ["nobody", "/cancel-contract", { ...notice, date: later, intent: "notify" }],
  ["nobody", "/withdrawal", { ...notice, intent: "confirm" }],
  ["nobody", "/cancel-contract/undo?token=secret", { token: "secret" }],
  ["nobody", "/withdrawal/confirm?token=secret", { token: "secret" }],
  ["nobody", "/withdrawal/confirm?token=secret", { token: "secret", intent: "undo" }],
  [
    "nobody",
    "/contact/new-ticket",
    { ...person, ...written, category: "payment", idempotencyKey: key },
  ],
  ["nobody", "/contact/link", { email: account.email }],
  ["nobody", `/contact/tickets?${T}`, {}],
  ["nobody", `/contact/tickets/t1?${T}`, { message: written.message, idempotencyKey: key }],
  ["nobody", `/contact/tickets/t1?${T}`, { intent: "read", until: "m1" }],
  ["subscriber", "/coaching/new-discussion", { ...written, idempotencyKey: key }],
  ["subscriber", "/coaching/t1", { message: written.message, idempotencyKey: key }],
  ["coach", "/desk/t1", { message: written.message, idempotencyKey: key, version: "1" }],
  ["coach", "/desk/t1", { assignee: "", status: "closed", version: "1" }],
];

/** Secrets never come back, and buttons bring what nobody typed. */
const UNTYPED = [
  "password",
  "passwordConfirmation",
  "currentPassword",
  "cardNumber",
  "cvv",
  "intent",
  "session",
  "article",
  "until",
  "idempotencyKey",
  "version",
  "formula",
  "trafficToken",
  "offer",
];

/** Of what was typed, the fields that do not stand in the page. */
export function lostFields(dom: HTMLElement, fields: Fields): string[] {
  const typed = Object.entries(fields).filter(
    ([name, value]) => !UNTYPED.includes(name) && value !== "",
  );
  return typed.flatMap(([name, value]) => {
    const controls = dom.querySelectorAll(`main [name="${name}"]`);
    const values = controls.flatMap((control) => [
      control.getAttribute("value"),
      control.text.trim(),
      control.querySelector("[selected]")?.getAttribute("value"),
    ]);
    return values.includes(String(value)) ? [] : [name];
  });
}

/** The account is made, and what is left to do is done by a button. */
export const isMembersButton = (dom: HTMLElement) =>
  dom.querySelector("main button[value=pay]") !== null &&
  dom.querySelector("main input:not([type=hidden])") === null;
