import { isForeignWrite } from "../../app/session/foreign";
import { refuse } from "./refusal";
import type { HostMiddleware } from "./request";

/** Refuses writes that another site's page sends (CSRF). */
export function originGuard(): HostMiddleware {
  return async (context, next) =>
    isForeignWrite(context.req.raw) ? refuse(context, "crossSite") : next();
}
