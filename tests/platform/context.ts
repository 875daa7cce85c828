import { addDuration } from "~/contract/calendar";
import { keyedSubjects } from "../../server/platform/limits/subject";
import type { SubscriptionContext } from "../../server/platform/subscriptions/context";
import { siteAt } from "../support/site-names";
import type { TestPlatform } from "../support/platform";

export const silent = { info() {}, warn() {}, error() {} };

/** As the platform makes it for its rules, for tests that call one of them. */
export function subscriptionContext({ database: db, clock }: TestPlatform): SubscriptionContext {
  return {
    db,
    clock,
    log: silent,
    calendar: addDuration,
    activationDelaySeconds: 0,
    site: siteAt(null),
    subjects: keyedSubjects(["a secret for tests only, long enough"]),
  };
}
