import { afterEach, describe, expect, it } from "vitest";
import { createApi, type Api } from "~/api/client";
import type { Carrier } from "~/api/carrier";
import { toEmbedded } from "~/api/embedded.server";
import {
  ConflictError,
  NotFoundError,
  UnauthorizedError,
  ValidationError,
  type ApiError,
} from "~/api/errors";
import { overHttp } from "~/api/over-http";
import { newPerson, PASSWORD, payWith, CARDS } from "../platform/funnel";
import { onEachDatabase, ORIGIN, type TestPlatform } from "../support/platform";
import { openLoopback } from "./loopback";
import { failureOf } from "./scripted";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const carriers: Record<string, (platform: TestPlatform) => Promise<Carrier>> = {
  "in process": async (platform) => toEmbedded({ platform: async () => platform, origin: ORIGIN }),
  "over HTTP": async (platform) => {
    const server = await openLoopback(platform.fetch);
    closing.push(server.close);
    return overHttp(`${server.origin}/api`, (request) => fetch(request));
  },
};

onEachDatabase("the client of the platform", (openPlatform) => {
  describe.each(Object.keys(carriers))("%s", (name) => {
    const open = async () => {
      const platform = await openPlatform();
      const carrier = await carriers[name]?.(platform);
      if (!carrier) throw new Error(`No carrier ${name}`);
      return { platform, ...clientOf(carrier) };
    };

    it("reads a list with its cursor", async () => {
      const { api } = await open();
      const query = { length: 2, tags: ["lune", "soleil"], sort: { date: "asc" as const } };
      const first = await api.call("listArticles", { query });
      expect(first.payload).toHaveLength(2);
      const after = first.page.endCursor ?? "";
      const second = await api.call("listArticles", { query: { ...query, after } });
      const dates = [...first.payload, ...second.payload].map(({ date }) => date);
      expect(dates).toEqual([...dates].sort());
      expect(new Set([...first.payload, ...second.payload].map(({ uid }) => uid)).size).toBe(4);
    });

    it("writes and reads back what was written", async () => {
      const { api, platform, signIn } = await open();
      const { uid, token } = await newPerson(platform);
      signIn(token);
      const body = { profile: { name: "Zoé", favorites: ["lire-son-theme-natal"] } };
      await api.call("setMetadata", { params: { uid }, headers: {}, body });
      const { payload } = await api.call("getMetadata", { params: { uid } });
      expect(JSON.parse(payload.data)).toEqual(body);
    });

    it("carries the violations of a refused registration", async () => {
      const { api } = await open();
      const body = { identifier: "ada@exemple.fr", formula: "inconnue", password: PASSWORD };
      const error = await failureOf(api.call("register", { headers: {}, body }));
      expect(error).toBeInstanceOf(ValidationError);
      expect(error).toMatchObject({
        message: "Validation failed by backend",
        violations: [{ property: "formula", type: "invalid", message: expect.any(String) }],
      });
    });

    it("distinguishes conflict, not found and unauthorized", async () => {
      const { api, platform } = await open();
      const { email } = await newPerson(platform);
      const again = { identifier: email, formula: "vip-mensuel", password: PASSWORD };
      const wrong = { identifier: email, password: "faux" };
      const failures = await Promise.all([
        failureOf(api.call("register", { headers: {}, body: again })),
        failureOf(api.call("getArticle", { params: { uid: "inconnu" } })),
        failureOf(api.call("checkAuth", { body: wrong })),
        failureOf(api.call("getSubscription", {})),
      ]);
      const kinds = [ConflictError, NotFoundError, UnauthorizedError, UnauthorizedError];
      for (const [index, kind] of kinds.entries()) expect(failures[index]).toBeInstanceOf(kind);
      expect(failures[0]).toMatchObject({
        message: "Conflict in request",
        violations: [{ property: "identifier", type: "duplicate" }],
      });
      expect(failures.map((error) => (error as ApiError).line)).toEqual([
        "POST /registrations/register",
        "GET /content/articles/{uid}",
        "POST /auth_check",
        "GET /subscriptions",
      ]);
    });

    it("gets the whole article for a subscriber only", async () => {
      const { api, platform, signIn } = await open();
      const article = { params: { uid: "lire-son-theme-natal" } };
      const opening = (await api.call("getArticle", article)).payload;
      const person = await newPerson(platform);
      await payWith(platform, person, CARDS.success);
      await platform.runDueJobs();
      signIn(person.token);
      const whole = (await api.call("getArticle", article)).payload;
      expect([opening.partial, whole.partial]).toEqual([true, false]);
      expect(whole.body.length).toBeGreaterThan(opening.body.length);
    });

    it("receives the new token once roles changed", async () => {
      const { api, platform, signIn, received } = await open();
      const person = await newPerson(platform);
      signIn(person.token);
      await api.call("getUser", { params: { uid: person.uid } });
      expect(received).toEqual([]);
      await payWith(platform, person, CARDS.success);
      await platform.runDueJobs();
      await failureOf(api.call("getUser", { params: { uid: "un-autre" } }));
      expect(received).toHaveLength(1);
      await api.call("getUser", { params: { uid: person.uid } });
      expect(received).toHaveLength(1);
    });
  });
});

/** A client that signs in with a token and keeps the newest one, as a session does. */
function clientOf(carrier: Carrier) {
  let bearer: string | undefined;
  const received: string[] = [];
  const api: Api = createApi({
    carrier,
    bearer: () => bearer,
    onNextToken: (token) => {
      received.push(token);
      bearer = token;
    },
  });
  const signIn = (token: string) => {
    bearer = token;
  };
  return { api, signIn, received };
}
