import { Hono } from "hono";
import type { Config } from "../../app/config.server";
import type { Logger } from "../log";
import { accessLog } from "./access-log";
import { bodyLimit } from "./body-limit";
import { compression } from "./compression";
import { tagPages } from "./etag";
import { forwarding } from "./forwarding";
import { healthz, readyz } from "./health";
import { originGuard } from "./origin-guard";
import type { PublicFile } from "./public-files";
import { setErrorPageLook, refuse } from "./refusal";
import { requestQueue } from "./request-queue";
import type { HostContext, HostEnv, HostMiddleware } from "./request";
import { securityHeaders } from "./security-headers";
import { staticFiles } from "./static-files";

type Parts = {
  config: Pick<
    Config,
    | "apiUrl"
    | "defaultFormula"
    | "siteUrl"
    | "siteTitle"
    | "trustedProxies"
    | "hsts"
    | "paymentOrigins"
  >;
  log: Logger;
  files: ReadonlyMap<string, PublicFile>;
  pages: (context: HostContext) => Promise<Response>;
  isDraining: () => boolean;
};

/** Builds the host. Each request passes the middleware in the order given here. */
export function hostApp({ config, log, files, pages, isDraining }: Parts): Hono<HostEnv> {
  setErrorPageLook(config.siteTitle, files);
  const app = new Hono<HostEnv>();
  app.use(accessLog(log), forwarding(config, log));
  app.use(closeWhen(isDraining), securityHeaders(config), bodyLimit());
  app.get("/healthz", healthz);
  app.get("/readyz", readyz(config, log, isDraining));
  app.use(
    staticFiles(files),
    originGuard(config.siteUrl),
    requestQueue(),
    compression(),
    tagPages(),
  );
  app.all("*", pages);
  app.onError((err, context) => {
    const requestId = context.get("requestId");
    // A client that disconnects before the response is no failure of the site.
    if (context.env.outgoing.closed) {
      log.info({ requestId }, "request given up");
      return refuse(context, "givenUp");
    }
    log.error({ err, requestId }, "request failed");
    return refuse(context, "broken");
  });
  return app;
}

/** Closes connections while draining: an open one would wait for its next request. */
function closeWhen(isDraining: () => boolean): HostMiddleware {
  return async (context, next) => {
    await next();
    if (isDraining()) context.header("connection", "close");
  };
}
