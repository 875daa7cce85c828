import { createAccounts } from "./accounts";
import type { Context } from "./ports/context";
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
import { openMailbox } from "./inbound";
import { keyedSubjects } from "./limits/subject";
import { mailsOf, type Mails } from "./mail";
import { noticesOf } from "./notices";
import { paymentsOf, type Payments } from "./payments";
import { systemClock, type Clock } from "./ports/clock";
import type { Log } from "./ports/log";
import { SandboxClock } from "./ports/sandbox-clock";
import type { SandboxOptions } from "./payments/sandbox/notifier";
import type { StripeOptions } from "./payments/stripe/client";
import { beginRetention, retentionWorkers } from "./retention";
import { checkDefaultFormula } from "./offers/default-formula";
import { offerHandlers } from "./offers/handlers";
import { seedOffers } from "./offers/seed";
import { purchaseHandlers } from "./purchases/handlers";
import { warnOfLostSecret } from "./secret-marks";
import { subscriptionsOf } from "./subscriptions";
import { supportOf } from "./support";

export type PlatformOptions = {
  databaseUrl?: string | undefined;
  dataDir: string;
  /** Markdown imported when the database is new. */
  contentDir: string;
  siteTitle: string;
  siteUrl?: string | undefined;
  /** Formula of the plain registration; where it is named, it has to be there. */
  defaultFormula?: string | undefined;
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
  /** Begins no more work in the background; resolves once what is under way has ended. */
  stopWork(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the embedded API: database, schema, demo content, jobs.
 * @throws Error in one sentence when the database or the payment provider cannot be used
 */
export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  const base = await openBase(options);
  const { db, payments, mails } = base;
  const { handlers, lanes, authenticate, support } = partsOf(options, base);
  const { log, siteTitle, siteUrl } = options;
  const app = serveApi({ handlers, authenticate, siteUrl, log });
  app.get("/api/openapi.json", (context) =>
    context.json(openApi(siteTitle, siteUrl ?? new URL(context.req.url).origin)),
  );
  app.route(payments.path, payments.pages);
  const work = { ...base, log, lanes };
  const jobs = options.jobs ? startJobs(work) : null;
  const mailbox = options.jobs ? openMailbox({ ...options, support }) : null;
  const stopWork = async () => {
    await Promise.all([jobs?.stop(), mailbox?.close()]);
  };
  return {
    fetch: async (request) => app.fetch(request),
    ready: () => databaseAnswers(db),
    runDueJobs: () => runThrough(work),
    database: db,
    stopWork,
    async close() {
      await stopWork();
      mails.close();
      await db.destroy();
    },
  };
}

type Base = { db: Database; clock: Clock; payments: Payments; mails: Mails };

/** What may fail: closes the database again when it does. */
async function openBase(options: PlatformOptions): Promise<Base> {
  const { log, secrets, siteTitle, sandbox, stripe } = options;
  const db = await openDatabase(options);
  const clock = options.clock ?? (stripe ? systemClock : new SandboxClock(db));
  try {
    await migrate(db);
    await seedContent(db, options.contentDir);
    await seedOffers(db);
    if (options.defaultFormula) await checkDefaultFormula(db, options.defaultFormula);
    await clock.catchUp?.();
    await warnOfLostSecret({ db, clock, log, secrets });
    await beginRetention({ db, clock });
    const payments = await paymentsOf({ db, clock, log, secrets, siteTitle, sandbox, stripe });
    return { db, clock, payments, mails: mailsOf({ ...options, db, clock }) };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** The parts of the product: what each answers, and what it does in the background. */
function partsOf(options: PlatformOptions, { db, clock, payments, mails }: Base) {
  const { log, secrets, stripe, activationDelaySeconds, mailReplyTo } = options;
  const daySeconds = stripe ? undefined : options.renewalDaySeconds;
  const site = { title: options.siteTitle, url: options.siteUrl ?? null };
  const subjects = keyedSubjects(secrets);
  const context: Context = { db, clock, log, site };
  const accounts = createAccounts({ ...context, secrets });
  const subscriptions = subscriptionsOf({
    ...context,
    payments,
    activationDelaySeconds,
    daySeconds,
    subjects,
  });
  const notices = noticesOf(subscriptions.context);
  const support = supportOf({ ...context, secrets, mailReplyTo });
  return {
    authenticate: accounts.authenticate,
    support: support.context,
    handlers: {
      ...contentHandlers({ db }),
      ...accounts.handlers,
      ...exportHandlers({ db, clock, subjects }),
      ...offerHandlers({ db }),
      ...purchaseHandlers(subscriptions.context),
      ...subscriptions.handlers,
      ...notices.handlers,
      ...support.handlers,
      ...deskOf(support.context).handlers,
    },
    lanes: [
      mails.workers,
      // What the provider tells is not kept waiting by what it is asked.
      payments.workers,
      subscriptions.chargingWorkers,
      {
        ...retentionWorkers({ db, clock, subjects }),
        ...accounts.workers,
        ...subscriptions.workers,
        ...notices.workers,
        ...support.workers,
      },
    ],
  };
}
