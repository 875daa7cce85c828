import { createAccounts } from "./accounts";
import { readMetadata } from "./accounts/metadata";
import type { Context } from "./database/context";
import { contentHandlers } from "./content/handlers";
import { configuredSite, readIdentity, type KnownIdentity } from "./content/identity";
import {
  refuseDemoNames,
  refusePlainAddress,
  refuseUnsentMails,
  warnOfDemoNames,
} from "./content/identity-check";
import { draftLinks } from "./content/draft-link";
import { storedImages, reportingImages, type Images } from "./content/images/find";
import { publishDue } from "./content/import";
import { recordTerms, RECORD_TERMS } from "./content/terms";
import { PUBLISH } from "./content/waiting";
import { followRelease } from "./content/release-pages";
import { openDatabase } from "./database/connection";
import { copyBeforeMigrations, removeOldCopies } from "./database/copy";
import { watchOutages, type OutageWatch } from "./database/outage";
import { createProbe } from "./database/probe";
import { connectionsOf, type Connections } from "./database/postgres";
import { contentRevision, type ContentRevision } from "./database/content-revision";
import { isNewDatabase } from "./database/migrate";
import type { Database } from "./database/tables";
import { createDesk } from "./desk";
import { exportHandlers } from "./export";
import type { Answered } from "./http/answer";
import { answerDirectly, type DirectCall } from "./http/direct";
import { openApiAnswer } from "./http/openapi";
import { serveApi } from "./http/serve";
import { callTurns } from "./http/turns";
import type { Authenticate } from "./http/types";
import { runThrough, startJobs } from "./jobs/runner";
import { openMailbox } from "./inbound";

import { keyedSubjects } from "./limits/subject";
import { MAIL_LANES } from "./mail/lanes";
import { createMails, type Mails } from "./mail";
import { createNotices } from "./notices";
import { openPayments, type Payments } from "./payments";
import { systemClock, type Clock } from "./ports/clock";
import { DAY_MS } from "./ports/durations";
import type { Log } from "./ports/log";
import { SandboxClock } from "./database/sandbox-clock";
import type { SandboxOptions } from "./payments/sandbox/notifier";
import type { StripeOptions } from "./payments/stripe/client";
import { isLiveKey } from "./payments/stripe/live-key";
import { scheduleFirstPurge, retentionWorkers } from "./retention";
import { warnOfUnsellable } from "./offers/catalogue";
import { offerHandlers } from "./offers/handlers";
import { prepareDatabase } from "./prepare";
import { fillSellers } from "./money/receipt-seller";
import { purchaseHandlers } from "./purchases/handlers";
import { warnOfLostDatabase } from "./lost-database";
import { warnOfLostSecret } from "./secret-marks";
import { createSubscriptions } from "./subscriptions";
import { createSupport } from "./support";
import { readWaiting, type Waiting } from "./waiting";

export type PlatformOptions = {
  databaseUrl?: string | undefined;
  dataDir: string;
  /** Markdown of the product, imported when the database is new. */
  contentDir: string;
  /** The owner's Markdown, in place of the demonstration. */
  ownContentDir?: string | undefined;
  siteTitle: string;
  siteUrl?: string | undefined;
  /** Formula of the plain registration; when given, it must be sold without a traffic token. */
  defaultFormula?: string | undefined;
  /** YAML that names seller, publisher, host and mediator; without it pages hold demonstration values. */
  identityFile?: string | undefined;
  /** The first signs; all are accepted. */
  secrets: readonly string[];
  /** Sandbox only: seconds between payment and the role `vip`. */
  activationDelaySeconds: number;
  /** Sandbox only: length of a subscription's day in seconds; by default a real day. */
  renewalDaySeconds?: number | undefined;
  /** Simulated faults of the sandbox bank. */
  sandbox?: SandboxOptions | undefined;
  /** Takes real payments instead of the sandbox bank's. */
  stripe?: StripeOptions | undefined;
  /** `smtp://…`; without it mails become files in `dataDir/outbox`. */
  mailUrl?: string | undefined;
  /** Sender of mails; by default the site's title at its own host. */
  mailFrom?: string | undefined;
  /** Mailbox for replies to mails about tickets; without it mails have no reply address. */
  mailReplyTo?: string | undefined;
  /** `imaps://…`: mailbox from which replies are fetched, by a process that runs jobs. */
  mailInboxUrl?: string | undefined;
  clock?: Clock;
  log: Log;
  /** True to run jobs in the background, once the platform has begun. */
  jobs: boolean;
};

