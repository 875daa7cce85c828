import { isForeignWrite } from "../../app/session/foreign";
import { refuse } from "./refusal";
import type { HostMiddleware } from "./request";

/**
 * Refuses writes that another site's page sends (CSRF). Behind another site, which forwards its `/api`
 * here, the bank's page is sent from that site's origin.
 */
export function originGuard(siteUrl: string | undefined): HostMiddleware {
  return async (context, next) => {
    const isApi = context.req.path.startsWith("/api/");
    return isForeignWrite(context.req.raw, isApi ? siteUrl : undefined)
      ? refuse(context, "crossSite")
      : next();
  };
}
