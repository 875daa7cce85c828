/** At least one letter, accents included. Also allowed: space, apostrophe, period, hyphen. */
export const PERSON_NAME = /^(?=.*\p{L})[\p{L}\p{M} .'’-]+$/u;

/** Whether a text is allowed as a name. The length is checked elsewhere. */
export const isPersonName = (name: string) => PERSON_NAME.test(name);
