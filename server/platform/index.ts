import { accountsOf } from "./accounts";
import { contentHandlers } from "./content/handlers";
import { seedContent } from "./content/seed";
import { databaseAnswers, openDatabase } from "./database/connection";
import { migrate } from "./database/migrate";
import type { Database } from "./database/tables";
import { deskOf } from "./desk";
import { exportHandlers } from "./export";
import { openApi } from "./http/openapi";
import { serveApi } from "./http/serve";
import { runThrough, startJobs } from "./jobs/runner";
import { inboundWorld } from "./inbound";
import { mailboxLease } from "./inbound/lease";
import { watchMailbox } from "./inbound/mailbox";
import { receiveMail } from "./inbound/receive-mail";
import { limitWorkers } from "./limits/purge";
import { mailsOf, type Mails } from "./mail";
import { noticesOf } from "./notices";
import { paymentsOf, type Payments } from "./payments";
import { systemClock, type Clock } from "./ports/clock";
import type { Log } from "./ports/log";
import { SandboxClock } from "./ports/sandbox-clock";
import type { SandboxOptions } from "./payments/sandbox/notifier";
import type { StripeOptions } from "./payments/stripe/client";
import { seedSubscriptions, subscriptionsOf } from "./subscriptions";
import { supportOf } from "./support";

export type PlatformOptions = {
  databaseUrl?: string | undefined;
  dataDir: string;
  /** Markdown imported when the database is new. */
  contentDir: string;
  siteTitle: string;
  siteUrl?: string | undefined;
  /** The first signs; all are accepted. */
  secrets: readonly string[];
  /** Sandbox only: between payment and the role `vip`. */
  activationDelaySeconds: number;
  /** Sandbox only: seconds that a day of a subscription lasts; by default a day. */
  renewalDaySeconds?: number | undefined;
  /** How the sandbox bank misbehaves. */
  sandbox?: SandboxOptions | undefined;
  /** Takes real payments instead of the sandbox bank's. */
  stripe?: StripeOptions | undefined;
  /** `smtp://…`; without it mails become files in `dataDir/outbox`. */
  mailUrl?: string | undefined;
  /** By default the site at its own host. */
  mailFrom?: string | undefined;
  /** Mailbox that takes answers to mails about tickets; without it they name no such address. */
  mailReplyTo?: string | undefined;
  /** `imaps://…`: where those answers are fetched from, by whichever process runs jobs. */
  mailInboxUrl?: string | undefined;
  clock?: Clock;
  log: Log;
  /** Work through the job table in the background. */
  jobs: boolean;
};

export type Platform = {
  /** Answers `/api/…`. */
  fetch(request: Request): Promise<Response>;
  /** Whether the database answers now. */
  ready(): Promise<boolean>;
  /** Does what is due; for tests and commands that move the clock. */
  runDueJobs(): Promise<number>;
  database: Database;
  close(): Promise<void>;
};

/**
 * Opens the embedded API: database, schema, demo content, jobs.
 * @throws Error in one sentence when the database or the payment provider cannot be used
 */
export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  const { log } = options;
  const { secrets, sandbox, stripe } = options;
  const db = await openDatabase(options);
  const clock = options.clock ?? (stripe ? systemClock : new SandboxClock(db));
  let payments: Payments;
  let mails: Mails;
  try {
    await migrate(db);
    await seedContent(db, options.contentDir);
    await seedSubscriptions(db);
    await clock.catchUp?.();
    payments = await paymentsOf({ db, clock, log, secrets, sandbox, stripe });
    mails = mailsOf({ ...options, db, clock });
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const site = { title: options.siteTitle, url: options.siteUrl ?? null };
  const accounts = accountsOf({ db, clock, secrets, site });
  const subscriptions = subscriptionsOf({
    db,
    clock,
    log,
    payments,
    activationDelaySeconds: options.activationDelaySeconds,
    daySeconds: stripe ? undefined : options.renewalDaySeconds,
    site,
  });
  const notices = noticesOf(subscriptions.world);
  const support = supportOf({ db, clock, site, secrets, mailReplyTo: options.mailReplyTo });
  const work = {
    db,
    clock,
    log,
    workers: {
      ...payments.workers,
      ...limitWorkers(db),
      ...accounts.workers,
      ...subscriptions.workers,
      ...notices.workers,
      ...support.workers,
      ...mails.workers,
    },
  };
  const handlers = {
    ...contentHandlers({ db }),
    ...accounts.handlers,
    ...exportHandlers({ db, clock }),
    ...subscriptions.handlers,
    ...notices.handlers,
    ...support.handlers,
    ...deskOf(support.world).handlers,
  };
  const app = serveApi({
    handlers,
    authenticate: accounts.authenticate,
    siteUrl: options.siteUrl,
    log,
  });
  app.get("/api/openapi.json", (context) =>
    context.json(openApi(options.siteTitle, options.siteUrl ?? new URL(context.req.url).origin)),
  );
  app.route(payments.path, payments.pages);
  const jobs = options.jobs ? startJobs(work) : null;
  const { jobs: fetches, mailInboxUrl } = options;
  const inbound = inboundWorld({ ...options, support: support.world });
  const mailbox =
    fetches && mailInboxUrl
      ? watchMailbox({
          ...{ inboxUrl: mailInboxUrl, lease: mailboxLease(db, clock), log },
          receive: (raw) => receiveMail(inbound, raw),
        })
      : null;
  return {
    fetch: async (request) => app.fetch(request),
    ready: () => databaseAnswers(db),
    runDueJobs: () => runThrough(work),
    database: db,
    async close() {
      await Promise.all([jobs?.stop(), mailbox?.close()]);
      mails.close();
      await db.destroy();
    },
  };
}
