import { join } from "node:path";
import type { Database } from "../database/tables";
import type { Workers } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import { outboxFolder } from "./outbox-folder";
import { SENDING } from "./outbox";
import { pausingTransport } from "./pausing-transport";
import { senderOf } from "./sender";
import { sendingWorker } from "./sending";
import { smtpTransport } from "./smtp";

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  /** Undefined: mails become files in `dataDir/outbox`. */
  mailUrl?: string | undefined;
  mailFrom?: string | undefined;
  dataDir: string;
  siteTitle: string;
  siteUrl?: string | undefined;
};

export type Mails = { workers: Workers; close(): void };

/**
 * What takes the mails of the outbox away.
 * @throws Error in one line when the sender is no address
 */
export function mailsOf(options: Options): Mails {
  const { db, clock, log, mailUrl, dataDir } = options;
  const from = senderOf(options);
  const transport = mailUrl
    ? pausingTransport(smtpTransport(mailUrl), { clock, log })
    : outboxFolder(join(dataDir, "outbox"));
  return {
    workers: { [SENDING]: sendingWorker({ db, clock, log, transport, from }) },
    close: () => transport.close(),
  };
}
