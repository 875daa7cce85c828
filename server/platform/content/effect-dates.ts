import { addDuration } from "../../../app/contract/calendar";
import { dayOf } from "../../../app/contract/day";
import type { Content } from "./content";

/** A date further ahead is a slip of the pen: nobody announces terms for then. */
const MAX_YEARS_AHEAD = 2;

/**
 * Checks the days from which changed terms are to count. One that has passed means as soon as it is
 * allowed, which the author should know; one far ahead is refused.
 */
export function checkDatesOfEffect({ datesOfEffect, faults, notices }: Content, now = new Date()) {
  const today = dayOf(now);
  const last = dayOf(addDuration(now, MAX_YEARS_AHEAD, "year"));
  for (const { day, ...place } of datesOfEffect) {
    if (day > last) {
      const message = `applies: ${day} is more than ${MAX_YEARS_AHEAD} years ahead`;
      faults.push({ ...place, message });
    }
    if (day < today) {
      const message = `applies: ${day} has passed: a changed text counts a month after it is announced`;
      notices.push({ ...place, message });
    }
  }
}
