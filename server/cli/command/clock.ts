import type { Config } from "../../../app/config.server";
import type { Database } from "../../platform/database/tables";
import { systemClock, type Clock } from "../../platform/ports/clock";
import { SandboxClock } from "../../platform/ports/sandbox-clock";

/** The time of the site: in the sandbox it may have been moved ahead. */
export async function clockOf({ paymentGateway }: Config, db: Database): Promise<Clock> {
  if (paymentGateway !== "sandbox") return systemClock;
  const clock = new SandboxClock(db);
  await clock.catchUp();
  return clock;
}
