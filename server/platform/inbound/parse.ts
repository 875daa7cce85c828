import { createHash } from "node:crypto";
import { simpleParser, type ParsedMail } from "mailparser";
import { countAttachments } from "./attachments";
import { addressesIn, headersOf, type Headers } from "./headers";
import { htmlText } from "./html-text";

export type IncomingMail = {
  headers: Headers;
  /** Null: none, or several, of whom none can be asked. */
  from: string | null;
  /** Names the mail for good: its Message-ID, or what stands for one. */
  name: string;
  text: string;
  attachments: number;
};

/** Nothing is made that is not read, and no picture is written into the HTML. */
const OPTIONS = {
  ...{ skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true },
  ...{ skipImageLinks: true, keepDeliveryStatus: true },
};
const MAX_NAME = 255;
/** A message has ten thousand characters at most: beyond that there are quotations. */
const MAX_TEXT = 1_000_000;
/** What Outlook leaves of pictures in the text. */
const PICTURE = /\[cid:[^\]\s]{1,200}\]/g;

/** Null: not a mail that anybody could read. */
export async function parseMail(raw: Buffer): Promise<IncomingMail | null> {
  const parsed = await simpleParser(raw, OPTIONS).catch(() => null);
  if (!parsed?.headers) return null;
  const headers = headersOf(parsed.headerLines);
  const text = textOf(parsed);
  return {
    headers,
    ...{ from: senderOf(parsed), name: nameOf(headers, text, raw), text },
    attachments: countAttachments(parsed.attachments),
  };
}

function senderOf({ from }: ParsedMail): string | null {
  const [one, ...others] = addressesIn(from);
  return one && others.length === 0 ? one : null;
}

/** Without an ID it is its date, sender and words: on its way a mail gains other lines at its head. */
function nameOf(headers: Headers, text: string, raw: Buffer) {
  const [id] = headers.get("message-id") ?? [];
  if (id && id.length <= MAX_NAME) return id;
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