export type Platform = {
  /**
   * Publishes and records what this process knows, such as changed terms, and starts its jobs. What a
   * refused start must not leave behind is written here.
   */
  begin(): Promise<void>;
  /** Answers `/api/…`. */
  fetch(request: Request): Promise<Response>;
  /** Answers a call from within this process, as over HTTP. */
  answer(call: DirectCall): Promise<Answered>;
  /** The account of a bearer token with its current roles, as each call finds it. Null: signed out. */
  authenticate: Authenticate;
  /** JSON text of an account's metadata. */
  metadataOf(uid: string): Promise<string>;
  /** Why nothing can be answered now: the database does not; null when it does. */
  fault(): Promise<string | null>;
  /** Jobs and mails that wait. */
  waiting(): Promise<Waiting>;
  /** Null with SQLite. */
  connections(): Connections | null;
  /** Runs all due jobs, for tests and commands that move the clock. */
  runDueJobs(): Promise<number>;
  /** Images of the content, for the host. */
  images: Images;
  database: Database;
  /** Changes with each change of what public pages show. It is at most a second old. */
  contentRevision(): string;
  /** Stops background work; resolves when running jobs have ended, or are given back. */
  stopWork(): Promise<void>;
  /** What has not ended of the background work: kinds of jobs, the mailbox. */
  workUnderWay(): string[];
  /** Gives its leases back, so that another process begins it at once. This process must end then. */
  giveBackWork(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the embedded API: database, schema, demo content. A start that is refused leaves the database as
 * it was.
 * @throws Error in one sentence when the database or the payment provider cannot be used
 */
export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  const base = await openBase(options);
  const { db, clock, log, known, payments, mails, revision, outages } = base;
  const { handlers, lanes, authenticate, support } = createResources(options, base);
  const { siteTitle, siteUrl } = options;
  const serving = { handlers, authenticate, siteUrl, log, runInTurn: callTurns() };
  const app = serveApi(serving);
  app.get("/api/openapi.json", (context) =>
    openApiAnswer(siteTitle, siteUrl ?? new URL(context.req.url).origin),
  );
  app.route(payments.path, payments.pages);
  const mailLanes = Array.from({ length: MAIL_LANES - 1 }, () => lanes.mails);
  const { isPaused } = mails;
  const work = { ...base, isPaused, lanes: [...Object.values(lanes), ...mailLanes] };
  let jobs: ReturnType<typeof startJobs> | undefined;
  let mailbox: ReturnType<typeof openMailbox> | undefined;
  let copies: NodeJS.Timeout | undefined;
  let beginning: Promise<void> | undefined;
  const begin = async () => {
    await clock.catchUp?.();
    await followRelease({ ...options, db });
    await recordTerms({ db, clock, known });
    await fillSellers(db, configuredSite(options));
    await revision.refresh();
    await warnOfLostSecret({ db, clock, log, secrets: options.secrets });
    await scheduleFirstPurge({ db, clock });
    await payments.begin?.();
    if (!options.jobs) return;
    revision.follow();
    jobs ??= startJobs(work);
    copies ??= keepCopies(options);
    mailbox ??= openMailbox({ ...options, support });
  };
  let endWaiting = () => {};
  const givenBack = new Promise<void>((resolve) => (endWaiting = resolve));
  const stopWork = async () => {
    // Jobs that start after the stop would meet a closed database.
    await beginning?.catch(() => undefined);
    clearInterval(copies);
    await Promise.race([Promise.all([jobs?.stop(), mailbox?.close()]), givenBack]);
  };
  return {
    begin: () => (beginning = begin()),
    fetch: async (request) => app.fetch(request),
    answer: (call) => answerDirectly(call, serving),
    authenticate,
    metadataOf: async (uid) => (await readMetadata(db, uid)).data,
    fault: () => outages.fault("GET /readyz"),
    waiting: () => readWaiting({ db, clock, lanes, mails }),
    connections: () => connectionsOf(db),
    runDueJobs: () => runThrough(work),
    images: reportingImages(storedImages(db), outages.report),
    database: db,
    contentRevision: () => revision.current(),
    stopWork,
    workUnderWay: () => [...(jobs?.underWay() ?? []), ...(mailbox?.isOpen() ? ["mailbox"] : [])],
    async giveBackWork() {
      await Promise.all([jobs?.giveBack(), mailbox?.isOpen() && mailbox.giveBack()]);
      endWaiting();
    },
    async close() {
      await stopWork();
      // Not before: while requests are answered, pages follow the content.
      revision.stop();
      mails.close();
      await outages.stop();
      await db.destroy();
    },
  };
}

type Base = {
  db: Database;
  clock: Clock;
  outages: OutageWatch;
  /** Tells an outage of the database once. */
  log: Log;
  payments: Payments;
  mails: Mails;
  known: KnownIdentity;
  revision: ContentRevision;
};

/**
 * Opens everything that may fail, and closes the database again when something does. What the settings
 * alone decide comes first: the database is prepared last, in one transaction.
 */
async function openBase(options: PlatformOptions): Promise<Base> {
  const { secrets, siteTitle, sandbox, stripe } = options;
  const known = { ...readIdentity(options.identityFile), title: siteTitle };
  const isLive = isLiveKey(stripe?.secretKey);
  if (isLive) {
    refusePlainAddress(options.siteUrl);
    refuseDemoNames(known);
    refuseUnsentMails(options.mailUrl);
  }
  const db = await openDatabase({ ...options, statementMs: LONGEST_STATEMENT_MS });
  const clock = options.clock ?? (stripe ? systemClock : new SandboxClock(db));
  const outages = watchOutages({ log: options.log, probe: createProbe(db) });
  const { log } = outages;
  try {
    const payments = await openPayments({ db, clock, log, secrets, siteTitle, sandbox, stripe });
    const mails = createMails({ ...options, log, db, clock });
    const { pageLimits } = payments.gateway;
    const isNew = await isNewDatabase(db);
    const copy = await copyBeforeMigrations(db, options);
    if (copy) log.info({ copy }, "the database is copied before this release migrates it");
    await withoutStatementLimit(options, db, (unlimited) =>
      prepareDatabase({ ...options, db: unlimited, isLive, pageLimits }),
    );
    if (isNew) warnOfLostDatabase(options);
    await warnOfUnsellable({ db, log, limits: pageLimits });
    await warnOfDemoNames({ db, log, known });
    const revision = contentRevision({ db, clock, log });
    return { db, clock, outages, log, payments, mails, known, revision };
  } catch (error) {
    await outages.stop();
    await db.destroy();
    throw error;
  }
}

/** Removes old copies of the embedded database now and every day. */
function keepCopies({ databaseUrl, dataDir, log }: PlatformOptions) {
  if (databaseUrl !== undefined) return undefined;
  const remove = () => {
    try {
      removeOldCopies(dataDir);
    } catch (error) {
      log.warn({ err: error, dataDir }, "old copies of the database cannot be removed");
    }
  };
  remove();
  return setInterval(remove, DAY_MS).unref();
}

/** Less than the 20 seconds for which a page waits. */
const LONGEST_STATEMENT_MS = 15_000;

/**
 * Runs `work` on a connection of its own whose statements have no time limit: a new release may have to index or
 * rewrite a large table. Nobody waits for an answer yet. The embedded database has no such limit.
 */
async function withoutStatementLimit<T>(
  options: PlatformOptions,
  db: Database,
  work: (unlimited: Database) => Promise<T>,
): Promise<T> {
  if (!options.databaseUrl) return work(db);
  const unlimited = await openDatabase(options);
  try {
    return await work(unlimited);
  } finally {
    await unlimited.destroy();
  }
}

/** The parts of the product: what each answers, and what it does in the background. */
function createResources(options: PlatformOptions, base: Base) {
  const { db, clock, log, payments, mails, known, revision } = base;
  const { secrets, stripe, activationDelaySeconds, mailReplyTo } = options;
  const daySeconds = stripe ? undefined : options.renewalDaySeconds;
  const site = configuredSite(options);
  const subjects = keyedSubjects(secrets);
  const context: Context = { db, clock, log, site };
  const accounts = createAccounts({ ...context, secrets });
  const subscriptions = createSubscriptions({
    ...context,
    payments,
    activationDelaySeconds,
    daySeconds,
    subjects,
  });
  const notices = createNotices(subscriptions.context);
  const support = createSupport({ ...context, subjects, secrets, mailReplyTo });
  return {
    authenticate: accounts.authenticate,
    support: support.context,
    handlers: {
      ...contentHandlers({ db, clock, known, drafts: draftLinks(secrets) }),
      ...accounts.handlers,
      ...exportHandlers({ db, clock, subjects }),
      ...offerHandlers({ db }),
      ...purchaseHandlers(subscriptions.context),
      ...subscriptions.handlers,
      ...notices.handlers,
      ...support.handlers,
      ...createDesk({ ...support.context, calendar: subscriptions.context.calendar }).handlers,
    },
    lanes: {
      mails: mails.createWorkers([
        notices.timedMails,
        subscriptions.timedMails,
        ...accounts.timedMails,
      ]),
      // Events of the provider have their own lane, so that slow calls to it do not delay them.
      events: payments.workers,
      charges: subscriptions.chargingWorkers,
      // Anybody may open pages that nobody pays: no renewal or refund waits until the provider was asked about them.
      questions: subscriptions.askingWorkers,
      others: {
        [RECORD_TERMS]: async () => {
          await recordTerms({ db, clock, known });
          await revision.refresh();
        },
        [PUBLISH]: async () => {
          if (await publishDue({ db, log }, clock.now())) await revision.refresh();
        },
        ...retentionWorkers({ db, clock, log, site, subjects }),
        ...accounts.workers,
        ...subscriptions.workers,
        ...notices.workers,
        ...support.workers,
      },
    },
  };
}
