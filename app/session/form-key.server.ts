import { randomBytes } from "node:crypto";
import type { AppLoadContext } from "@remix-run/node";
import { standInOf } from "./stand-in.server";

/** The `Cache-Control` of a page with a form that is made for many: the host keeps it, no browser does. */
export const NO_STORE_OF_MANY = "no-store";

/** A new idempotency key: 22 characters, of which no two forms get the same. */
export const newFormKey = () => randomBytes(16).toString("base64url");

/**
 * The idempotency key of the form on a page. On a page that is made for many it stands for the keys that the
 * host puts in its place, a new one each time that it sends the page (docs/decisions/0041-kept-forms.md).
 * @throws Error on a page for a role, where two people would get the same key
 */
export function formKeyOf(context: AppLoadContext): string {
  if (standInOf(context)) throw new Error("A page that is kept for a role has no form with a key");
  return keyForMany(context) ?? newFormKey();
}

/** Whether the host makes the page for many visitors, none of whom has asked for it with a session. */
export const isForMany = (context: AppLoadContext) => keyForMany(context) !== undefined;

/** Only the host makes load contexts, so that no request can name a key. */
function keyForMany({ formKey }: AppLoadContext): string | undefined {
  if (formKey === undefined || typeof formKey === "string") return formKey;
  throw new Error("The load context has a form key that is no text");
}
