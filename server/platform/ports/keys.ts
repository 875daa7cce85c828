import { hkdfSync } from "node:crypto";

const KEY_BYTES = 32;

/** Derives one key per secret for one purpose, so that a key is never used for two things (RFC 5869). */
export function deriveKeys(secrets: readonly string[], purpose: string): Uint8Array[] {
  return secrets.map(
    (secret) => new Uint8Array(hkdfSync("sha256", secret, "", `cap-celeste ${purpose}`, KEY_BYTES)),
  );
}
