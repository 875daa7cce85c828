import { readConfig } from "../../../app/config.server";
import { hasDatabase, openDatabase } from "../../platform/database/connection";
import { copyBeforeMigrations } from "../../platform/database/copy";
import { migrate } from "../../platform/database/migrate";
import { reasonOf } from "../../platform/database/reason";
import type { Database } from "../../platform/database/tables";

type Open = () => Promise<Database>;

/**
 * Runs the work with the site's database: opened and migrated on first use, closed in any case. Work that is done
 * does not fail because of the closing, such as on a full disk.
 * @param options `creates`: the database is created when the site was never started. `migrates`: false leaves
 *   it as the release that runs needs it
 * @throws Error in one sentence when there is no database: an empty one would hide a wrong DATA_DIR
 */
export async function withDatabase<T>(
  work: (open: Open) => Promise<T>,
  { creates = false, migrates = true } = {},
): Promise<T> {
  let opened: Database | undefined;
  const open = async () => {
    if (opened) return opened;
    const config = readConfig(process.env);
    if (!creates && !hasDatabase(config)) {
      throw new Error(
        `DATA_DIR: there is no database in ${config.dataDir}; give the folder of the site, or start it first`,
      );
    }
    opened = await openDatabase(config);
    if (migrates) await copyBeforeMigrations(opened, config);
    if (migrates) await migrate(opened);
    return opened;
  };
  let result: T;
  try {
    result = await work(open);
  } catch (error) {
    // Why the work failed matters more than that the closing failed after it.
    await opened?.destroy().catch(() => undefined);
    throw error;
  }
  await opened?.destroy().catch(warnOfClosing);
  return result;
}

/** What was written is in SQLite's log, which the next process that opens the database writes into its file. */
const warnOfClosing = (error: unknown) =>
  console.error(`Done, but the database could not be closed properly (${reasonOf(error)})`);
