/**
 * How long the hashes of the network address that sent a notice are kept: they tell repetitions within an hour, and
 * senders of many receipts that wait for a place in a mailbox.
 */
export const NOTICE_SENDER = { days: 7 };

/** In its place afterwards: a notice without a sender came by post. */
export const FORGOTTEN_SENDER = "";
