import type { KeyedSubjects } from "../limits/subject";
import type { Context } from "../database/context";

/** Context of the purge. The site is needed for the mails that announce deletions. */
export type RetentionContext = Pick<Context, "db" | "clock" | "log" | "site"> & {
  subjects: KeyedSubjects;
};
