import { refuse } from "./refusal";
import { isRead, type HostContext, type HostMiddleware } from "./request";

/**
 * Refuses writes that another site's page sends (CSRF). Programs send no `Origin` and pass; the
 * hidden `Origin: null` of sandboxed frames does not.
 */
export function originGuard(): HostMiddleware {
  return async (context, next) => {
    const origin = context.req.header("origin");
    const passes = isRead(context.req.method) || !origin || hostOf(origin) === ownHost(context);
    return passes ? next() : refuse(context, "crossSite");
  };
}

/** The same host that Remix compares with. */
function ownHost(context: HostContext) {
  const forwarded = context.req.header("x-forwarded-host")?.split(",")[0]?.trim();
  return forwarded ?? context.req.header("host");
}

function hostOf(origin: string) {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
