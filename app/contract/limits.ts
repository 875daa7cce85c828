/** Business constants. Durations say their unit. */
export const PASSWORD_LENGTH = { min: 8, max: 50 } as const;
export const NAME_LENGTH = { min: 1, max: 24 } as const;
export const PAGE_LENGTH = 10;
export const REQUEST_TIMEOUT_MS = 20_000;
export const BODY_LIMIT_BYTES = 1024 * 1024;
/** Of an external API's answer; all that is kept of somebody who wrote for years is longer. */
export const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024;
export const EXPORT_LIMIT_BYTES = 32 * 1024 * 1024;
/** That one call to an external API follows. */
export const MAX_REDIRECTS = 5;
/**
 * What a call may bring, unless its endpoint says less: objects and lists within each other, and
 * values in all; `names` counts once what is repeated.
 */
export const JSON_LIMITS = { bytes: 256 * 1024, depth: 32, values: 5_000 } as const;
export const QUERY_LIMITS = { names: 100, values: 1_000 } as const;
export const VIOLATIONS_TOLD = 20;
/** No address of the site is longer. */
export const PATH_LENGTH = 2048;
/** A message of the greatest length, URL-encoded, is half as large. */
export const FORM_LIMITS = { bytes: 256 * 1024, entries: 100, nameLength: 64 } as const;
export const LOGIN_WAITING_MINUTES = 5;
export const BUILD_CHECK_MINUTES = 5;
export const TEXT_AREA_ROWS = 5;
/** As long as an address may be on its way (RFC 5321). */
export const EMAIL_LENGTH = 254;
/** Before the `@`. */
export const LOCAL_PART_LENGTH = 64;
/** Of tickets and discussions, in code points. */
export const MESSAGE_LENGTH = 10_000;
export const TITLE_LENGTH = 200;
export const CATEGORY_LENGTH = 60;
export const CONTACT_NAME_LENGTH = 100;
/** What a person types; the category stands before it in the title. */
export const SUBJECT_LENGTH = 120;
