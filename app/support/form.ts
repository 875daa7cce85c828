import { CONTACT_NAME_LENGTH, MESSAGE_LENGTH, SUBJECT_LENGTH } from "~/contract/limits";
import { z } from "zod/v4";
import { email, uid } from "~/contract/primitives";
import { idempotencyKey } from "~/contract/subscriptions";
import { writtenLine, writtenText } from "~/contract/text";
import { categories } from "./categories";

const message = writtenText(MESSAGE_LENGTH);
const subject = writtenLine(SUBJECT_LENGTH);
/** A form that is sent twice makes one message. */
const keyField = { idempotencyKey: idempotencyKey.optional() };

/** Set by a script that wants the new message as the answer, not a page. */
const inPlaceField = { inPlace: z.literal("1").optional() };

/** The box is shown where a consent was taken back (`consent-field.tsx`). */
export const consentField = { consent: z.literal("on").optional() };

/** The last message that the page of the form showed. */
const untilField = { until: uid.optional() };

/** Without script a reply marks as read what its page showed, up to `until`. */
export const replyForm = z.object({
  message,
  ...untilField,
  ...keyField,
  ...inPlaceField,
  ...consentField,
});

/** Marks messages as read, up to `until`. */
export const readMarkForm = z.object({ ...untilField, ...inPlaceField });

export const discussionForm = z.object({ subject, message, ...keyField });

export const ticketForm = z.object({
  email,
  name: writtenLine(CONTACT_NAME_LENGTH),
  category: z.enum(categories).optional(),
  subject,
  message,
  ...keyField,
});
