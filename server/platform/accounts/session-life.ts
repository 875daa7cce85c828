import { SESSION_SECONDS } from "../../../app/contract/limits";

/** Precision of `last_seen_at`: it is written at most once in this time. */
export const SEEN_EVERY_MS = 5 * 60_000;

/** ISO time: the token of a session last seen before it has expired. */
export const liveSince = (now: Date) =>
  new Date(now.getTime() - SESSION_SECONDS * 1000 - SEEN_EVERY_MS).toISOString();
