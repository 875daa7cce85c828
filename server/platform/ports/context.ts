import type { Database } from "../database/tables";
import type { Clock } from "./clock";
import type { Log } from "./log";

/** Title and configured origin of the site, for mails; `url` is null when none is configured. */
export type ConfiguredSite = { title: string; url: string | null };

/** The dependencies of every rule of the platform; resources extend it. */
export type Context = { db: Database; clock: Clock; log: Log; site: ConfiguredSite };
