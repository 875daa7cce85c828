import { personName } from "~/contract/subscriptions";
import { discussionForm } from "~/support/form";

/** The first discussion also asks for the name. */
export const firstDiscussionForm = discussionForm.extend({ name: personName.optional() });
