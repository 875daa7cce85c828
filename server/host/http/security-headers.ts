import type { Config } from "../../../app/config.server";
import { contentSecurityPolicy } from "../../../app/content-security-policy";
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

type Pair = readonly [name: string, value: string];

/** The headers of an answer of this content type at this URL or origin. */
export type SecurityHeaders = (url: string, contentType: string | null) => readonly Pair[];

/** Adds headers that the response does not set itself. */
export function setSecurityHeaders(headersFor: SecurityHeaders): HostMiddleware {
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    for (const [name, value] of headersFor(context.req.url, headers.get("content-type"))) {
      if (!headers.has(name)) headers.set(name, value);
    }
  };
}

export function securityHeaders({ hsts, paymentOrigins }: Settings): SecurityHeaders {
  const transport: Pair = ["strict-transport-security", HSTS[hsts]];
  const ofParts = withTransport(Object.entries(DEFAULTS), transport);
  const documents = {
    ...DEFAULTS,
    ...OF_DOCUMENTS,
    "content-security-policy": contentSecurityPolicy({ paymentOrigins }),
  };
  const ofDocuments = withTransport(Object.entries(documents), transport);
  return (url, contentType) => {
    const found = PARTS_OF_PAGES.test(contentType ?? "") ? ofParts : ofDocuments;
    return url.startsWith("https:") ? found.secure : found.plain;
  };
}

const withTransport = (plain: readonly Pair[], transport: Pair) => ({
  plain,
  secure: [...plain, transport],
});
