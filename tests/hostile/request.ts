/** `leaver`: a subscriber for requests that may end the sender's session or account. */
export const SENDERS = ["nobody", "vip", "coach", "leaver"] as const;
export type Sender = (typeof SENDERS)[number];

/**
 * One request of an HTTP client. Uids and secrets are written as placeholders (`~own~`), which the roster
 * replaces. So the same seed gives the same requests, although uids differ in each run.
 */
export type SentRequest = {
  kind: "request";
  /** The call or page from which it was generated. Failures are grouped by it. */
  target: string;
  sender: Sender;
  method: string;
  /** Includes the query. */
  path: string;
  headers: Record<string, string>;
  body: string;
  /** `latin1`: each character is one byte, for bodies that are not valid UTF-8. */
  encoding: "utf8" | "latin1";
};

/** The bytes of a whole connection, for requests that no HTTP client sends. */
export type RawRequest = { kind: "raw"; target: string; text: string };

export type HostileRequest = SentRequest | RawRequest;

export type Pairs = readonly (readonly [string, string])[];

export function encodePairs(pairs: Pairs): string {
  return pairs.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`).join("&");
}

/** Percent-encodes a text. Half a surrogate pair, which `encodeURIComponent` refuses, is sent as bytes. */
export function encodePart(text: string): string {
  const part = [...text].map(encodeCharacter).join("");
  return part.replaceAll("%20", "+");
}

export function encodeCharacter(character: string): string {
  if (!/\p{Cs}/u.test(character)) return encodeURIComponent(character);
  const unit = character.charCodeAt(0);
  const bytes = [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase()}`).join("");
}

/** Describes a request for the message of a failure: long texts are cut, invisible characters escaped. */
export function describeRequest(request: HostileRequest): string {
  return JSON.stringify(request, (_, value: unknown) =>
    typeof value === "string" && value.length > SHOWN
      ? `${value.slice(0, SHOWN)}… (${value.length} characters)`
      : value,
  );
}

const SHOWN = 250;
