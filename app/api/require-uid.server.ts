import { uid } from "~/contract/primitives";
import type { Visit } from "~/session/visit.server";

/**
 * The uid in a page's address.
 * @throws Response when the text is no uid: a redirect if the address has moved, otherwise 404
 */
export async function requireUid(
  visit: Visit,
  params: Record<string, string | undefined>,
): Promise<string> {
  const parsed = uid.safeParse(params.uid);
  return parsed.success ? parsed.data : visit.throwNotFound();
}
