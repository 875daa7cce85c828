import { SECRET_PARAMETER } from "../../app/contract/mailed-link";
import type { Logger } from "../log";
import { isApiPath, isReadMethod, type HostContext, type HostMiddleware } from "./http/request";
import { mayHaveSession } from "./page-cache/address";
import { refuse } from "./refusal";

/** Reasons for the numbers: docs/decisions/0062-new-visitors-last.md. */
const BEGINS_MS = 500;
const ENDS_MS = 100;
const RETRY_AFTER_SECONDS = "5";
/** The log tells at most so often that it goes on. */
const TELL_EVERY_MS = 60_000;

type Parts = {
  log: Logger;
  /** How long a newcomer waits for their turn (`fair-queue.ts`). */
  expectedWaitMs: () => number;
  /** Whether the page is kept ready for those without a session. */
  isKept: (context: HostContext) => boolean;
  turnedAway: () => void;
};

/**
 * While requests wait long for their turn, visitors without a session are asked to come back, unless the page is ready
 * for them. So the turns are left to posts, calls, and people who are signed in or hold a mailed secret.
 */
export function shedding({ log, expectedWaitMs, isKept, turnedAway }: Parts): HostMiddleware {
  let isLate = false;
  let toldAt = -Infinity;
  const findLate = () => {
    const waitMs = expectedWaitMs();
    isLate = waitMs >= (isLate ? ENDS_MS : BEGINS_MS);
    if (isLate && performance.now() - toldAt > TELL_EVERY_MS) {
      toldAt = performance.now();
      log.warn({ waitMs: Math.round(waitMs) }, "late: new visitors are asked to come back");
    }
    return isLate;
  };
  return async (context, next) => {
    if (!findLate() || !isOfNewVisitor(context) || isKept(context)) return next();
    turnedAway();
    context.header("retry-after", RETRY_AFTER_SECONDS);
    return refuse(context, "late");
  };
}

/** Images of the content belong to a page that is shown already. Other images are files, which never come here. */
const IMAGES = "/medias/";

/** Parameters with the secret of a mailed link: the first in links to contact tickets, the second in all others. */
const SECRETS = [SECRET_PARAMETER, "token"];

const holdsMailedSecret = (req: HostContext["req"]) =>
  SECRETS.some((name) => req.query(name) !== undefined);

function isOfNewVisitor({ req }: HostContext) {
  const { method, path } = req;
  if (!isReadMethod(method) || isApiPath(path) || path.startsWith(IMAGES)) return false;
  return !mayHaveSession(req.header("cookie")) && !holdsMailedSecret(req);
}
