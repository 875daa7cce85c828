import { BIRTH_LENGTH } from "~/contract/limits";
import { personName } from "~/contract/subscriptions";
import { writtenLine } from "~/contract/text";
import { consentField, discussionForm } from "~/support/form";

/**
 * The first discussion also asks for the name, and for the consent to the handling of sensitive
 * information.
 */
export const firstDiscussionForm = discussionForm.extend({
  name: personName.optional(),
  birth: writtenLine(BIRTH_LENGTH).optional(),
  ...consentField,
});
