import type { Site } from "../mail/letters";
import type { TrustedSite } from "../mail/site";

/**
 * Pages of the site that mails lead to; the site's own table is app/paths.ts. Secrets go to a
 * trusted site only.
 */
export const links = {
  contactTickets: ({ url }: TrustedSite, secret: string) => `${url}/contact/tickets?t=${secret}`,
  contactTicket: ({ url }: TrustedSite, uid: string, secret: string) =>
    `${url}/contact/tickets/${uid}?t=${secret}`,
  newLink: ({ url }: Site) => `${url}/contact/link`,
  discussions: ({ url }: Site) => `${url}/coaching`,
  discussion: ({ url }: Site, uid: string) => `${url}/coaching/${uid}`,
};
