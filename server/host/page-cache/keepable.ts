import { KeptPage } from "./kept-page";
import { countMarks, type Bytes } from "./marked-bytes";

type Expected = {
  /** The only `Cache-Control` of a page that may be kept. */
  caching: "no-cache" | "private, no-cache";
  /** Headers that the page does not set itself. */
  defaults: readonly (readonly [string, string])[];
  /** The owner mark that each person gets replaced by their own. */
  mark?: string;
};

/** An answer that is not kept, as it was made. */
export type Unkept = { status: number; headers: Headers; body: Bytes };

/**
 * The page of an answer that may be kept: whole, and without anything of a visitor's. No error, no cookie,
 * nothing unread.
 */
export async function keepable(
  response: Response,
  { caching, defaults, mark }: Expected,
): Promise<KeptPage | Unkept> {
  const { status, headers } = response;
  const body = new Uint8Array(await response.arrayBuffer());
  const isWhole =
    status === 200 &&
    headers.get("content-type")?.startsWith("text/html") === true &&
    headers.get("cache-control") === caching &&
    !headers.has("set-cookie");
  // Only one place is known to be that of a form.
  const hasOnePlace = mark === undefined || countMarks(body, mark) <= 1;
  if (!isWhole || !hasOnePlace) return { status, headers, body };
  for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value);
  headers.set("vary", "Cookie, Accept-Encoding");
  headers.delete("content-length");
  return new KeptPage(body, headers, mark);
}
