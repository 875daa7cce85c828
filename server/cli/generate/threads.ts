import { MINUTE_MS } from "../../platform/ports/durations";
import { ANSWERED, REPLIED, UNANSWERED } from "../../../app/contract/ticket-status";
import type { Tables } from "../../platform/database/tables";
import { newUid } from "../../platform/ports/ids";
import { excerptOf } from "../../platform/support/excerpt";
import { statusColumns } from "../../platform/support/statuses";
import { wordsOf } from "../../platform/support/words";
import type { Random } from "./random";
import phrases from "./phrases.fr.json";
import { personOf, type User } from "./users";

type Ticket = Tables["ticket"];
type Message = Tables["ticket_message"];

export type Thread = { ticket: Ticket; messages: Message[]; words: Set<string> };

const TWO_YEARS_MS = 2 * 365 * 24 * 60 * MINUTE_MS;
/** Tickets of a hundred that are closed or locked. */
const [CLOSED, LOCKED] = [80, 5];

type Options = { random: Random; now: Date; users: readonly User[] };

/** Makes a ticket in which a person and a coach write in turn. */
export function threadOf({ random, now, users }: Options, length: number): Thread {
  const isCoaching = users.length > 0 && random.below(100) < 40;
  const person = isCoaching ? random.pick(users) : personOf(random);
  const begun = now.getTime() - length * MINUTE_MS - random.below(TWO_YEARS_MS);
  const empty = emptyTicket(random, person, isCoaching, new Date(begun).toISOString());
  const messages = Array.from({ length }, (_, index) =>
    messageOf(random, empty, index + 1, new Date(begun + index * MINUTE_MS).toISOString()),
  );
  const words = new Set(wordsOf(empty.title, empty.name, empty.email));
  for (const { content } of messages) {
    for (const word of wordsIn(content)) words.add(word);
  }
  return { ticket: withMessages(empty, messages, statusOf(random, length)), messages, words };
}

function emptyTicket(random: Random, person: User, isCoaching: boolean, at: string): Ticket {
  const title = random.pick(phrases.titles);
  const category = random.below(2) === 0 ? `[${random.pick(phrases.categories)}]: ` : "";
  return {
    uid: newUid(),
    type: isCoaching ? "coaching" : "contact",
    title: `${category}${title}`,
    name: person.name,
    email: person.email,
    email_key: person.email,
    status: UNANSWERED,
    account_uid: isCoaching ? person.uid : null,
    birth: null,
    assignee_uid: null,
    version: 0,
    last_seq: 0,
    message_count: 0,
    last_coach_seq: 0,
    person_read_seq: 0,
    excerpt: "",
    created_at: at,
    last_at: at,
    waiting_since: at,
    first_answered_at: null,
    closed_at: null,
    origin: null,
    creation_key: null,
    creation_digest: null,
  };
}

const isPersons = (seq: number) => seq % 2 === 1;

function messageOf(random: Random, ticket: Ticket, seq: number, at: string): Message {
  const sentences = isPersons(seq) ? phrases.person : phrases.coach;
  const author = isPersons(seq) ? "person" : "coach";
  return {
    uid: newUid(),
    ticket_uid: ticket.uid,
    seq,
    author,
    internal: 0,
    created_at: at,
    contact_uid: isPersons(seq) ? (ticket.account_uid ?? ticket.uid) : "mesures",
    contact_name: isPersons(seq) ? ticket.name : "Mesures",
    content: `${random.pick(sentences)} ${random.pick(sentences)}`,
    key: null,
    digest: null,
    mail_message_id: null,
    trimmed: null,
    trimmed_short: null,
    posted_by: null,
  };
}

function statusOf(random: Random, length: number): Ticket["status"] {
  const share = random.below(100);
  if (share < CLOSED) return "closed";
  if (share < CLOSED + LOCKED) return "locked";
  if (length === 1) return UNANSWERED;
  return isPersons(length) ? REPLIED : ANSWERED;
}

function withMessages(
  empty: Ticket,
  messages: readonly Message[],
  status: Ticket["status"],
): Ticket {
  const last = messages.at(-1);
  if (!last) return empty;
  const seq = messages.length;
  return {
    ...empty,
    ...statusColumns(status, { waiting_since: null, closed_at: null }, last.created_at),
    version: seq,
    last_seq: seq,
    message_count: seq,
    last_at: last.created_at,
    last_coach_seq: isPersons(seq) ? seq - 1 : seq,
    first_answered_at: messages[1]?.created_at ?? null,
    person_read_seq: seq,
    excerpt: excerptOf(last.content),
  };
}

const wordsByContent = new Map<string, string[]>();

/** Finds the words of a text; the few different texts are split only once. */
function wordsIn(content: string): string[] {
  let words = wordsByContent.get(content);
  if (!words) wordsByContent.set(content, (words = wordsOf(content)));
  return words;
}
