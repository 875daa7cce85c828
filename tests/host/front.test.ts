import { expect, it } from "vitest";
import { readConfig } from "~/config.server";
import { front } from "../../server/host/front";
import { listen } from "../../server/host/listen";
import { PageCache } from "../../server/host/page-cache/page-cache";
import { createLog } from "../../server/log";
import { send } from "../support/host";

it("a person whose session cannot be read is answered", async () => {
  const config = readConfig({});
  const log = createLog("silent");
  const listener = front({
    config,
    log,
    phase: () => "serving",
    securityHeaders: () => [],
    cache: new PageCache({ revision: () => "" }),
    shared: { isKnown: () => false, refresh: () => undefined },
    roles: {
      knownPlace: (address) => ({ address, article: null }),
      find: () => Promise.reject(new Error("The database is away")),
    },
    rest: (_, response) => void response.writeHead(503).end(),
  });
  const server = await listen(listener, { port: 0, host: "127.0.0.1" }, log);
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const answer = await send({ port }, "/list", { headers: { cookie: "cap_session=x" } });
  expect(answer.status).toBe(503);
  server.close();
});
