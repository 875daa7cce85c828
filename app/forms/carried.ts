/** Marks a login form that brings along what was sent before. */
export const CARRIED_FIELD = "carried";

/** Marks a form that is to be shown as it was, not carried out. */
export const RESTORE_FIELD = "restore";
