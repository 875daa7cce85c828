import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { EncryptJWT, jwtDecrypt } from "jose";

const ALGORITHM = { alg: "dir", enc: "A256GCM" } as const;

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
  if (sealed === "") return null;
  for (const secret of secrets) {
    try {
      const { payload } = await jwtDecrypt(sealed, keyOf(secret, purpose), {
        keyManagementAlgorithms: [ALGORITHM.alg],
        contentEncryptionAlgorithms: [ALGORITHM.enc],
      });
      return payload.data;
    } catch {
      // Sealed with another secret, forged or expired: the next secret is tried.
    }
  }
  return null;
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
