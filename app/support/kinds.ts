import type { SupportType } from "~/contract/ticket-status";
import { paths } from "~/paths";

type Query = Record<string, string | readonly string[] | undefined>;

/**
 * What differs between tickets and discussions: texts and paths. All other code is shared (R-2.5,
 *
 */
export type SupportKind = {
  type: SupportType;
  /** Catalogue of the texts. */
  namespace: "contact" | "coaching";
  list: (query?: Query) => string;
  /** Where a new one is begun. */
  begin: () => string;
  thread: (uid: string, query?: Query) => string;
  /** Path of the stream of new messages. */
  events: (uid: string, query?: Query) => string;
};

/** Name of the event that tells a thread's status in the stream of new messages. */
export const STATUS_EVENT = "status";

export const kinds: Record<SupportType, SupportKind> = {
  contact: {
    type: "contact",
    namespace: "contact",
    list: paths.contactTickets,
    begin: paths.contactNewTicket,
    thread: paths.contactTicket,
    events: paths.contactTicketEvents,
  },
  coaching: {
    type: "coaching",
    namespace: "coaching",
    list: paths.coaching,
    begin: paths.coachingNewDiscussion,
    thread: paths.coachingDiscussion,
    events: paths.coachingDiscussionEvents,
  },
};
