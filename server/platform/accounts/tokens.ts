import { errors, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { z } from "zod/v4";
import { tokenClaims } from "../../../app/contract/accounts";
import { SESSION_SECONDS } from "../../../app/contract/limits";
import type { Clock } from "../ports/clock";
import { deriveKeys } from "../ports/keys";

/** A token with less time left than this is replaced on the next call. */
export const TOKEN_RENEWAL_SECONDS = SESSION_SECONDS / 2;

/**
 * A signature stays valid, and only the expiry is compared again: a page makes several calls with one
 * token. A token has some 400 bytes.
 */
const MAX_VERIFIED = 2_000;

/** Fixed: a token must not choose its own algorithm (RFC 8725, 3.1). */
const ALGORITHM = "HS256";

const sessionClaims = tokenClaims.extend({ exp: z.number(), iat: z.number(), session: z.string() });
export type SessionClaims = z.infer<typeof sessionClaims>;
export type NewClaims = Omit<SessionClaims, "exp" | "iat">;

export type Tokens = ReturnType<typeof createTokens>;

/** Signs and verifies bearer tokens: the first secret signs, all of them verify. */
export function createTokens(secrets: readonly string[], clock: Clock) {
  const keys = deriveKeys(secrets, "bearer token");
  const [signingKey] = keys;
  if (!signingKey) throw new Error("At least one secret is needed to sign tokens");
  const verified = new LRUCache<string, SessionClaims>({ max: MAX_VERIFIED });
  return {
    async sign(claims: NewClaims): Promise<string> {
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + SESSION_SECONDS)
        .sign(signingKey);
    },
    async verify(token: string): Promise<SessionClaims | null> {
      const known = verified.get(token);
      if (known) return known.exp > clock.now().getTime() / 1000 ? known : null;
      for (const key of keys) {
        const claims = await verifyWith(key, token, clock.now());
        if (claims) verified.set(token, claims);
        if (claims) return claims;
      }
      return null;
    },
    nearsEnd: ({ exp }: SessionClaims) =>
      exp - clock.now().getTime() / 1000 < TOKEN_RENEWAL_SECONDS,
  };
}

/** Null for a token that is malformed, unsigned, signed by another key or expired. */
async function verifyWith(key: Uint8Array, token: string, currentDate: Date) {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: [ALGORITHM], currentDate });
    return sessionClaims.safeParse(payload).data ?? null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
