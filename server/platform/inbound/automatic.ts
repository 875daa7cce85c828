import type { Headers } from "./headers";

/** Headers whose presence marks an automatic mail. */
const MARKS = ["x-autoreply", "x-autorespond"];
const AUTOMATIC_PRECEDENCES = ["junk", "auto_reply"];

/** Marks that lists and company servers put on the mails of people, too. */
const SHARED_MARKS = ["x-auto-response-suppress", "list-id"];
const SHARED_PRECEDENCES = ["bulk", "list"];

/** Delivery and read reports. */
const REPORT = /^multipart\/report\b/i;

/**
 * Tells who wrote a mail. Answering those of machines, or adding them to a thread, makes loops (RFC 3834):
 * those that `perhaps` are of a machine are left to people.
 */
export function writerOf(headers: Headers, from: string | null): "person" | "machine" | "perhaps" {
  const valuesOf = (name: string) => headers.get(name) ?? [];
  const precedences = valuesOf("precedence").map(firstWord);
  const [account = ""] = from?.toLowerCase().split("@") ?? [];
  const isOfMachine =
    account === "mailer-daemon" ||
    MARKS.some((name) => headers.has(name)) ||
    valuesOf("auto-submitted").some((value) => firstWord(value) !== "no") ||
    precedences.some((word) => AUTOMATIC_PRECEDENCES.includes(word)) ||
    valuesOf("return-path").some((value) => value === "<>") ||
    valuesOf("content-type").some((value) => REPORT.test(value));
  if (isOfMachine) return "machine";
  const isShared =
    account === "postmaster" ||
    SHARED_MARKS.some((name) => headers.has(name)) ||
    precedences.some((word) => SHARED_PRECEDENCES.includes(word));
  return isShared ? "perhaps" : "person";
}

const firstWord = (value: string) => value.toLowerCase().split(/[\s;(]/)[0] ?? "";
