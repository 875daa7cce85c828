import { translate } from "./i18n.server";

/** What the deletion of an account deletes and keeps, and the box that confirms it. */
export type DeletionWords = { effects: string[]; confirm: string };

const EFFECTS = [
  "deletion.profile",
  "deletion.payments",
  "deletion.kept",
  "deletion.proof",
  "deletion.contact",
  "deletion.final",
] as const;

/** The words of the page « Vos données », for the account of a contract that is over. */
export const deletionWords = (): DeletionWords => ({
  effects: EFFECTS.map((key) => translate("data", key)),
  confirm: translate("data", "deletion.confirm"),
});
