import type { Site } from "../mail/letters";

/** Pages of the site that mails lead to; the site's own table is app/paths.ts. */
export const links = {
  contactTickets: ({ url }: Site, secret: string) => `${url}/contact/tickets?t=${secret}`,
  contactTicket: ({ url }: Site, uid: string, secret: string) =>
    `${url}/contact/tickets/${uid}?t=${secret}`,
  newLink: ({ url }: Site) => `${url}/contact/link`,
  discussions: ({ url }: Site) => `${url}/coaching`,
  discussion: ({ url }: Site, uid: string) => `${url}/coaching/${uid}`,
};
