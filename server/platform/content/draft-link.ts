import { createHmac, timingSafeEqual } from "node:crypto";
import { DAY_MS } from "../ports/durations";
import { deriveKeys } from "../ports/keys";

/** Days for which the link to an unpublished article opens it. */
export const DRAFT_LINK_DAYS = 7;

export type DraftLinks = {
  /** The token of a link that opens the article from now on. */
  tokenOf(uid: string, now: Date): string;
  isValid(uid: string, token: string, now: Date): boolean;
};

/** Address of the page that shows an unpublished article; app/paths.ts is the table of the site itself. */
export const draftPath = (uid: string, token: string) => `/drafts/${uid}?token=${token}`;

/** Signs links to unpublished articles: end of validity in milliseconds, and a mark of it and the uid. */
export function draftLinks(secrets: readonly string[]): DraftLinks {
  const keys = deriveKeys(secrets, "draft link");
  const [signing] = keys;
  if (!signing) throw new Error("A link to a draft needs a secret");
  return {
    tokenOf(uid, now) {
      const end = String(now.getTime() + DRAFT_LINK_DAYS * DAY_MS);
      return `${end}.${markOf(signing, uid, end)}`;
    },
    isValid(uid, token, now) {
      const [end = "", mark = ""] = token.split(".");
      return (
        /^\d{1,15}$/.test(end) &&
        Number(end) > now.getTime() &&
        keys.some((key) => isSame(markOf(key, uid, end), mark))
      );
    },
  };
}

const markOf = (key: Uint8Array, uid: string, end: string) =>
  createHmac("sha256", key).update(`${uid} ${end}`).digest("base64url");

function isSame(one: string, other: string) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
