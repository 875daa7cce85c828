import { startOfDate } from "./calendar";

/**
 * When a contract stops whose owner wishes it to end on a day: at the start of that day. Null if it stops
 * at once, as it also does for a day that is paid for: no renewal comes before it.
 * @param wishedDate an ISO date, if one was wished
 */
export function wishedStop(
  wishedDate: string | null | undefined,
  { paidUntil, receivedAt }: { paidUntil: Date; receivedAt: Date },
): Date | null {
  if (!wishedDate) return null;
  const stop = startOfDate(wishedDate);
  return stop < paidUntil || stop <= receivedAt ? null : stop;
}
