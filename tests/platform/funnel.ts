import { expect } from "vitest";
import type { TestPlatform } from "../support/platform";

export const PASSWORD = "une-orbite-paisible";
export const CARDS = {
  success: "4242424242424242",
  declined: "4000000001000001",
  challenge: "4000000002000000",
  challengeDeclined: "4000000003000009",
  pending: "4000000004000008",
  pendingDeclined: "4000000005000007",
  renewalDeclined: "4000000006000006",
  timeout: "4000000007000005",
};

/** The partner's formula, which is sold with its token only. */
export const CASHBACK = { formula: "vip-cashback", trafficToken: "demo-cashback" };

export type Person = { uid: string; email: string; token: string };

/** Somebody with an account, signed in. */
export async function newPerson(
  platform: TestPlatform,
  email = `${crypto.randomUUID()}@exemple.fr`,
): Promise<Person> {
  const registered = await platform.call("POST /registrations/register", {
    body: { identifier: email, formula: "vip-mensuel", password: PASSWORD },
  });
  expect(registered.status).toBe(201);
  const { token } = await signIn(platform, email);
  return { uid: registered.body.payload.uid, email, token };
}

/** Where somebody calls from; nobody tells by default. */
export type From = { address?: string; agent?: string };

export const headersOf = ({ address, agent }: From): Record<string, string> => ({
  ...(address !== undefined && { "x-client-address": address }),
  ...(agent !== undefined && { "x-client-agent": agent }),
});

export async function signIn(
  platform: TestPlatform,
  identifier: string,
  password = PASSWORD,
  from: From = {},
) {
  const { status, headers, body } = await platform.call("POST /auth_check", {
    headers: headersOf(from),
    body: { identifier, password },
  });
  return { status, headers, body, token: body.payload?.token };
}

export function paymentLink(platform: TestPlatform, { token }: Person, body: object = {}) {
  return platform.call("POST /subscriptions/payment-link", {
    token,
    body: { formula: "vip-mensuel", ...body },
  });
}

/** Address of an open payment page. */
export async function newPage(platform: TestPlatform, person: Person, body: object = {}) {
  const answer = await paymentLink(platform, person, body);
  expect(answer.status).toBe(201);
  return String(answer.body.payload.url);
}

let addresses = 0;

/** Of somebody who was never seen: limits by address concern only who states one. */
export const newAddress = () => `203.0.${(addresses >> 8) & 255}.${++addresses & 255}`;

/** Presses a button of the page, with a good card unless told otherwise. */
export function post(
  platform: TestPlatform,
  page: string,
  fields: Record<string, string> = {},
  address = newAddress(),
) {
  const form = {
    cardNumber: CARDS.success,
    // Later than generated lives get, one after another on the same clock.
    expiry: "12/49",
    cvv: "123",
    cardholder: "Ada Byron",
    intent: "pay",
    ...fields,
  };
  const headers = { "x-client-address": address };
  const body = new URLSearchParams(form);
  return platform.fetch(new Request(page, { method: "POST", headers, body }));
}

/** Opens a page, pays it, and gives the payment as the platform then knows it. */
export async function payWith(platform: TestPlatform, person: Person, cardNumber: string) {
  const page = await newPage(platform, person);
  await post(platform, page, { cardNumber });
  return { page, ...(await lastPayment(platform, person)) };
}

export async function lastPayment(platform: TestPlatform, { token }: Person) {
  const { body } = await platform.call("GET /subscriptions/payment", { token });
  return body.payload;
}

export function movements(platform: TestPlatform) {
  return platform.database.selectFrom("bank_movement").selectAll().execute();
}

/** The roles a signed-in person has at this moment. */
export async function rolesOf(platform: TestPlatform, { token }: Person) {
  const { headers } = await platform.call("GET /subscriptions/payment", { token });
  return claimsOf(headers.get("next-token") ?? token).acl;
}

export function claimsOf(token: string) {
  const [, claims = ""] = token.split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}
