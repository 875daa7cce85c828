import { readConfig } from "../../../app/config.server";
import { hasDatabase, openDatabase } from "../../platform/database/connection";
import { migrate } from "../../platform/database/migrate";
import type { Database } from "../../platform/database/tables";

type Open = () => Promise<Database>;

/**
 * The database of the site: opened when first asked for, up to date, closed in any case.
 * @param options `creates`: a site that was never started gets its database
 * @throws Error in one sentence where there is none: an empty one would answer that all is well
 */
export async function withDatabase<T>(
  work: (open: Open) => Promise<T>,
  { creates = false } = {},
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
    await migrate(opened);
    return opened;
  };
  try {
    return await work(open);
  } finally {
    await opened?.destroy();
  }
}
