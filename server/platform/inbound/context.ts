import type { Log } from "../ports/log";
import type { World } from "../support/world";

/** What mails that come in are taken in with. */
export type InboundWorld = {
  support: World;
  log: Log;
  /** Addresses that this site writes from, in lower case: what comes from them is an echo. */
  own: readonly string[];
};
