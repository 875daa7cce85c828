import { MESSAGE_LENGTH } from "~/contract/limits";
import { z } from "zod/v4";
import { uid } from "~/contract/primitives";
import { idempotencyKey } from "~/contract/subscriptions";
import { writtenText } from "~/contract/text";
import { DESK_STATUSES } from "~/contract/ticket-status";

const status = z.enum(DESK_STATUSES).optional();
/** Version of the ticket on the screen. A later change by a colleague is not overwritten. */
const seenVersion = { version: z.coerce.number().int().min(1).optional() };

export const answerForm = z.object({
  message: writtenText(MESSAGE_LENGTH),
  internal: z.literal("on").optional(),
  /** Status of the ticket once the answer is sent. */
  after: status,
  idempotencyKey: idempotencyKey.optional(),
  ...seenVersion,
});

export const changeForm = z.object({
  status,
  assignee: uid.optional(),
  version: z.coerce.number().int().min(1),
});
