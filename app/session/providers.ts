import { decodeJwt } from "jose";
import { tokenClaims, type TokenClaims } from "~/contract/accounts";
import type { ProviderName } from "./page-handle";

const names: readonly string[] = ["default", "contact"] satisfies ProviderName[];

/** @throws Error when no provider has this name */
export function assertProvider(name: string): asserts name is ProviderName {
  if (!names.includes(name)) throw new Error(`The provider "${name}" doesn't exist`);
}

/**
 * Reads the claims without checking the signature: only the platform has the key. The claims decide
 * what is shown, the platform decides what is allowed.
 * @throws Error when the token cannot be read
 */
export function decodeToken(token: string): TokenClaims {
  try {
    return tokenClaims.parse(decodeJwt(token));
  } catch (cause) {
    throw new Error("Failed to decode token", { cause });
  }
}

/** A token is valid with no expiry or an expiry in the future. */
export function isCurrent({ exp }: TokenClaims, now = Date.now()): boolean {
  return exp === undefined || exp * 1000 > now;
}
