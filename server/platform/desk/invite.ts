import { DAY_MS } from "../ports/durations";
import { addResetLink } from "../accounts/reset-link";
import type { Database } from "../database/tables";
import type { Site } from "../mail/letters";
import { links } from "../mail/links";
import type { TrustedSite } from "../mail/site";

/** Longer than a requested link: a coach does not expect the invitation. */
const VALID_MS = 7 * DAY_MS;

/** Creates the link by which an invited coach sets the first password. */
export async function createInviteLink(
  db: Database,
  accountUid: string,
  site: TrustedSite,
  now: Date,
) {
  const { secret } = await addResetLink(db, accountUid, now, VALID_MS);
  return links.passwordUpdate(site, secret);
}

export const deskLink = ({ url }: Site) => `${url}/desk`;
