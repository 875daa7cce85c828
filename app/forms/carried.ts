/** Field of the login form that holds the sealed earlier form. */
export const CARRIED_FIELD = "carried";

/** Field that marks a form to be shown again, not carried out. */
export const RESTORE_FIELD = "restore";
