import { KeptPage } from "./kept-page";
import { countMarks } from "./marked-bytes";

type Expected = {
  /** The only `Cache-Control` of a page that may be kept. */
  caching: "no-cache" | "private, no-cache";
  /** Headers that the page does not set itself. */
  defaults: readonly (readonly [string, string])[];
  /** The owner mark that each person gets replaced by their own. */
  mark?: string;
};

/**
 * The page of an answer that may be kept: whole, and without anything of a visitor's. No error, no cookie,
 * nothing unread.
 */
export async function keepable(
  response: Response,
  { caching, defaults, mark }: Expected,
): Promise<KeptPage | null> {
  const { status, headers } = response;
  const isWhole =
    status === 200 &&
    headers.get("content-type")?.startsWith("text/html") === true &&
    headers.get("cache-control") === caching &&
    !headers.has("set-cookie");
  if (!isWhole) return null;
  const body = new Uint8Array(await response.arrayBuffer());
  // Only one place is known to be that of a form.
  if (mark !== undefined && countMarks(body, mark) > 1) return null;
  for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value);
  headers.set("vary", "Cookie, Accept-Encoding");
  headers.delete("content-length");
  return new KeptPage(body, headers, mark);
}
