/** Letters with accents, at least one; space, apostrophe, period, hyphen. */
export const PERSON_NAME = /^(?=.*\p{L})[\p{L}\p{M} .'’-]+$/u;

/** Whether somebody may be called so, but for the length. */
export const isPersonName = (name: string) => PERSON_NAME.test(name);
