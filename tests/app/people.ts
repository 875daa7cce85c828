import { UnsecuredJWT } from "jose";
import type { TokenClaims } from "~/contract/accounts";

const subscriber: TokenClaims = { uid: "ada", identifier: "ada@exemple.fr", acl: { vip: true } };

/** A token as an API issues it. `name` distinguishes it from other tokens. */
export function tokenOf(name: string, claims: Partial<TokenClaims> = {}): string {
  return new UnsecuredJWT({ ...subscriber, ...claims, name }).encode();
}
