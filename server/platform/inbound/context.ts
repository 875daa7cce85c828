import type { SupportContext } from "../support/context";
import type { MailReader } from "./reader";

/** Dependencies of receiving mails. */
export type InboundContext = SupportContext & {
  reader: MailReader;
  /** Sender addresses of this site, in lower case: mails from them are echoes. */
  ownAddresses: readonly string[];
};
