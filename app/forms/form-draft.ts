/** Fired at the window when React has drawn a form that keeps a draft, or has removed it. */
export const FORM_DRAFTS = "form-drafts";
/** What the names of drafts begin with. */
export const FORM_DRAFT_PREFIX = "form:";

/** Each person has their own, so that nobody who signs in later in the same tab meets it. */
export const formDraftName = (owner: string, form: string) =>
  `${FORM_DRAFT_PREFIX}${owner}:${form}`;
