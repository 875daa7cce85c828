import { createHmac } from "node:crypto";
import { hashSecret } from "../../ports/ids";
import type { Page } from "./store";

const PATH = "/api/sandbox/pay";

/**
 * A page's secret: 256 bits nobody can guess without the key. Made from the page's uid, so that the
 * same page can be shown again although only the secret's hash is stored.
 */
export const secretOf = (key: Uint8Array, pageUid: string) =>
  createHmac("sha256", key).update(pageUid).digest("base64url");

/** The bank answers on the merchant's own origin. */
const addressOf = (secret: string, returnUrl: string) =>
  `${new URL(returnUrl).origin}${PATH}/${secret}`;

/** Null when the key that made the address is no longer in use. */
export function findAddress(keys: readonly Uint8Array[], page: Page): string | null {
  const secrets = keys.map((key) => secretOf(key, page.uid));
  const secret = secrets.find((candidate) => hashSecret(candidate) === page.secret_hash);
  return secret ? addressOf(secret, page.return_url) : null;
}

/** Where the browser goes once the page is over; only what is paid counts as success. */
export function wayBack(page: { return_url: string; status: string }): string {
  const url = new URL(page.return_url);
  url.searchParams.set("success", page.status === "paid" ? "1" : "0");
  return url.href;
}
