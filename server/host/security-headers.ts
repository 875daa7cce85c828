import { contentSecurityPolicy } from "../../app/content-security-policy";
import { isHttps, type HostMiddleware } from "./request";

type Options = { siteUrl?: string | undefined; paymentOrigins: readonly string[] };

const DEFAULTS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
};
const HSTS = `max-age=${365 * 24 * 3600}`;

/** What a response says itself stays: a page that hydrates brings a policy with its nonce. */
export function securityHeaders({ siteUrl, paymentOrigins }: Options): HostMiddleware {
  const defaults = Object.entries({
    ...DEFAULTS,
    "content-security-policy": contentSecurityPolicy({ paymentOrigins }),
  });
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    for (const [name, value] of defaults) if (!headers.has(name)) context.header(name, value);
    if (isHttps(context, siteUrl)) context.header("strict-transport-security", HSTS);
  };
}
