import { createHash } from "node:crypto";
import { DEFAULT_WAIT_SECONDS } from "~/contract/limits";

type Content = {
  type: "application/atom+xml" | "application/xml" | "text/plain";
  text: string;
  maxAgeSeconds: number;
};

/** A text that is the same for everybody. The host compares its tag with that of who asks. */
export const publicText = ({ type, text, maxAgeSeconds }: Content) =>
  new Response(text, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": `public, max-age=${maxAgeSeconds}`,
      etag: `W/"${createHash("sha256").update(text).digest("base64url")}"`,
    },
  });

export const missing = () => refusal(404, "Not found");

/** An empty list would tell search engines and feed readers that all articles are gone. */
export const unreadable = () =>
  refusal(502, "The API does not answer", { "retry-after": String(DEFAULT_WAIT_SECONDS) });

const refusal = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Response(`${text}\n`, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      ...headers,
    },
  });
