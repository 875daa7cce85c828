import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";

type Fields = Record<"message" | "internal" | "after" | "assignee" | "status", string>;

/** `saved`: the status is saved, and the answer that was being written comes back. */
export type TicketReply = FormReply & { saved?: boolean };

export type TicketForm = ReturnType<typeof useTicketForm>;

/**
 * The form of a ticket at the desk. Answer and status are one form with two buttons, so that saving the
 * status without script does not lose an answer that is being written.
 */
export function useTicketForm(reply: TicketReply | undefined) {
  return { ...useReply<Fields>("answer", reply), reply };
}
