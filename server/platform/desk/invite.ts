import { newSecret } from "../ports/ids";
import type { Site } from "../mail/letters";

/**
 * Where an invited coach sets the first password.
 *
 * Joined at the merge with password reset: its own link, written by its rules in this transaction,
 * takes the place of this secret, which opens nothing by itself.
 */
export async function inviteLink(site: Site): Promise<string> {
  return `${site.url}/reset-password/update?token=${newSecret()}`;
}

export const deskLink = ({ url }: Site) => `${url}/desk`;
