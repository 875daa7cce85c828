import { translate } from "~/i18n/i18n.server";
import { usualWait } from "~/i18n/waits.server";
import type { Visit } from "~/session/visit.server";

/** `usual`: when an answer usually comes, in a sentence. `takesBirth`: the API keeps what a person tells of theirs. */
export type CoachingFacts = { usual: string | null; takesBirth: boolean };

/** What the platform tells before somebody writes. Without an answer, the page goes without these facts. */
export async function findCoachingFacts(visit: Visit): Promise<CoachingFacts> {
  const read = await visit.find("getCoachingFacts", {});
  if (read.kind !== "found") return { usual: null, takesBirth: false };
  const { answerMinutes, takesBirth = false } = read.value.payload;
  const usual = answerMinutes && translate("opening", "usual", { wait: usualWait(answerMinutes) });
  return { usual: usual || null, takesBirth };
}
