import { createHmac } from "node:crypto";
import { config } from "~/config.server";
import { keyOf } from "./seal.server";

/** Of a page made for nobody in particular: the same for all visitors, so that it can be kept for all. */
const NOBODY = "";

/**
 * The mark of a page's forms: whom the page was made for (`Session.person`). It is keyed, so that it
 * tells nothing of the person, and of no use anywhere else.
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

/** What a form's page did not know: who is signed in when the form comes. */
export type OtherOwner = {
  /** Null when the API could not tell whether the session still lives. */
  email: string | null;
  madeFor: "stranger" | "somebody";
};

/** Names the sentence that tells it, in `site.flash` and `forms.errors.owner`. */
export function otherOwnerKey({ email, madeFor }: OtherOwner) {
  if (email === null) return "otherOwner";
  return madeFor === "stranger" ? "signedInSince" : "otherAccount";
}

const digest = (person: string, secret: string) =>
  createHmac("sha256", keyOf(secret, "page mark")).update(person).digest("base64url").slice(0, 22);
