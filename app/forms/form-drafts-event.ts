/** Fired at the window when React has an answer to a form, or has removed the form (`enhance/form-drafts.ts`). */
export const FORM_DRAFTS = "drafts";
