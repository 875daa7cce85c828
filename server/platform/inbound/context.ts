import type { SupportContext } from "../support/context";
import type { MailReader } from "./reader";

/** What mails that come in are taken in with. */
export type InboundContext = SupportContext & {
  reader: MailReader;
  /** Addresses that this site writes from, in lower case: what comes from them is an echo. */
  own: readonly string[];
};
