import { LATEST_MESSAGE } from "../../../app/contract/latest-message";
import { SECRET_PARAMETER } from "../../../app/contract/mailed-link";
import type { Site } from "../mail/letters";
import type { TrustedSite } from "../mail/site";

/**
 * URLs of the site's pages in mails; app/paths.ts is the table of the site itself. Links with
 * secrets need a trusted site.
 */
export const links = {
  contactTickets: ({ url }: TrustedSite, secret: string) =>
    `${url}/contact/tickets?${SECRET_PARAMETER}=${secret}`,
  contactTicket: ({ url }: TrustedSite, uid: string, secret: string) =>
    `${url}/contact/tickets/${uid}?${SECRET_PARAMETER}=${secret}`,
  newLink: ({ url }: Site) => `${url}/contact/link`,
  discussions: ({ url }: Site) => `${url}/coaching`,
  newTicket: ({ url }: Site) => `${url}/contact/new-ticket`,
  newDiscussion: ({ url }: Site) => `${url}/coaching/new-discussion`,
  /** The last message of a thread, in place of its first (app/ui/message.tsx). */
  latestOf: (thread: string) => `${thread}#${LATEST_MESSAGE}`,
  discussion: ({ url }: Site, uid: string) => `${url}/coaching/${uid}`,
};
