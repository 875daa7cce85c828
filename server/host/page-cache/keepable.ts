import { KeptPage } from "./kept-page";
import { countMarks, fillPlain, splitAtMarks, type Bytes, type Fill } from "./marked-bytes";

type Expected = {
  /** The only `Cache-Control` of a page that may be kept. */
  caching: readonly string[];
  /** Headers that the page does not set itself. */
  defaults: readonly (readonly [string, string])[];
  /** Placeholder on the page for what differs from person to person: an owner mark, or the key of a form. */
  mark: string;
  /** Most placeholders on a kept page. A page with more is not kept: not all may stand in forms. */
  places: number;
};

/** An answer that is not kept. Those who waited for it get it with the mark of their own. */
export type Unkept = { status: number; headers: Headers; fill: Fill };

/**
 * The page of an answer that may be kept: whole, and without anything of a visitor's. No error, no cookie,
 * nothing unread.
 */
export async function keepable(
  response: Response,
  { caching, defaults, mark, places }: Expected,
): Promise<KeptPage | Unkept> {
  const { status, headers } = response;
  const body: Bytes = new Uint8Array(await response.arrayBuffer());
  const isWhole =
    status === 200 &&
    headers.get("content-type")?.startsWith("text/html") === true &&
    caching.includes(headers.get("cache-control") ?? "") &&
    !headers.has("set-cookie");
  headers.delete("content-length");
  if (!isWhole || countMarks(body, mark) > places) {
    return { status, headers, fill: fillOf(body, mark) };
  }
  for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value);
  headers.set("vary", "Cookie, Accept-Encoding, Save-Data");
  return new KeptPage(body, headers, mark);
}

function fillOf(body: Bytes, mark: string): Fill {
  const texts = splitAtMarks(body, mark);
  return texts ? fillPlain(texts) : () => body;
}
