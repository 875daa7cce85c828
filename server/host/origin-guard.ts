import { isForeignWrite } from "../../app/session/foreign";
import { refuse } from "./refusal";
import { isApiPath, type HostMiddleware } from "./http/request";

/**
 * Refuses writes sent by a page of another site (CSRF). When another site forwards its `/api` here, the
 * sandbox bank's page is posted from that site, so `/api` also accepts the origin of `SITE_URL`.
 */
export function originGuard(siteUrl: string | undefined): HostMiddleware {
  return async (context, next) => {
    const isApi = isApiPath(context.req.path);
    return isForeignWrite(context.req.raw, isApi ? siteUrl : undefined)
      ? refuse(context, "crossSite")
      : next();
  };
}
