import { z } from "zod/v4";
import { dayOf, lastWishedDay } from "~/contract/day";
import { knownEmail } from "~/contract/primitives";
import { text } from "~/contract/text";

/** The full name under the notice. Its error texts differ from those of the coaching name. */
const name = z
  .string("signature_missing")
  .trim()
  .min(1, "signature_missing")
  .max(100, "signature_too_long")
  .pipe(text);

const contract = { name, email: knownEmail, reference: text.trim().max(100).optional() };

/** Person and contract of a cancellation without login (D215-1). */
export const cancellationForm = z.object({
  ...contract,
  date: z.iso.date().refine(isNotPast, "past").refine(isNear, "far").optional(),
});

/** The date of a cancellation cannot be in the past. */
function isNotPast(date: string) {
  return date >= dayOf(new Date());
}

function isNear(date: string) {
  return date <= lastWishedDay(new Date());
}

/** Person and contract of a withdrawal (D221-5). The reference is for people with several. */
export const withdrawalForm = z.object(contract);

export type Notice = z.output<typeof cancellationForm>;
