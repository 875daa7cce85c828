import { personName } from "~/contract/subscriptions";
import { discussionForm } from "~/support/form";

/** The name is asked beside the first discussion. */
export const firstDiscussionForm = discussionForm.extend({ name: personName.optional() });
