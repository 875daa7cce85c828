import { createHash } from "node:crypto";
import { simpleParser, type ParsedMail } from "mailparser";
import addressParser from "nodemailer/lib/addressparser";
import { countAttachments } from "./attachments";
import { isAutomatic } from "./automatic";
import { replyIn } from "./cut/reply";
import { addressesIn, headersOf, type Headers } from "./headers";
import { htmlText } from "./html-text";
import { MAX_HEAD_BYTES, type MailBody, type MailHead } from "./mail";

/** No mail program writes as many; parts inside parts count. */
const MAX_PARTS = 100;

/** Nothing is made that is not read, and no picture is written into the HTML. */
const OPTIONS = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepDeliveryStatus: true,
  maxHeadSize: MAX_HEAD_BYTES,
  maxChildNodes: MAX_PARTS,
};
/** Of `maxHeadSize` and `maxChildNodes`. */
const TOO_LONG = "EMAXLEN";

/** Whom the server brought it to stands before whom it was written to. */
const RECIPIENTS = ["delivered-to", "x-original-to", "to", "cc"];
const MAX_RECIPIENTS = 500;
/** The mail that is answered stands last; nobody's thread has more. */
const MAX_REFERENCES = 50;
const OF_OURS = /<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/g;

/** RFC 5321, 4.5.3.1.3. */
const MAX_ADDRESS = 256;
const MAX_NAME = 255;
/** A message has ten thousand characters at most: beyond that there are quotations. */
const MAX_TEXT = 1_000_000;
/** What Outlook leaves of pictures in the text. */
const PICTURE = /\[cid:[^\]\s]{1,200}\]/g;

/** Who wrote to whom, from the lines above the text; null when there are none. */
export async function readHead(head: Buffer): Promise<MailHead | null> {
  const parsed = await simpleParser(head, OPTIONS);
  if (!parsed.headers) return null;
  const headers = headersOf(parsed.headerLines);
  const from = senderOf(parsed, headers);
  return {
    from,
    name: nameOf(headers, "", head),
    isAutomatic: isAutomatic(headers, from),
    recipients: recipientsIn(headers),
    answered: answeredIn(headers),
  };
}

/** What was written, without what it quotes; null for a mail of more parts than anybody writes. */
export async function readBody(raw: Buffer): Promise<MailBody | null> {
  const parsed = await simpleParser(raw, OPTIONS).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === TOO_LONG) return null;
    throw error;
  });
  if (!parsed) return null;
  const words = textOf(parsed);
  return {
    name: nameOf(headersOf(parsed.headerLines), words, raw),
    text: replyIn(words),
    attachments: countAttachments(parsed.attachments),
  };
}

/**
 * Null: none, or several, of whom none can be asked. Of two lines a mail server may have checked the
 * one and we read the other (RFC 5322, 3.6: there is one).
 */
function senderOf({ from }: ParsedMail, headers: Headers): string | null {
  if (headers.get("from")?.length !== 1) return null;
  const [one, ...others] = addressesIn(from);
  return one && one.length <= MAX_ADDRESS && others.length === 0 ? one : null;
}

/** No mail program writes one into a name; PostgreSQL keeps no zero byte. */
const hasControl = (text: string) => /\p{Cc}/u.test(text);

const recipientsIn = (headers: Headers) =>
  RECIPIENTS.flatMap((name) => headers.get(name) ?? [])
    .flatMap((value) => addressParser(value, { flatten: true }))
    .map(({ address }) => address)
    .filter((address) => address.length <= MAX_ADDRESS)
    .slice(0, MAX_RECIPIENTS);

/** Mails of ours that it answers, by their uid, the nearest last. */
const answeredIn = (headers: Headers) =>
  ["references", "in-reply-to"]
    .flatMap((name) => headers.get(name) ?? [])
    .flatMap((value) => [...value.toLowerCase().matchAll(OF_OURS)].flatMap(([, uid]) => uid ?? []))
    .slice(-MAX_REFERENCES);

/** Without an ID it is its date, sender and words: on its way a mail gains other lines at its head. */
function nameOf(headers: Headers, text: string, raw: Buffer) {
  const [id] = headers.get("message-id") ?? [];
  if (id && id.length <= MAX_NAME && !hasControl(id)) return id;
  const [date] = headers.get("date") ?? [];
  const written = date && JSON.stringify([date, headers.get("from"), headers.get("subject"), text]);
  return createHash("sha256")
    .update(id || written || raw)
    .digest("base64url");
}

/** The words alone where the mail has them; PostgreSQL keeps no zero byte. */
function textOf({ text, html }: ParsedMail) {
  const words = text?.trim() ? text : html ? htmlText(html) : "";
  return words.slice(0, MAX_TEXT).replaceAll("\0", "").replace(PICTURE, "");
}
