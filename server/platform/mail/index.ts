import { join } from "node:path";
import type { Database } from "../database/tables";
import type { Workers } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import { createOutboxFolder } from "./outbox-folder";
import { SEND_MAIL } from "./outbox";
import { createPausingTransport } from "./pausing-transport";
import { readSender } from "./sender";
import { createSendingWorker, type TimedMails } from "./sending";
import { createSmtpTransport } from "./smtp";

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  /** When undefined, mails become files in `dataDir/outbox`. */
  mailUrl?: string | undefined;
  mailFrom?: string | undefined;
  dataDir: string;
  siteTitle: string;
  siteUrl?: string | undefined;
};

export type Mails = {
  createWorkers(timed: readonly TimedMails[]): Workers;
  /** Whether the mail server took nothing when it was tried last. */
  areStopped(): boolean;
  /** Whether jobs of this kind send mails, and none is to be sent now. */
  isPaused(kind: string): boolean;
  close(): void;
};

/**
 * Builds the transport of the outbox, and its worker on demand.
 * @throws Error in one line when the sender is not a valid address
 */
export function createMails(options: Options): Mails {
  const { db, clock, log, mailUrl, dataDir } = options;
  const from = readSender(options);
  const server = mailUrl && createPausingTransport(createSmtpTransport(mailUrl), { clock, log });
  const transport = server || createOutboxFolder(join(dataDir, "outbox"));
  return {
    createWorkers: (timed) => ({
      [SEND_MAIL]: createSendingWorker({ db, clock, log, transport, from, timed }),
    }),
    areStopped: () => (server ? server.isStopped() : false),
    isPaused: (kind) => (kind === SEND_MAIL && server ? server.isPaused() : false),
    close: () => transport.close(),
  };
}
