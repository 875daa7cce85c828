import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { ErrorLevel, SitemapIndexStream, SitemapStream, streamToPromise } from "sitemap";
import { filePaths } from "~/paths";
import { oneAtATime } from "./one-at-a-time";
import type { PublicAddress } from "./public-addresses.server";

/** A fifth of what the protocol allows: one megabyte of text. */
export const ADDRESSES_PER_PART = 10_000;
/** The event loop has a turn after as many addresses: about 5 ms. */
const ADDRESSES_PER_TURN = 500;
const MAX_KEPT = 16;

type Addresses = readonly PublicAddress[];

const kept = new LRUCache<string, { of: Addresses; text: string }>({ max: MAX_KEPT });
const inTurn = oneAtATime();

/** The sitemap: all addresses, or the index of its parts when there are too many for one. */
export function sitemap(addresses: Addresses, origin: string): Promise<string> {
  if (addresses.length <= ADDRESSES_PER_PART) return keptPart(addresses, 1, origin);
  const count = Math.ceil(addresses.length / ADDRESSES_PER_PART);
  const parts = Array.from({ length: count }, (_, index) => ({
    url: origin + filePaths.sitemapPart(index + 1),
  }));
  const index = new SitemapIndexStream({ level: ErrorLevel.THROW });
  return textOf(Readable.from(parts).pipe(index));
}

/** A part that the index names. Null for any other number. */
export async function sitemapPart(addresses: Addresses, number: number, origin: string) {
  const count = Math.ceil(addresses.length / ADDRESSES_PER_PART);
  const isNamed = count > 1 && number >= 1 && number <= count;
  return isNamed ? keptPart(addresses, number, origin) : null;
}

/** One part is written at a time, and kept as long as the addresses are the same. */
function keptPart(addresses: Addresses, number: number, origin: string): Promise<string> {
  return inTurn(async () => {
    const key = `${number} ${origin}`;
    const known = kept.get(key);
    if (known?.of === addresses) return known.text;
    const start = (number - 1) * ADDRESSES_PER_PART;
    const text = await renderPart(addresses.slice(start, start + ADDRESSES_PER_PART), origin);
    kept.set(key, { of: addresses, text });
    return text;
  });
}

const PLAIN = { news: false, video: false, image: false, xhtml: false };

function renderPart(addresses: Addresses, origin: string): Promise<string> {
  const stream = new SitemapStream({ xmlns: PLAIN, level: ErrorLevel.THROW });
  return textOf(Readable.from(items(addresses, origin)).pipe(stream));
}

async function* items(addresses: Addresses, origin: string) {
  for (const [index, { path, changed }] of addresses.entries()) {
    if (index % ADDRESSES_PER_TURN === 0) await setImmediate();
    yield { url: origin + path, ...(changed && { lastmod: changed }) };
  }
}

const textOf = async (stream: Readable) => (await streamToPromise(stream)).toString("utf8");
