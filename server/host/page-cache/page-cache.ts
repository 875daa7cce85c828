import { LRUCache } from "lru-cache";
import { dayOf } from "../../../app/contract/day";
import { KeptPage } from "./kept-page";
import type { Unkept } from "./keepable";

/** What changes with time alone, such as a text that applies from today, is at most this old. */
const FRESH_MS = 10_000;
/** A page of that age is still shown while it is made anew; an older one is not. */
const STALE_MS = 5 * 60_000;
const MAX_BYTES = 24 * 1024 * 1024;
/** Pages that are made anew beside the requests of visitors. */
const MAX_REFRESHES = 2;

/** `day`: what a page shows of a date is that of the day on which it was made. */
type Entry = { page: KeptPage; revision: string; day: string; freshUntil: number };

type Options = {
  /** Changes with each change of what pages show. */
  revision: () => string;
  now?: () => number;
  maxBytes?: number;
};

type Made = KeptPage | Unkept;
type Make = () => Promise<Made>;

/** Pages by their address. Each is made by one request at a time. */
export class PageCache {
  readonly #revision: () => string;
  readonly #now: () => number;
  readonly #entries: LRUCache<string, Entry>;
  readonly #making = new Map<string, Promise<Made>>();
  #refreshes = 0;
  #compressing = Promise.resolve();
  #today = { minute: -1, day: "" };

  constructor({ revision, now = Date.now, maxBytes = MAX_BYTES }: Options) {
    this.#revision = revision;
    this.#now = now;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      // A page of 1 MB would drive out dozens.
      maxEntrySize: maxBytes / 24,
      sizeCalculation: ({ page }, address) => page.size + 2 * address.length,
    });
  }

  get pages() {
    return this.#entries.size;
  }

  get bytes() {
    return this.#entries.calculatedSize;
  }

  /** The page of this address, unless it is too old or from before the last change or midnight. */
  find(address: string): { page: KeptPage; isFresh: boolean } | null {
    const entry = this.#entries.get(address);
    if (entry?.revision !== this.#revision() || entry.day !== this.#day()) return null;
    const age = this.#now() - entry.freshUntil;
    return age > STALE_MS ? null : { page: entry.page, isFresh: age < 0 };
  }

  /**
   * Makes a page, and keeps it if it may be kept. Requests that come meanwhile wait for the same one.
   */
  make(address: string, make: Make): Promise<Made> {
    const running = this.#making.get(address);
    if (running) return running;
    const made = this.#make(address, make).finally(() => this.#making.delete(address));
    this.#making.set(address, made);
    return made;
  }

  /** Makes a page anew in the background. What fails there is tried again by the next request. */
  refresh(address: string, make: Make) {
    if (this.#refreshes >= MAX_REFRESHES || this.#making.has(address)) return;
    this.#refreshes++;
    const over = () => void this.#refreshes--;
    this.make(address, make).then(over, over);
  }

  /** Compresses a page that is asked for again, one page after the other. */
  compress(address: string, page: KeptPage) {
    if (page.isCompressed) return;
    const compressOne = async () => {
      const entry = this.#entries.peek(address);
      if (entry?.page !== page || page.isCompressed) return;
      await page.compress();
      // Set again, because it is larger now.
      if (this.#entries.peek(address) === entry) this.#entries.set(address, { ...entry });
    };
    // A page that could not be compressed is sent as others that are not kept, and tried again.
    this.#compressing = this.#compressing.then(compressOne).catch(() => undefined);
  }

  async #make(address: string, make: Make) {
    // Read before the page is made: what changes meanwhile makes it old at once.
    const [revision, day] = [this.#revision(), this.#day()];
    const made = await make();
    if (!(made instanceof KeptPage)) {
      // While a page cannot be made, the one from before is shown until it is too old.
      if (made.status < 500) this.#entries.delete(address);
      return made;
    }
    const known = this.#entries.peek(address);
    // The same text is compressed already.
    const page = known?.page.digest === made.digest ? known.page : made;
    this.#entries.set(address, { page, revision, day, freshUntil: this.#now() + FRESH_MS });
    return page;
  }

  /**
   * The day in Paris. It is computed once a minute, because that takes as long as the rest of an answer. A day begins
   * with a minute, so the result is never out of date.
   */
  #day(): string {
    const now = this.#now();
    const minute = Math.floor(now / 60_000);
    if (this.#today.minute !== minute) this.#today = { minute, day: dayOf(new Date(now)) };
    return this.#today.day;
  }
}
