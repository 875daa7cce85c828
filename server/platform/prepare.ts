import { prepareIndex } from "./content/search/index-articles";
import { withSeedImages, type SeedImages } from "./content/images/seed";
import { seedWithImages } from "./content/seed";
import { refuseDemoPages } from "./content/identity-check";
import { lockName } from "./database/lock";
import { isNewDatabase, migrate } from "./database/migrate";
import { decideDemonstration } from "./database/seed-entries";
import type { Database } from "./database/tables";
import { checkDefaultFormula } from "./offers/default-formula";
import { OfferFault } from "./offers/offer-fault";
import type { Log } from "./ports/log";
import type { PageLimits } from "./ports/payment-gateway";
import { refuseDemoOffers, seedOffers } from "./offers/seed";

type Options = {
  db: Database;
  contentDir: string;
  ownContentDir?: string | undefined;
  defaultFormula?: string | undefined;
  /** Real money is taken. */
  isLive: boolean;
  pageLimits?: PageLimits | undefined;
  log: Log;
};

/**
 * Brings the database up to this release and its settings, all of it in one transaction: when something
 * refuses the start, the database is as it was, and the earlier release can start again.
 * @throws Error in one sentence when the start is refused
 */
export async function prepareDatabase({ db, ...options }: Options) {
  const isNew = await isNewDatabase(db);
  try {
    // Images take a while, for which nobody else should wait.
    await withSeedImages(db, options, (images) =>
      db.transaction().execute((within) => prepare(within, options, images)),
    );
  } catch (error) {
    if (isNew && error instanceof OfferFault) await keepFormulas(db);
    throw error;
  }
}

async function prepare(transaction: Database, options: Omit<Options, "db">, images: SeedImages) {
  const { defaultFormula, isLive, pageLimits } = options;
  // Processes that start together seed and index one after the other.
  await lockName(transaction, "prepare");
  await migrate(transaction);
  await prepareIndex(transaction);
  const demo = await isDemoSeeded(transaction, options);
  await seedOffers(transaction, { demo });
  await seedWithImages(transaction, { ...options, demo }, images);
  if (isLive) await refuseDemoPages(transaction);
  if (isLive) await refuseDemoOffers(transaction);
  if (defaultFormula) await checkDefaultFormula(transaction, defaultFormula, pageLimits);
}

/** The demonstration is for databases that took it at their first start, and for starts that want it. */
async function isDemoSeeded(
  transaction: Database,
  { ownContentDir, isLive, log }: Omit<Options, "db">,
): Promise<boolean> {
  const isWanted = ownContentDir === undefined && !isLive;
  const isTaken = await decideDemonstration(transaction, isWanted);
  if (isWanted && !isTaken) {
    log.info({}, "no demonstration: this database first started without it, or retired it");
  }
  return isWanted && isTaken;
}

/** The commands by which an owner decides what to sell need a database that holds the formulas. */
async function keepFormulas(db: Database) {
  await db.transaction().execute(async (transaction) => {
    await migrate(transaction);
    await seedOffers(transaction, { demo: false });
  });
}
