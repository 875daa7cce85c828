import type { Config } from "../../../app/config.server";
import type { Database } from "../../platform/database/tables";
import { systemClock, type Clock } from "../../platform/ports/clock";
import { SandboxClock } from "../../platform/database/sandbox-clock";

/** Reads the site's clock. In the sandbox, `npm run sandbox -- advance` may have moved it ahead. */
export async function openClock({ paymentGateway }: Config, db: Database): Promise<Clock> {
  if (paymentGateway !== "sandbox") return systemClock;
  const clock = new SandboxClock(db);
  await clock.catchUp();
  return clock;
}
