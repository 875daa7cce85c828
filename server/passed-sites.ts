import { randomBytes } from "node:crypto";
import { processWide } from "./process-wide";

/** Header of calls to an external API, in which each site that they pass leaves its mark. */
export const PASSED_SITES = "x-passed-sites";

/** The mark of this process. Only the API gets to know it. */
const mark = processWide("mark", () => randomBytes(12).toString("base64url"));

/** More sites in a row than anybody sets up. The header would grow without end. */
const MAX_SITES = 8;
/** Room for that many marks, with a space between them. Anybody may send the header, and of any length. */
const MAX_CHARACTERS = MAX_SITES * (mark.length + 2);

/** The sites that a request says it has passed; null where it says more than any row of sites would. */
function marksIn(passed: string | undefined): string[] | null {
  if (passed === undefined) return [];
  return passed.length > MAX_CHARACTERS ? null : passed.split(",").map((one) => one.trim());
}

/** The header of a call that this process sends on behalf of a request. */
export const passedWith = (passed: string | undefined) =>
  [...(marksIn(passed) ?? []), mark].join(",");

/** Whether a request has passed this process. Anybody may send the header, but nobody else knows the mark. */
export const hasPassedHere = (passed: string | undefined) =>
  marksIn(passed)?.includes(mark) === true;

/** Whether a request has come round to this process, or is on its way without end. */
export function hasComeRound(passed: string | undefined): boolean {
  const marks = marksIn(passed);
  return marks === null || marks.includes(mark) || marks.length >= MAX_SITES;
}
