import { z } from "zod/v4";

/** No mail program writes a longer one. */
export const MAX_HEAD_BYTES = 128 * 1024;

/** A mail without its words: enough to tell whether anybody may write so. */
export const mailHead = z.object({
  /** Null: none, or several, of whom none can be asked. */
  from: z.string().nullable(),
  /** Names the mail for good: its Message-ID, or what stands for one. */
  name: z.string(),
  isAutomatic: z.boolean(),
  recipients: z.array(z.string()),
  /** Mails of ours that it answers, by their uid, the nearest last. */
  answered: z.array(z.string()),
});
export type MailHead = z.infer<typeof mailHead>;

export const mailBody = z.object({
  name: z.string(),
  /** Without what it quotes. */
  text: z.string(),
  attachments: z.number(),
});
export type MailBody = z.infer<typeof mailBody>;
