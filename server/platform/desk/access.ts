import { Refusal } from "../http/refusal";
import type { Principal } from "../http/types";
import type { Database } from "../database/tables";
import { findCoach, type Coach } from "./coaches";

/**
 * Who answers, by the name people see. That there is a desk is no secret: 403, not 404.
 * @throws Refusal 403 for who is no coach at this moment
 */
export async function coachOf(db: Database, principal: Principal): Promise<Coach> {
  const coach = principal.roles.coach ? await findCoach(db, principal.uid) : undefined;
  if (!coach) throw new Refusal(403, "The desk is for coaches");
  return coach;
}
