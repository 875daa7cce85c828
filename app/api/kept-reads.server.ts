import { LRUCache } from "lru-cache";
import type { FAILED } from "./read-result";
import { contentRevision } from "./transport.server";

type Read<T> = { kind: "found"; value: T } | typeof FAILED;
type Kept<T> = { read: Promise<Read<T>>; isRunning: boolean; until: number; revision: string };

/**
 * Keeps what was read from the API for everybody until the content changes, and for `lifetimeMs` where the
 * API does not tell. A key is read once at a time: who asks meanwhile waits for that read. What failed is
 * not kept.
 */
export function keepReads<T>({ lifetimeMs, max }: { lifetimeMs: number; max: number }) {
  const kept = new LRUCache<string, Kept<T>>({ max });
  return async (key: string, load: () => Promise<Read<T>>): Promise<Read<T>> => {
    const revision = await contentRevision();
    const known = kept.get(key);
    const isCurrent = known && known.until > Date.now() && known.revision === revision;
    if (known && (isCurrent || known.isRunning)) return known.read;
    const until = Date.now() + lifetimeMs;
    const entry: Kept<T> = { read: load(), isRunning: true, until, revision };
    kept.set(key, entry);
    const forget = () => kept.get(key) === entry && kept.delete(key);
    const settle = ({ kind }: Read<T>) => {
      entry.isRunning = false;
      if (kind === "failed") forget();
    };
    entry.read.then(settle, forget);
    return entry.read;
  };
}
