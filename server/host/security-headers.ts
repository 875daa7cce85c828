import type { Config } from "../../app/config.server";
import { contentSecurityPolicy } from "../../app/content-security-policy";
import type { HostMiddleware } from "./request";

type Settings = Pick<Config, "hsts" | "paymentOrigins">;

const DEFAULTS = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/** What only a document obeys. On each script, style and font it would be 400 bytes for nothing. */
const OF_DOCUMENTS = {
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
};

const PARTS_OF_PAGES = /^(?:text\/(?:css|javascript)|font\/)/;

const YEAR = `max-age=${365 * 24 * 3600}`;
const HSTS = {
  host: YEAR,
  includeSubDomains: `${YEAR}; includeSubDomains`,
  preload: `${YEAR}; includeSubDomains; preload`,
};

/** Adds headers that the response does not set itself. */
export function securityHeaders({ hsts, paymentOrigins }: Settings): HostMiddleware {
  const ofDocuments = {
    ...DEFAULTS,
    ...OF_DOCUMENTS,
    "content-security-policy": contentSecurityPolicy({ paymentOrigins }),
  };
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    const isPart = PARTS_OF_PAGES.test(headers.get("content-type") ?? "");
    const defaults = Object.entries(isPart ? DEFAULTS : ofDocuments);
    for (const [name, value] of defaults) if (!headers.has(name)) context.header(name, value);
    if (context.req.url.startsWith("https:")) {
      context.header("strict-transport-security", HSTS[hsts]);
    }
  };
}
