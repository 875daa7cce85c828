import { expect, it } from "vitest";
import type { Roles } from "~/contract/accounts";
import type { Endpoint } from "~/contract/endpoint";
import { endpoints, type EndpointName } from "~/contract/endpoints";
import { ORIGIN, onEachDatabase, type TestPlatform } from "../support/platform";
import { newCoach } from "./desk";
import { CARDS, newPerson, payWith, rolesOf } from "./funnel";

/**
 * The calls that answer alike to all people with the same roles, with a request for each that is answered:
 * they give nothing that belongs to an account. A page that many people get is made of their answers.
 */
const alike = (article: string) =>
  ({
    getArticle: { uid: article },
    listArticles: {},
    listRelatedArticles: { uid: article },
    listAuthors: {},
    listCategories: {},
    listTags: {},
    getPage: { uid: "privacy" },
  }) satisfies Partial<Record<EndpointName, Record<string, string>>>;

const NAMES = Object.keys(endpoints) as EndpointName[];

const callFor = (platform: TestPlatform, name: EndpointName, params: object, roles: Roles) =>
  platform.answer({
    name,
    params: { ...params },
    search: new URLSearchParams(),
    headers: {},
    body: undefined,
    sender: async () => ({ roles }),
    origin: ORIGIN,
    clientAddress: undefined,
    clientAgent: undefined,
  });

async function restrictedArticle({ database }: TestPlatform) {
  const { uid } = await database
    .selectFrom("article")
    .select("uid")
    .where("restricted", "=", 1)
    .orderBy("uid")
    .executeTakeFirstOrThrow();
  return uid;
}

/** A subscriber who keeps an article and wrote to a coach. */
async function subscriber(platform: TestPlatform, favorite: string) {
  const person = await newPerson(platform);
  await payWith(platform, person, CARDS.success);
  const { token, uid } = person;
  const body = { profile: { name: "Zoé", favorites: [favorite] } };
  expect((await platform.call(`PUT /users/${uid}/metadata`, { token, body })).status).toBe(200);
  const discussion = await platform.call("POST /support/coaching/tickets", {
    token,
    headers: { "idempotency-key": crypto.randomUUID() },
    body: { title: `Le thème de ${uid}`, message: "Bonjour" },
  });
  expect(discussion.status).toBe(201);
  return person;
}

onEachDatabase("a call for roles without an account", (open) => {
  it("is answered only where the answer depends on roles", async () => {
    const platform = await open();
    const params = alike(await restrictedArticle(platform));
    const answered = [];
    for (const name of NAMES) {
      const own = name in params ? params[name as keyof typeof params] : {};
      const { status } = await callFor(platform, name, own, { vip: true, coach: true });
      if (status !== 403) answered.push([name, status]);
    }
    expect(Object.fromEntries(answered)).toEqual(
      Object.fromEntries(Object.keys(params).map((name) => [name, 200])),
    );
  });

  it("is answered nothing of an account without a uid", async () => {
    const platform = await open();
    const shared = Object.keys(alike(""));
    for (const name of NAMES.filter((name) => !shared.includes(name))) {
      const keys = Object.keys((endpoints[name] as Endpoint).request.params?.shape ?? {});
      const nobody = Object.fromEntries(keys.map((key) => [key, ""]));
      const { status } = await callFor(platform, name, nobody, { vip: true, coach: true });
      expect([name, status]).toEqual([name, 403]);
    }
  });

  it.each<[string, Roles]>([
    ["subscribers", { vip: true }],
    ["coaches", { coach: true }],
  ])("says byte for byte what it says to each of two %s", async (_, roles) => {
    const platform = await open();
    const article = await restrictedArticle(platform);
    const people = roles.vip
      ? [await subscriber(platform, article), await subscriber(platform, "autre")]
      : [await newCoach(platform), await newCoach(platform)];
    for (const person of people) expect(await rolesOf(platform, person)).toEqual(roles);
    for (const [name, params] of Object.entries(alike(article))) {
      const { path } = endpoints[name as EndpointName];
      const line = `GET ${path.replace("{uid}", Object.values(params).join())}`;
      const told = [];
      for (const { token } of people) {
        const { status, body } = await platform.call(line, { token });
        told.push([status, JSON.stringify(body)]);
      }
      const forRoles = await callFor(platform, name as EndpointName, params, roles);
      expect([name, told[0]]).toEqual([name, told[1]]);
      expect([name, told[0]]).toEqual([name, [forRoles.status, JSON.stringify(forRoles.body)]]);
      for (const { uid, email } of people) {
        expect(told.join()).not.toContain(uid);
        expect(told.join()).not.toContain(email);
      }
    }
  });

  it("reads a restricted article whole for subscribers only", async () => {
    const platform = await open();
    const uid = await restrictedArticle(platform);
    for (const [roles, partial] of [
      [{ vip: true }, false],
      [{ coach: true }, true],
      [{}, true],
    ] as const) {
      const { body } = await callFor(platform, "getArticle", { uid }, roles);
      expect(body).toMatchObject({ payload: { uid, partial } });
    }
  });

  it("cannot be asked for from outside", async () => {
    const platform = await open();
    const headers = { roles: "vip", "x-roles": "vip", authorization: "Bearer vip" };
    const { body } = await platform.call("GET /content/articles?length=100", { headers });
    const restricted = body.payload.find((one: { restricted: boolean }) => one.restricted);
    const read = await platform.call(`GET /content/articles/${restricted.uid}`, { headers });
    expect(read.body.payload.partial).toBe(true);
  });
});
