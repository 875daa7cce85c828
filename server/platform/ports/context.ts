import type { Database } from "../database/tables";
import type { Clock } from "./clock";
import type { Log } from "./log";

/** How the seller is named on card statements, and at the foot of mails. */
export type Merchant = { statement: string; imprint: string };

/** The site as mails name it: `url` is the configured origin; null where none is. */
export type ConfiguredSite = Merchant & { title: string; url: string | null };

/** The dependencies of every rule of the platform; resources extend it. */
export type Context = { db: Database; clock: Clock; log: Log; site: ConfiguredSite };
