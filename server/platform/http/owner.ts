import { notFound } from "./refusal";
import type { Principal } from "./types";

/** @throws Refusal 404 for the uid of another account, as for an unknown one */
export function requireOwner(uid: string, principal: Principal) {
  if (uid !== principal.uid) throw notFound();
}
