/** `leaver`: a subscriber who sends what may end their own session or account. */
export const SENDERS = ["nobody", "vip", "coach", "leaver"] as const;
export type Sender = (typeof SENDERS)[number];

/**
 * One request as a program would send it. Texts name people and their things by a `~place~` of the
 * roster, so that the same seed gives the same requests, whatever their uids are this time.
 */
export type SentRequest = {
  kind: "request";
  /** The call or page it began as: failures are gathered by it. */
  target: string;
  sender: Sender;
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: string;
  /** `latin1`: each character is a byte, which gives bytes that are no UTF-8. */
  encoding: "utf8" | "latin1";
};

/** What no client library would send: the bytes of a whole connection. */
export type RawRequest = { kind: "raw"; target: string; text: string };

export type HostileRequest = SentRequest | RawRequest;

export type Pairs = readonly (readonly [string, string])[];

export function encodePairs(pairs: Pairs): string {
  return pairs.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`).join("&");
}

/** Half a surrogate pair has no percent-encoding: its bytes are sent all the same. */
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

/** For a failure's message: long texts are cut, what cannot be seen is escaped. */
export function describeRequest(request: HostileRequest): string {
  return JSON.stringify(request, (_, value: unknown) =>
    typeof value === "string" && value.length > SHOWN
      ? `${value.slice(0, SHOWN)}… (${value.length} characters)`
      : value,
  );
}

const SHOWN = 250;
