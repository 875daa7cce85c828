import { Refusal } from "../http/refusal";
import type { Principal } from "../http/types";
import type { Database } from "../database/tables";
import { findCoach, type Coach } from "./coaches";

/**
 * Finds the coach of the principal.
 * @throws Refusal 403 when the account is not a coach now; not 404, because the desk is no secret
 */
export async function requireCoach(db: Database, principal: Principal): Promise<Coach> {
  const coach = principal.roles.coach ? await findCoach(db, principal.uid) : undefined;
  if (!coach) throw new Refusal(403, "The desk is for coaches");
  return coach;
}
