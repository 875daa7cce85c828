/** Business constants. Durations say their unit. */
export const PASSWORD_LENGTH = { min: 8, max: 50 } as const;
export const NAME_LENGTH = { min: 1, max: 24 } as const;
export const PAGE_LENGTH = 10;
/** Payments that are listed on a page with another purpose. Their own page lists all. */
export const NEWEST_PAYMENTS = 3;
export const REQUEST_TIMEOUT_MS = 20_000;
export const BODY_LIMIT_BYTES = 1024 * 1024;
/** Limit of an external API's answer. The export of a person who wrote for years is larger. */
export const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024;
export const EXPORT_LIMIT_BYTES = 32 * 1024 * 1024;
/** How many redirects one call to an external API follows. */
export const MAX_REDIRECTS = 5;
/**
 * Limits of a request body, unless the endpoint sets its own: nesting depth and number of values
 * . For queries, `names` counts a repeated name once.
 */
export const JSON_LIMITS = { bytes: 256 * 1024, depth: 32, values: 5_000 } as const;
export const QUERY_LIMITS = { names: 100, values: 1_000 } as const;
export const VIOLATIONS_TOLD = 20;
/** Limit of a path. All paths of the site are shorter. */
export const PATH_LENGTH = 2048;
/** Limits of a posted form. The longest message, URL-encoded, takes half of the bytes. */
export const FORM_LIMITS = { bytes: 256 * 1024, entries: 100, nameLength: 64 } as const;
/** Lifetime of a session: of its token, and of the cookie that holds it. */
export const SESSION_SECONDS = 14 * 24 * 3600;
export const LOGIN_WAITING_MINUTES = 5;
export const BUILD_CHECK_MINUTES = 5;
/** Waiting time that is named where a refused or failed answer names none. */
export const DEFAULT_WAIT_SECONDS = 60;
/** A page reloads itself at most once in this time. */
export const RELOAD_GUARD_MS = 10_000;
export const TEXT_AREA_ROWS = 5;
/** Longest address that mail servers carry (RFC 5321). */
export const EMAIL_LENGTH = 254;
/**
 * What the schema of an address asks beyond what browsers do: no other signs before the `@`, and a domain
 * that ends with letters.
 */
export const EMAIL_PATTERN = "([\\w'+\\-]+\\.)*[\\w'+\\-]*[\\w+\\-]@.+\\.[A-Za-z]{2,}";
/** Longest part of an address before its `@`. */
export const LOCAL_PART_LENGTH = 64;
/** Longest message of a ticket or discussion, in code points. */
export const MESSAGE_LENGTH = 10_000;
export const TITLE_LENGTH = 200;
export const CATEGORY_LENGTH = 60;
export const CONTACT_NAME_LENGTH = 100;
/** Why an operator gives money back. */
export const REASON_LENGTH = 200;
/** Longest subject that a person types. In the title the category stands in front of it. */
export const SUBJECT_LENGTH = 120;
/** Longest text about a birth: date, hour and place. */
export const BIRTH_LENGTH = 120;
/** Longest text that is searched for. */
export const SEARCH_LENGTH = 100;

/** Length of a field for a card number: nineteen digits with a space between any two. */
export const CARD_NUMBER_MAX = 37;
