/**
 * Mails that a process sends at once. A server may take most of a minute over one, and everybody can make it write to an
 * address of theirs.
 */
export const MAIL_LANES = 4;
