import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll } from "vitest";
import { embeddedPlatform } from "../../server/embedded";
import type { Platform } from "../../server/platform";
import { openHost, send, type TestHost } from "../support/host";
import { openPages } from "../support/pages";
import { newAccount, SECRET, type Account } from "./role-people";

type Headers = Record<string, string>;

/**
 * The built site behind the host, in this process, with subscribers whose rights a test changes in the
 * database.
 */
export function openRoleSite(count: number) {
  const { visitor, handle, routes } = openPages({ SESSION_SECRET: SECRET, SITE_URL: "" });
  const accounts: Account[] = [];
  const made: string[] = [];
  let platform: Platform;
  let host: TestHost;
  let proxied: TestHost;
  let revision = 0;
  let gate = Promise.resolve();

  beforeAll(async () => {
    platform = await embeddedPlatform();
    for (let n = 0; n < count; n++) accounts.push(await newAccount(platform.database, visitor()));
    host = await openBehind("10.0.0.1");
    proxied = await openBehind("127.0.0.1");
  });
  afterAll(() => {
    host.server.close();
    proxied.server.close();
  });
  const openBehind = (proxy: string, alter?: (html: string) => string) =>
    openHost({
      env: { TRUSTED_PROXIES: proxy },
      routes: routes(),
      revision: () => String(revision),
      people: platform,
      pages: async (request, clientAddress, forWhom) => {
        const standIn = forWhom && "standIn" in forWhom ? forWhom.standIn : null;
        if (standIn) made.push(Object.keys(standIn.roles).sort().join("+"));
        if (standIn) await gate;
        const page = await handle(request, { clientAddress, ...forWhom });
        return alter ? new Response(alter(await page.text()), page) : page;
      },
    });

  return {
    accounts,
    /** The roles for whom pages were made that others may get, one entry a page. */
    made,
    database: () => platform.database,
    /** Behind no proxy whose forwarding headers it trusts. */
    host: () => host,
    /** Behind one that it trusts, which every request comes from. */
    proxied: () => proxied,
    revise: () => void revision++,
    /** Pages for roles are made only after the returned function was called. */
    hold() {
      let release = () => {};
      gate = new Promise((resolve) => (release = resolve));
      return () => release();
    },
    async get(path: string, cookie: string, more: Headers = {}, at = host) {
      const answer = await send(at, path, { headers: { ...(cookie && { cookie }), ...more } });
      return { ...answer, text: decoded(answer), cache: answer.headers["x-cache"] };
    },
    /** What the site answers without the cache. */
    async ordinary(
      path: string,
      cookie: string,
      origin = `http://127.0.0.1:${host.port}`,
      saveData?: string,
    ) {
      const saving = saveData !== undefined && { "save-data": saveData };
      const init = { headers: { ...(cookie && { cookie }), ...saving } };
      const response = await handle(new Request(`${origin}${path}`, init), {});
      return {
        status: response.status,
        text: await response.text(),
        caching: response.headers.get("cache-control") ?? undefined,
        writes: response.headers.has("set-cookie"),
      };
    },
    /** The site with other texts on its pages. */
    openAltered: (alter: (html: string) => string) => openBehind("10.0.0.1", alter),
    /** The site with an external API knows nobody. */
    openWithoutPeople: () =>
      openHost({ routes: routes(), pages: (request) => handle(request, {}) }),
    /** The address of an article that only subscribers read whole, or that all do. */
    async article(isRestricted: boolean) {
      const { uid } = await platform.database
        .selectFrom("article")
        .select("uid")
        .where("restricted", "=", isRestricted ? 1 : 0)
        .orderBy("uid")
        .executeTakeFirstOrThrow();
      return `/article/${uid}`;
    },
  };
}

type Coded = Pick<Awaited<ReturnType<typeof send>>, "headers" | "body">;

export function decoded({ headers, body }: Coded): string {
  const encoding = body.byteLength === 0 ? undefined : headers["content-encoding"];
  if (encoding === "br") return brotliDecompressSync(body).toString();
  return (encoding === "gzip" ? gunzipSync(body) : body).toString();
}

/** The owner marks of the forms on a page. */
export const marksIn = (text: string) =>
  [...text.matchAll(/name="owner" value="([^"]*)"/g)].map(([, mark]) => mark);
