/**
 * PostgreSQL error classes about the server, not the statement: connection, resources, concurrent
 * transactions, operator and system (PostgreSQL manual, appendix A). Of other classes: a server that became a
 * standby, a transaction that stood still, and a password that is being changed.
 */
const SERVER_ERROR = /^(?:08|40|53|55|57|58|25006$|25P03$|28P01$)/;
/** Messages of `pg` and SQLite about the connection that come without an error code. */
const CONNECTION_MESSAGE =
  /^(?:connection terminated|query read timeout|client (?:has encountered a connection error|was closed) and is not queryable|timeout exceeded when trying to connect|database is locked|driver has already been destroyed|cannot use a pool after calling end)/i;
const SQLITE_ERROR = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|CORRUPT|NOTADB)/;
const NETWORK_ERROR = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_)/;

/**
 * Tells whether a statement failed because the database is unavailable, not because of the
 * statement.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (CONNECTION_MESSAGE.test(error.message)) return true;
  if (!("code" in error) || typeof error.code !== "string") return false;
  const { code } = error;
  return [SERVER_ERROR, SQLITE_ERROR, NETWORK_ERROR].some((pattern) => pattern.test(code));
}

/**
 * Errors of connections to PostgreSQL. Their codes, such as ECONNREFUSED, are also those of mail servers and
 * banks.
 */
const ofPostgres = new WeakSet<Error>();

/** Notes that the error came from PostgreSQL. */
export function markOfPostgres(error: unknown) {
  if (error instanceof Error) ofPostgres.add(error);
}

/** Kysely's message after the site was closed. */
const CLOSED = "driver has already been destroyed";

/** The same, where the error may also be of a mail server or a bank: those have the same codes. */
export function isErrorOfUnavailableDatabase(error: unknown): boolean {
  if (!(error instanceof Error) || !isDatabaseUnavailable(error)) return false;
  const isSqlite = "code" in error && String(error.code).startsWith("SQLITE_");
  return isSqlite || ofPostgres.has(error) || error.message === CLOSED;
}

/** What an unavailable database cannot do, the worse after the better. */
export const FAULTS = ["away", "locked", "unwritable", "full", "damaged"] as const;
export type DatabaseFault = (typeof FAULTS)[number];

const CODES: [DatabaseFault, RegExp][] = [
  ["damaged", /^SQLITE_(?:CORRUPT|NOTADB)/],
  ["full", /^(?:SQLITE_FULL|53100$)/],
  ["unwritable", /^(?:SQLITE_(?:READONLY|IOERR|CANTOPEN)|25006$)/],
  ["locked", /^SQLITE_(?:BUSY|LOCKED)/],
];

/** What is the matter with a database after an error of it. */
export function faultOf(error: unknown): DatabaseFault {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return CODES.find(([, pattern]) => pattern.test(code))?.[0] ?? "away";
}

export const isDamage = (error: unknown) => faultOf(error) === "damaged";
