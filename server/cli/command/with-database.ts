import { readConfig } from "../../../app/config.server";
import { openDatabase } from "../../platform/database/connection";
import { migrate } from "../../platform/database/migrate";
import type { Database } from "../../platform/database/tables";

type Open = () => Promise<Database>;

/** The database of the site: opened when first asked for, up to date, closed in any case. */
export async function withDatabase<T>(work: (open: Open) => Promise<T>): Promise<T> {
  let opened: Database | undefined;
  const open = async () => {
    if (opened) return opened;
    opened = await openDatabase(readConfig(process.env));
    await migrate(opened);
    return opened;
  };
  try {
    return await work(open);
  } finally {
    await opened?.destroy();
  }
}
