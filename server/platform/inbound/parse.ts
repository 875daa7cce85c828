import { createHash } from "node:crypto";
import { simpleParser, type ParsedMail } from "mailparser";
import addressParser from "nodemailer/lib/addressparser";
import { countAttachments } from "./attachments";
import { writerOf } from "./automatic";
import { divideBoth } from "./cut/both-texts";
import { divideReply } from "./cut/reply";
import { addressesIn, headersOf, type Headers } from "./headers";
import { htmlToText, withoutPictures } from "../mail/html-to-text";
import { MAX_HEAD_BYTES, type MailBody, type MailHead } from "./mail";

/** No mail program writes more parts, nested ones included. */
const MAX_PARTS = 100;

/** Skips unused conversions and does not embed pictures into the HTML. */
const OPTIONS = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepDeliveryStatus: true,
  maxHeadSize: MAX_HEAD_BYTES,
  maxChildNodes: MAX_PARTS,
};
/** Error code when `maxHeadSize` or `maxChildNodes` is exceeded. */
const TOO_LONG = "EMAXLEN";

/** Recipient headers: actual delivery addresses come before `to` and `cc`. */
const RECIPIENTS = ["delivered-to", "x-original-to", "to", "cc"];
const MAX_RECIPIENTS = 500;
/** The answered mail is the last reference; threads are shorter than this. */
const MAX_REFERENCES = 50;
const OF_OURS = /<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/g;

/** RFC 5321, 4.5.3.1.3. */
const MAX_ADDRESS = 256;
const MAX_NAME = 255;
/** HTML beside plain text is read up to this length: the plain text is usually the same, and less work. */
const MAX_BESIDE = 200_000;
/** Placeholders that Outlook leaves for pictures. */
const PICTURE = /\[cid:[^\]\s]{1,200}\]/g;

/** Reads sender, recipients and references from the header lines; null without any. */
export async function readHead(head: Buffer): Promise<MailHead | null> {
  const parsed = await parseMail(head);
  if (!parsed.headers) return null;
  const headers = headersOf(parsed.headerLines);
  const from = senderOf(parsed, headers);
  return {
    from,
    name: nameOf(headers, "", head),
    writer: writerOf(headers, from),
    recipients: recipientsIn(headers),
    answered: answeredIn(headers),
  };
}

/**
 * Reads the text, divided from quotations, and counts attachments; null for a mail with too many parts, or whose only text
 * is in HTML that cannot be read whole.
 */
export async function readBody(raw: Buffer): Promise<MailBody | null> {
  const parsed = await parseMail(raw).catch((error: unknown) => {
    // A mail that is too large is reported to its sender and in the log. Other errors are rethrown.
    if (error instanceof Error && "code" in error && error.code === TOO_LONG) return null;
    throw error;
  });
  if (!parsed) return null;
  const texts = textsOf(parsed);
  if (texts === null) return null;
  return {
    name: nameOf(headersOf(parsed.headerLines), texts.join("\n\n"), raw),
    ...divide(texts),
    attachments: countAttachments(parsed.attachments),
  };
}

const divide = ([text = "", beside]: string[]) =>
  beside === undefined ? divideReply(text) : divideBoth(text, beside);

/** The parser never answers to a head of an enclosed mail without the empty line that ends it. */
const parseMail = (raw: Buffer) => simpleParser(Buffer.concat([raw, END_OF_HEAD]), OPTIONS);
const END_OF_HEAD = Buffer.from("\r\n\r\n");

/**
 * Null: none, or several, of whom none can be asked. Of two lines a mail server may have checked the
 * one and we read the other (RFC 5322, 3.6: there is one).
 */
function senderOf({ from }: ParsedMail, headers: Headers): string | null {
  if (headers.get("from")?.length !== 1) return null;
  const [one, ...others] = addressesIn(from);
  return one && one.length <= MAX_ADDRESS && others.length === 0 ? one : null;
}

/** Control characters do not belong into an identifier, and PostgreSQL refuses NUL. */
const hasControl = (text: string) => /\p{Cc}/u.test(text);

const recipientsIn = (headers: Headers) =>
  RECIPIENTS.flatMap((name) => headers.get(name) ?? [])
    .flatMap((value) => addressParser(value, { flatten: true }))
    .map(({ address }) => address)
    .filter((address) => address.length <= MAX_ADDRESS)
    .slice(0, MAX_RECIPIENTS);

/** Uids of our mails that it answers, the latest last. */
const answeredIn = (headers: Headers) =>
  ["references", "in-reply-to"]
    .flatMap((name) => headers.get(name) ?? [])
    .flatMap((value) => [...value.toLowerCase().matchAll(OF_OURS)].flatMap(([, uid]) => uid ?? []))
    .slice(-MAX_REFERENCES);

/** `<>` or a single word names nothing. */
const MESSAGE_ID = /^<[^<>\s@]+@[^<>\s]+>$/;

/**
 * Identifies a mail by its Message-ID, otherwise by date, sender, subject and text: mail servers
 * add header lines, so the whole head is not stable.
 */
function nameOf(headers: Headers, text: string, raw: Buffer) {
  const [written = ""] = headers.get("message-id") ?? [];
  const id = MESSAGE_ID.test(written) ? written : "";
  if (id && id.length <= MAX_NAME && !hasControl(id)) return id;
  const [date] = headers.get("date") ?? [];
  const told = date && JSON.stringify([date, headers.get("from"), headers.get("subject"), text]);
  return createHash("sha256")
    .update(id || told || raw)
    .digest("base64url");
}

/** The plain text, and the text of the HTML beside it. Null where the only text is in HTML that cannot be read whole. */
function textsOf({ text, html }: ParsedMail): string[] | null {
  const plain = text?.trim() ? text : "";
  if (!html || (plain && withoutPictures(html).length > MAX_BESIDE)) return [cleaned(plain)];
  const converted = htmlToText(html);
  if (!plain) return converted === null ? null : [cleaned(converted)];
  return converted === null ? [cleaned(plain)] : [plain, converted].map(cleaned);
}

/** NUL is removed because PostgreSQL refuses it. */
const cleaned = (text: string) => text.replaceAll("\0", "").replace(PICTURE, "");
