import { z } from "zod/v4";

/** No mail program writes a longer head. */
export const MAX_HEAD_BYTES = 128 * 1024;

/** The head of a mail: enough to decide whether its sender may write to a ticket. */
export const mailHead = z.object({
  /** Null when there is no sender or more than one. */
  from: z.string().nullable(),
  /** Identifies the mail: its Message-ID, or a digest when it has none. */
  name: z.string(),
  writer: z.enum(["person", "machine", "perhaps"]),
  recipients: z.array(z.string()),
  /** Uids of our mails that it answers, the latest last. */
  answered: z.array(z.string()),
});
export type MailHead = z.infer<typeof mailHead>;

export const mailBody = z.object({
  name: z.string(),
  /** The sender's own text, and what was cut from the mail (`cut/reply.ts`). */
  own: z.string(),
  cut: z.array(z.string()),
  isShort: z.boolean(),
  attachments: z.number(),
});
export type MailBody = z.infer<typeof mailBody>;
