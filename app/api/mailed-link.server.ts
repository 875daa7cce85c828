import { linkSecret } from "~/contract/primitives";
import type { Visit } from "~/session/visit.server";

/**
 * Whether the secret of a mailed link to a new password does nothing any more: it was used, is too old, or was cut. The read uses
 * nothing up. A link that the API cannot check, now or at all, counts as alive: its form tells.
 */
export async function isDeadLink(visit: Visit, token: string): Promise<boolean> {
  const link = linkSecret.safeParse({ token });
  if (!link.success) return true;
  const outcome = await visit.attempt("checkPasswordLink", { body: link.data });
  return !outcome.ok && outcome.error.kind === "validation";
}
