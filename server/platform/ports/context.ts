import type { Database } from "../database/tables";
import type { Clock } from "./clock";
import type { Log } from "./log";

/** The site as mails name it: `url` is the configured origin; null where none is. */
export type ConfiguredSite = { title: string; url: string | null };

/** What every rule of the platform works with; resources add what only they need. */
export type Context = { db: Database; clock: Clock; log: Log; site: ConfiguredSite };
