import type { Tables } from "../database/tables";
import { htmlToText } from "../mail/html-to-text";
import type { Trimmed } from "../support/append-message";
import type { SupportContext } from "../support/context";
import { composeSentLetters, type SentLetters } from "../support/sent-letters";
import { lineOf } from "./cut/line";
import { dropSentLines, type Sent } from "./cut/sent-lines";
import { isProgramLine } from "./cut/signature";
import type { MailBody } from "./mail";

/** What is kept. The rest of a mail is longer only where somebody passes on long mails. */
const MAX_LENGTH = 20_000;
/** The line that only lists of mails show; some programs leave it out of quotations. */
const PREHEADER = /<div style="[^"]*" aria-hidden="true">[^<]*<\/div>/;

/**
 * Reads what was cut from a mail about a ticket, without what we sent, which its thread has; null where nothing is left, as
 * of a reply with our mail below it.
 */
export async function readRest(
  context: Pick<SupportContext, "db" | "site">,
  ticket: Tables["ticket"],
  { cut, isShort }: MailBody,
): Promise<Trimmed | null> {
  if (cut.length === 0 && !isShort) return null;
  const sent = sentIn(await composeSentLetters(context, ticket));
  const rest = dropSentLines(cut, sent).replace(/\p{Cs}/gu, "\ufffd");
  const isTyped = rest.split("\n").some((line) => line.trim() && !isProgramLine(lineOf(line)));
  const text = isTyped ? rest : "";
  if (text === "") return isShort ? { text: "…", isShort } : null;
  return text.length > MAX_LENGTH ? { text: beginningOf(text), isShort: true } : { text, isShort };
}

/** Characters are never cut in half. */
const beginningOf = (text: string) =>
  text
    .slice(0, MAX_LENGTH)
    .replace(/\p{Cs}$/u, "")
    .trimEnd();

const sentIn = ({ answers, mails }: SentLetters): Sent => ({
  texts: [
    ...answers,
    ...mails.flatMap(({ text, html }) => [
      text,
      htmlToText(html) ?? "",
      htmlToText(html.replace(PREHEADER, "")) ?? "",
    ]),
  ],
  subjects: mails.map(({ subject }) => subject),
});
