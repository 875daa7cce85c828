import { remembered } from "../remembered";

const SECRET_KEY =
  /^(?:(?:support-)?authorization|(?:set-)?cookie|.*password.*|card_?number|cvv|cvc|credit_?card|.*secrets?|.*token|utk|t)$/i;
const isSecret = remembered((key) => SECRET_KEY.test(key));
const MAX_DEPTH = 6;
/** Secrets in a URL, encoded or not: the token of a sandbox payment page, the token of a mailed link. */
const LINK_SECRET =
  /((?:\/|%2F)sandbox(?:\/|%2F)+pay(?:\/|%2F)+|(?:[?&]|%3F|%26)(?:t|token|utk)(?:=|%3D))[\w%.~-]+/gi;
/** By its Message-ID a mail is found, which may be of digits alone. No fields but this one begin so. */
const CARD = /"messageId":"<[^"\\>]*>"|(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])/g;

/**
 * Copies fields without secrets. Errors keep type, message and stack; a request inside them is
 * dropped.
 */
export function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return copyObject(fields, MAX_DEPTH);
}

/** Masks link secrets and card numbers inside texts, such as a URL or an error message. */
export const maskSecrets = (line: string) => maskCardNumbers(line.replace(LINK_SECRET, "$1…"));

/** A card number keeps its last four digits. */
function maskCardNumbers(line: string): string {
  return line.replace(CARD, (found) => {
    if (found.startsWith('"')) return found;
    const digits = found.replace(/\D/g, "");
    return passesLuhn(digits) ? `[card …${digits.slice(-4)}]` : found;
  });
}

function copy(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Error) return copyError(value, depth);
  if (value instanceof Date) return value.toISOString();
  if (depth === 0) return "[deep]";
  if (Array.isArray(value)) return value.map((item) => copy(item, depth - 1));
  if (value instanceof Headers) return copyObject(Object.fromEntries(value), depth - 1);
  if (value instanceof Map || value instanceof Request || value instanceof Response) {
    return `[${value.constructor.name}]`;
  }
  return copyObject({ ...value }, depth - 1);
}

/** A loop, because each request of each visitor is a line. */
function copyObject(object: Record<string, unknown>, depth: number) {
  const copied: Record<string, unknown> = {};
  for (const key in object) {
    if (Object.hasOwn(object, key))
      copied[key] = isSecret(key) ? "[redacted]" : copy(object[key], depth);
  }
  return copied;
}

function copyError(error: Error, depth: number): Record<string, unknown> {
  const code = "code" in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === "string" && { code }),
    ...(error.cause !== undefined && depth > 0 && { cause: copy(error.cause, depth - 1) }),
  };
}

function passesLuhn(digits: string) {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
