import { z } from "zod/v4";
import { dayOf, lastWishedDay } from "~/contract/day";
import { knownEmail } from "~/contract/primitives";
import { text } from "~/contract/text";

/** Signs the notice: a name in full, with words of its own beside those of the coaching name. */
const name = z
  .string("signature_missing")
  .trim()
  .min(1, "signature_missing")
  .max(100, "signature_too_long")
  .pipe(text);

/** Without login: who, and which contract (D215-1). */
export const cancellationForm = z.object({
  name,
  email: knownEmail,
  reference: text.trim().max(100).optional(),
  date: z.iso.date().refine(isNotPast, "past").refine(isNear, "far").optional(),
});

/** nothing is cancelled for a day that is over. */
function isNotPast(date: string) {
  return date >= dayOf(new Date());
}

function isNear(date: string) {
  return date <= lastWishedDay(new Date());
}

export const withdrawalForm = z.object({ name, email: knownEmail });

export type Notice = z.output<typeof cancellationForm>;
