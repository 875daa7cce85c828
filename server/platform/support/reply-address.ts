import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKeys } from "../ports/keys";

/** 80 bits cannot be guessed, and the part before the `@` stays within 64 characters (RFC 5321). */
const TAG_LENGTH = 16;
/** Without capitals, because mail servers may change them. */
const DIGITS = "abcdefghijklmnopqrstuvwxyz234567";

const TAGGED = /^([a-z0-9-]+)\.([a-z2-7]+)$/;

export type ReplyAddresses = {
  /** The address for replies about a ticket. */
  addressOf(ticketUid: string): string;
  /** The ticket of an address; null when its tag is not valid. */
  ticketOf(address: string): string | null;
};

/**
 * Turns `bonjour@cap.example` into `bonjour+<ticket>.<tag>@cap.example`; the first secret signs the
 * tag.
 */
export function replyAddresses(mailbox: string, secrets: readonly string[]): ReplyAddresses {
  const at = mailbox.lastIndexOf("@");
  const [name, domain] = [mailbox.slice(0, at), mailbox.slice(at + 1)];
  const keys = deriveKeys(secrets, "reply address");
  const [signing] = keys;
  if (!signing || at < 1) throw new Error("A reply address needs a secret and a mailbox");
  return {
    addressOf: (ticketUid) => `${name}+${ticketUid}.${tagOf(signing, ticketUid)}@${domain}`,
    ticketOf(address) {
      const text = address.trim().toLowerCase();
      const [start, end] = [`${name}+`.toLowerCase(), `@${domain}`.toLowerCase()];
      if (!text.startsWith(start) || !text.endsWith(end)) return null;
      const [, ticketUid = "", tag = ""] = TAGGED.exec(text.slice(start.length, -end.length)) ?? [];
      return keys.some((key) => isSame(tagOf(key, ticketUid), tag)) ? ticketUid : null;
    },
  };
}

function tagOf(key: Uint8Array, ticketUid: string) {
  const bytes = createHmac("sha256", key).update(ticketUid).digest().subarray(0, TAG_LENGTH);
  return Array.from(bytes, (byte) => DIGITS[byte % DIGITS.length]).join("");
}

function isSame(one: string, other: string) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
