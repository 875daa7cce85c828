import { accountsOf } from "./accounts";
import { contentHandlers } from "./content/handlers";
import { seedContent } from "./content/seed";
import { databaseAnswers, openDatabase } from "./database/connection";
import { migrate } from "./database/migrate";
import type { Database } from "./database/tables";
import { openApi } from "./http/openapi";
import { serveApi } from "./http/serve";
import { runDueJobs, startJobs } from "./jobs/runner";
import { paymentsOf } from "./payments";
import { systemClock, type Clock } from "./ports/clock";
import type { Log } from "./ports/log";
import type { SandboxOptions } from "./payments/sandbox/notifier";
import { seedSubscriptions, subscriptionsOf } from "./subscriptions";

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
  /** How the sandbox bank misbehaves. */
  sandbox?: SandboxOptions | undefined;
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
 * @throws Error in one sentence when the database cannot be opened
 */
export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  const { log, clock = systemClock } = options;
  const db = await openDatabase(options);
  try {
    await migrate(db);
    await seedContent(db, options.contentDir);
    await seedSubscriptions(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const { secrets, sandbox } = options;
  const accounts = accountsOf({ db, clock, secrets });
  const payments = paymentsOf({ db, clock, log, secrets, sandbox });
  const subscriptions = subscriptionsOf({
    db,
    clock,
    payments,
    activationDelaySeconds: options.activationDelaySeconds,
  });
  const work = { db, clock, log, workers: { ...payments.workers, ...subscriptions.workers } };
  const handlers = { ...contentHandlers({ db }), ...accounts.handlers, ...subscriptions.handlers };
  const app = serveApi({
    handlers,
    authenticate: accounts.authenticate,
    siteUrl: options.siteUrl,
    log,
  });
  app.get("/api/openapi.json", (context) =>
    context.json(openApi(options.siteTitle, options.siteUrl ?? new URL(context.req.url).origin)),
  );
  app.route("/api/sandbox", payments.pages);
  const jobs = options.jobs ? startJobs(work) : null;
  return {
    fetch: async (request) => app.fetch(request),
    ready: () => databaseAnswers(db),
    runDueJobs: () => runDueJobs(work),
    database: db,
    async close() {
      await jobs?.stop();
      await db.destroy();
    },
  };
}
