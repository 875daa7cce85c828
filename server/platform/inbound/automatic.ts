import type { Headers } from "./headers";

const SILENT_SENDERS = ["mailer-daemon", "postmaster"];
const PRECEDENCES = ["bulk", "junk", "list", "auto_reply"];

/** Headers whose presence marks an automatic mail. */
const MARKS = ["x-autoreply", "x-autorespond", "x-auto-response-suppress", "list-id"];

/** Delivery and read reports. */
const REPORT = /^multipart\/report\b/i;

/**
 * Detects mails written by a machine: answering them or adding them to a thread makes loops (RFC
 * 3834).
 */
export function isAutomatic(headers: Headers, from: string | null): boolean {
  const valuesOf = (name: string) => headers.get(name) ?? [];
  const [account = ""] = from?.toLowerCase().split("@") ?? [];
  return (
    SILENT_SENDERS.includes(account) ||
    MARKS.some((name) => headers.has(name)) ||
    valuesOf("auto-submitted").some((value) => firstWord(value) !== "no") ||
    valuesOf("precedence").some((value) => PRECEDENCES.includes(firstWord(value))) ||
    valuesOf("return-path").some((value) => value === "<>") ||
    valuesOf("content-type").some((value) => REPORT.test(value))
  );
}

const firstWord = (value: string) => value.toLowerCase().split(/[\s;(]/)[0] ?? "";
