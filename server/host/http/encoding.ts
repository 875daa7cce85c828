import { remembered } from "../../remembered";

export const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Bodies below this size gain nothing from compression. */
export const MIN_COMPRESSED_BYTES = 1024;

const COMPRESSIBLE =
  /^(?:text\/|application\/(?:json|javascript|manifest\+json|xml|[\w.-]+\+(?:json|xml))|image\/svg)/;

export const isCompressible = (contentType: string | null) =>
  COMPRESSIBLE.test(contentType ?? "") && !contentType?.startsWith("text/event-stream");

/** Chooses our preferred encoding that the client accepts (RFC 9110, 12.5.3); null means none. */
export function negotiateEncoding(
  accept: string | undefined,
  offered: readonly Encoding[] = ENCODINGS,
): Encoding | null {
  if (!accept) return null;
  const accepted = weights(accept);
  const quality = (encoding: string) => accepted.get(encoding) ?? accepted.get("*") ?? 0;
  return offered.find((encoding) => quality(encoding) > 0) ?? null;
}

/** The weights in an `Accept-Encoding`. Most visitors send one of few. */
const weights = remembered((accept) => new Map(accept.split(",").map(weight)));

function weight(part: string): [string, number] {
  const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
  const q = parameters.find((text) => text.startsWith("q="));
  return [name, q ? Number(q.slice(2)) || 0 : 1];
}
