import type { Log } from "../ports/log";
import type { World } from "../support/world";
import type { MailReader } from "./reader";

/** What mails that come in are taken in with. */
export type InboundContext = {
  support: World;
  log: Log;
  reader: MailReader;
  /** Addresses that this site writes from, in lower case: what comes from them is an echo. */
  own: readonly string[];
};
