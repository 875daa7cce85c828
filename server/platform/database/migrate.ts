import { Migrator, type Migration } from "kysely";
import * as content from "./migrations/0001-content";
import * as accounts from "./migrations/0002-accounts";
import * as subscriptions from "./migrations/0003-subscriptions";
import * as bank from "./migrations/0004-bank";
import * as jobs from "./migrations/0005-jobs";
import * as contentSource from "./migrations/0006-content-source";
import * as money from "./migrations/0007-money";
import * as life from "./migrations/0008-life";
import * as tidy from "./migrations/0009-tidy";
import * as access from "./migrations/0010-accounts";
import * as support from "./migrations/0011-support";
import * as people from "./migrations/0012-people";
import * as retention from "./migrations/0013-retention";
import * as origins from "./migrations/0014-origins";
import * as charges from "./migrations/0015-charges";
import * as mailAttempts from "./migrations/0016-mail-attempts";
import * as reversals from "./migrations/0017-reversals";
import * as paidPeriods from "./migrations/0018-paid-periods";
import * as offers from "./migrations/0019-offers";
import * as seedEntries from "./migrations/0020-seed-entries";
import type { Database } from "./tables";

const migrations: Record<string, Migration> = {
  "0001-content": content,
  "0002-accounts": accounts,
  "0003-subscriptions": subscriptions,
  "0004-bank": bank,
  "0005-jobs": jobs,
  "0006-content-source": contentSource,
  "0007-money": money,
  "0008-life": life,
  "0009-tidy": tidy,
  "0010-accounts": access,
  "0011-support": support,
  "0012-people": people,
  "0013-retention": retention,
  "0014-origins": origins,
  "0015-charges": charges,
  "0016-mail-attempts": mailAttempts,
  "0017-reversals": reversals,
  "0018-paid-periods": paidPeriods,
  "0019-offers": offers,
  "0020-seed-entries": seedEntries,
};

/** Runs the missing migrations in order, under the database's migration lock. */
export async function migrate(database: Database) {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
