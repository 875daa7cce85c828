import { createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { EncryptJWT } from "jose";
import { z } from "zod/v4";

const ALGORITHM = { alg: "dir", enc: "A256GCM" } as const;
/** As `seal` writes it, always the same: what is sealed cannot choose its algorithm. */
const HEADER = Buffer.from(JSON.stringify(ALGORITHM)).toString("base64url");
const IV_BYTES = 12;
const TAG_BYTES = 16;

const claims = z.object({ data: z.unknown(), exp: z.number() });

/** Each purpose has a key of its own: a value sealed for one purpose opens for no other. */
type Purpose = "session" | "secure session" | "session cookie" | "carried form" | "page mark";

/** Encrypts and authenticates `data` under the first secret, valid for `maxAgeSeconds`. */
export async function seal(
  data: object,
  secrets: readonly string[],
  maxAgeSeconds: number,
  purpose: Purpose = "session",
) {
  const [newest] = secrets;
  if (!newest) throw new Error("SESSION_SECRET is empty");
  return new EncryptJWT({ data })
    .setProtectedHeader(ALGORITHM)
    .setExpirationTime(`${maxAgeSeconds}s`)
    .encrypt(keyOf(newest, purpose));
}

/** Opens a value that was sealed with any of the secrets. Null for anything else. */
export async function unseal(
  sealed: string,
  secrets: readonly string[],
  purpose: Purpose = "session",
): Promise<unknown> {
  const parts = partsOf(sealed);
  if (!parts) return null;
  for (const secret of secrets) {
    const opened = claims.safeParse(decrypt(parts, keyOf(secret, purpose))).data;
    if (opened) return opened.exp > Date.now() / 1000 ? opened.data : null;
  }
  return null;
}

type Parts = { iv: Buffer; text: Buffer; tag: Buffer };

/** The parts of a compact JWE (RFC 7516, 7.1) without an encrypted key. */
function partsOf(sealed: string): Parts | null {
  const [header, key, ...others] = sealed.split(".", 6);
  if (header !== HEADER || key !== "" || others.length !== 3) return null;
  const [iv, text, tag] = others.map((part) => Buffer.from(part, "base64url"));
  if (iv?.length !== IV_BYTES || tag?.length !== TAG_BYTES || !text) return null;
  return { iv, text, tag };
}

/**
 * Opens it in this thread. `jose` hands each of these few hundred bytes to another one, which takes 0.2 ms of
 * each request with a session. Null when it was sealed with another key, or is forged.
 */
function decrypt({ iv, text, tag }: Parts, key: KeyObject): unknown {
  const cipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(HEADER)).setAuthTag(tag);
  try {
    const opened = cipher.update(text, undefined, "utf8") + cipher.final("utf8");
    return JSON.parse(opened);
  } catch {
    return null;
  }
}

const keys = new Map<string, KeyObject>();

/** A secret's key for one purpose. Derived once, because each request opens a session. */
export function keyOf(secret: string, purpose: Purpose): KeyObject {
  const name = `${purpose} ${secret}`;
  const known = keys.get(name) ?? deriveKey(secret, purpose);
  keys.set(name, known);
  return known;
}

const deriveKey = (secret: string, purpose: Purpose) =>
  createSecretKey(new Uint8Array(hkdfSync("sha256", secret, "", `cap-celeste ${purpose}`, 32)));
