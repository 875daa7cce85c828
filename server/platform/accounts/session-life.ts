import { TOKEN_LIFETIME_SECONDS } from "./tokens";

/** How exact `last_seen_at` is: one write in that time, however many calls. */
export const SEEN_EVERY_MS = 5 * 60_000;

/** Sessions last seen before then have no token any more that is good; as ISO text. */
export const liveSince = (now: Date) =>
  new Date(now.getTime() - TOKEN_LIFETIME_SECONDS * 1000 - SEEN_EVERY_MS).toISOString();
