import type { FormReply } from "~/forms/refuse.server";
import type { Visit } from "~/session/visit.server";
import { OPENINGS } from "~/support/openings";

/** The form with the beginning that a link names. The address brings a key of ours, never a text. */
export function begunForm({ url, t }: Visit): FormReply | undefined {
  const about = OPENINGS.find((known) => known === url.searchParams.get("about"));
  if (!about) return undefined;
  const [subject, message] = [t("opening", `${about}.subject`), t("opening", `${about}.message`)];
  return { lastResult: { initialValue: { subject, message } } };
}
