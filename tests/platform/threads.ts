import { expect } from "vitest";
import type { TestPlatform } from "../support/platform";
import { newAddress } from "./funnel";
import { newestMail } from "./life";

export type Contact = { email: string; uid: string; secret: string };

const LINK = /https:\/\/cap\.example\/contact\/tickets(?:\/[\w-]+)?\?t=([\w-]+)/;

export const asContact = ({ secret }: { secret: string }) => ({
  "support-authorization": `Contact ${secret}`,
});

let count = 0;

/** A question of somebody, with a name and an e-mail of their own unless told otherwise. */
export function ask(
  platform: TestPlatform,
  body: object = {},
  headers: Record<string, string> = {},
) {
  const email = `ada.${++count}@exemple.fr`;
  return platform.call("POST /support/contact/tickets", {
    headers: { "x-client-address": newAddress(), ...headers },
    body: { email, name: "Ada Byron", title: "Ma carte", message: "Bonjour", ...body },
  });
}

/** Somebody with a ticket who has opened the mailed link. */
export async function newContact(
  platform: TestPlatform,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<Contact> {
  const answer = await ask(platform, body, headers);
  expect(answer.status).toBe(201);
  const { uid, contact } = answer.body.payload;
  return { uid, email: contact.email, secret: await mailedSecret(platform, contact.email) };
}

/** The secret of the link in the last mail to an address. */
export async function mailedSecret(platform: TestPlatform, email: string): Promise<string> {
  await platform.runDueJobs();
  return LINK.exec((await newestMail(platform, email)).text)?.[1] ?? "";
}

export async function mailsOf({ database }: TestPlatform, email: string) {
  const rows = await database
    .selectFrom("mail")
    .select(["key", "subject"])
    .where("recipient", "=", email)
    .orderBy("uid")
    .execute();
  return rows.map(({ key }) => key?.split(":")[0]);
}

/** What a person reads of a thread of theirs. */
export function readThread(platform: TestPlatform, contact: Contact, query = "") {
  return platform.call(`GET /support/contact/tickets/${contact.uid}${query}`, {
    headers: asContact(contact),
  });
}

export function write(
  platform: TestPlatform,
  contact: Contact,
  message: unknown,
  headers: Record<string, string> = {},
) {
  return platform.call(`POST /support/contact/tickets/${contact.uid}/messages`, {
    headers: { ...asContact(contact), ...headers },
    body: { message },
  });
}

export const contents = ({ body }: { body: { payload: { messages: { content: string }[] } } }) =>
  body.payload.messages.map(({ content }) => content);
