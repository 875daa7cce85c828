import { createHmac } from "node:crypto";
import { hashSecret } from "../../ports/ids";
import type { Page } from "./store";

const PATH = "/api/sandbox/pay";

/**
 * Derives the secret of a page from its uid and a key. The URL can thus be rebuilt although only
 * the hash of the secret is stored.
 */
export const secretOf = (key: Uint8Array, pageUid: string) =>
  createHmac("sha256", key).update(pageUid).digest("base64url");

/** The bank's page is on the merchant's own origin. */
const addressOf = (secret: string, returnUrl: string) =>
  `${new URL(returnUrl).origin}${PATH}/${secret}`;

/** Finds the URL of a page; null when its key is no longer in use. */
export function findAddress(keys: readonly Uint8Array[], page: Page): string | null {
  const secrets = keys.map((key) => secretOf(key, page.uid));
  const secret = secrets.find((candidate) => hashSecret(candidate) === page.secret_hash);
  return secret ? addressOf(secret, page.return_url) : null;
}

/** Builds the return URL of a finished page; only a paid page is a success. */
export function returnUrlOf(page: { return_url: string; status: string }): string {
  const url = new URL(page.return_url);
  url.searchParams.set("success", page.status === "paid" ? "1" : "0");
  return url.href;
}
