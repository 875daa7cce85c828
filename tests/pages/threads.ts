import { expect } from "vitest";
import type { TicketStatus } from "~/contract/ticket-status";
import { embeddedPlatform } from "../../server/embedded";
import { waitForMail } from "../support/mailed";
import { openPages, type PageAnswer, type Visitor } from "../support/pages";
import { newEmail, signInCoach, subscribe } from "../support/people";

export type Ticket = { uid: string; email: string; t: string; path: string };

/** The visible text of the page's main part. */
export const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";

export const messagesOf = ({ dom }: PageAnswer) =>
  dom.querySelectorAll(".message__text").map(({ text }) => text);

/** Names of the faulty fields. */
export const faultsOf = ({ dom }: PageAnswer) =>
  dom.querySelectorAll(".field__error").map(({ id }) => id.replace(/^\w+-(\w+)-error$/, "$1"));

let count = 0;

export const ticketFields = (more: Record<string, string> = {}) => ({
  email: newEmail("ada"),
  name: "Ada",
  category: "payment",
  subject: `Question ${++count}`,
  message: "Bonjour",
  ...more,
});

/** The pages, with the people of a conversation. */
export function openThreads(env: Record<string, string> = {}) {
  const { visitor, dataDir, routes } = openPages(env);

  /** Opens a new ticket by its mailed link. */
  async function newTicket(more: Record<string, string> = {}): Promise<Ticket> {
    const fields = ticketFields(more);
    const answer = await visitor().post("/contact/new-ticket", fields);
    expect(answer.headers.get("location")).toBe("/contact/new-ticket?sent=1");
    const { text } = await waitForMail({ dataDir }, fields.email, "bien reçu");
    const [path = "", uid = "", t = ""] =
      /\/contact\/tickets\/([\w-]+)\?t=([\w-]+)/.exec(text) ?? [];
    return { uid, email: fields.email, t, path };
  }

  async function newDiscussion(fields: Record<string, string> = {}) {
    const member = visitor();
    await subscribe(member);
    const written = { subject: "Mon thème", message: "Que dit mon ascendant ?", ...fields };
    const answer = await member.post("/coaching/new-discussion", written);
    return { member, path: answer.headers.get("location") ?? "" };
  }

  return {
    visitor,
    dataDir,
    routes,
    newTicket,
    newDiscussion,
    newCoach: () => newCoach(visitor()),
  };
}

async function newCoach(coach: Visitor) {
  const { database } = await embeddedPlatform();
  return signInCoach(coach, database);
}

/** Answers at the desk, and sets `status` if given. */
export async function answerAt(
  coach: Visitor,
  uid: string,
  message: string,
  status: TicketStatus | "" = "",
) {
  const answer = await coach.post(`/desk/${uid}`, { message, after: status });
  expect(answer.headers.get("location")).toBe(`/desk/${uid}`);
}
