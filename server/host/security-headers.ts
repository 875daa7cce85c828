import type { Config } from "../../app/config.server";
import { contentSecurityPolicy } from "../../app/content-security-policy";
import type { HostMiddleware } from "./request";

type Settings = Pick<Config, "hsts" | "paymentOrigins">;

const DEFAULTS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const YEAR = `max-age=${365 * 24 * 3600}`;
const HSTS = {
  host: YEAR,
  includeSubDomains: `${YEAR}; includeSubDomains`,
  preload: `${YEAR}; includeSubDomains; preload`,
};

/**
 * Adds headers that the response does not set itself: a page with scripts has a policy with its
 * nonce.
 */
export function setSecurityHeaders(headersFor: SecurityHeaders): HostMiddleware {
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    for (const [name, value] of headersFor(context.req.url)) {
      if (!headers.has(name)) context.header(name, value);
    }
  };
}

/** The headers, names and values, of an answer at this URL or origin. */
export type SecurityHeaders = (url: string) => readonly (readonly [string, string])[];

export function securityHeaders({ hsts, paymentOrigins }: Settings): SecurityHeaders {
  const plain = Object.entries({
    ...DEFAULTS,
    "content-security-policy": contentSecurityPolicy({ paymentOrigins }),
  });
  const secure = [...plain, ["strict-transport-security", HSTS[hsts]] as const];
  return (url) => (url.startsWith("https:") ? secure : plain);
}
