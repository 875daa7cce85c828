import { afterAll, expect, it } from "vitest";
import { paths } from "~/paths";
import { openLoopback } from "../../app/loopback";
import { PASSWORD, type Person } from "../../platform/funnel";
import { subscriber } from "../../platform/life";
import { openPages } from "../../support/pages";
import { onEachDatabase, type TestPlatform } from "../../support/platform";

let platform: TestPlatform;
/** What another tab does between the site's read and its write. */
let others: (() => Promise<unknown>)[] = [];
const api = await openLoopback(async (request) => {
  if (request.method === "PUT") await others.shift()?.();
  return platform.fetch(request);
});
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

async function signedIn({ email }: Person) {
  const reader = visitor();
  await reader.post(paths.login(), { email, password: PASSWORD });
  return reader;
}

async function profileOf({ uid, token }: Person): Promise<unknown> {
  const { body } = await platform.call(`GET /users/${uid}/metadata`, { token });
  return JSON.parse(body.payload.data).profile;
}

const put = ({ uid, token }: Person, profile: object) =>
  platform.call(`PUT /users/${uid}/metadata`, { token, body: { profile } });

onEachDatabase("changes of one profile at the same moment", (open) => {
  it("are all kept: a favorite, and what another tab changed", async () => {
    platform = await open();
    const person = await subscriber(platform);
    const reader = await signedIn(person);
    others = [
      () => put(person, { name: "Zoé", favorites: ["lire-son-theme-natal"] }),
      () => put(person, { name: "Zoé Ada", favorites: ["lire-son-theme-natal"] }),
    ];
    const answer = await reader.post("/article/journal-des-transits", { intent: "keep" });
    expect([answer.status, others]).toEqual([303, []]);
    expect(await profileOf(person)).toEqual({
      name: "Zoé Ada",
      favorites: ["journal-des-transits", "lire-son-theme-natal"],
    });
  });

  it("end with a refusal where one is overtaken without end", async () => {
    platform = await open();
    const person = await subscriber(platform);
    const reader = await signedIn(person);
    others = Array.from({ length: 9 }, (_, step) => () => put(person, { name: `Zoé ${step}` }));
    const answer = await reader.post(paths.account(), { intent: "name", name: "Ada" });
    expect([answer.status, others.length]).toEqual([400, 4]);
    expect(await profileOf(person)).toEqual({ name: "Zoé 4" });
  });

  it("of which one names an older state are refused", async () => {
    platform = await open();
    const person = await subscriber(platform);
    const { uid, token } = person;
    const write = (name: string, tag: string) =>
      platform.call(`PUT /users/${uid}/metadata`, {
        token,
        headers: { "if-match": tag },
        body: { profile: { name } },
      });
    const read = await platform.call(`GET /users/${uid}/metadata`, { token });
    const tag = `"${read.body.payload.modified}"`;
    const answers = await Promise.all([write("Ada", tag), write("Zoé", tag), write("Eve", "x")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await write("Léa", tag)).status).toBe(409);
  });
});
