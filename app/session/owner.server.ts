import { createHmac } from "node:crypto";
import { config } from "~/config.server";
import { keyOf } from "./seal.server";

/** All marks have this length (characters of base64url): the host replaces one by another in a page that is made. */
export const MARK_LENGTH = 22;

/** Mark of a page for visitors. It is the same for all of them, so that the page can be cached. */
const NOBODY = "";

/**
 * The mark of a page's forms: the person for whom the page was made (`Session.person`). It is a keyed
 * digest, so that it reveals nothing about the person and is useless elsewhere.
 */
export function pageMark(person: string | undefined): string {
  const [newest = ""] = config().secrets;
  return person === undefined ? NOBODY : digest(person, newest);
}

/** Whether a page with this mark was made for this person, also before a secret was replaced. */
export function isMarkOf(mark: string, person: string | undefined): boolean {
  if (person === undefined) return mark === NOBODY;
  return config().secrets.some((secret) => digest(person, secret) === mark);
}

/** The person who is signed in when a form arrives that was made for another one. */
export type OtherOwner = {
  /** Null when the API could not tell whether the session still lives. */
  email: string | null;
  madeFor: "stranger" | "somebody";
};

/** The key of the sentence for this case, in `flash` and `forms.errors.owner`. */
export function otherOwnerKey({ email, madeFor }: OtherOwner) {
  if (email === null) return "otherOwner";
  return madeFor === "stranger" ? "signedInSince" : "otherAccount";
}

const digest = (person: string, secret: string) =>
  createHmac("sha256", keyOf(secret, "page mark"))
    .update(person)
    .digest("base64url")
    .slice(0, MARK_LENGTH);
