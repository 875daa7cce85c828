import { expect, it } from "vitest";
import { endpoints, type EndpointName } from "~/contract/endpoints";
import { CALLS_BY_ROLE } from "../../server/platform/http/types";
import { ORIGIN, onEachDatabase, type TestPlatform } from "../support/platform";

const callFor = (platform: TestPlatform, name: EndpointName, params = {}) =>
  platform.answer({
    name,
    params,
    search: new URLSearchParams(),
    headers: {},
    body: undefined,
    sender: async () => ({ roles: { vip: true, coach: true } }),
    origin: ORIGIN,
    clientAddress: undefined,
    clientAgent: undefined,
  });

onEachDatabase("a call for roles without an account", (open) => {
  it("is refused where the answer depends on more than roles", async () => {
    const platform = await open();
    for (const name of Object.keys(endpoints) as EndpointName[]) {
      const { status } = await callFor(platform, name);
      if (CALLS_BY_ROLE.has(name)) expect([name, status]).not.toEqual([name, 403]);
      // 404: the embedded platform does not have the call.
      else expect([403, 404], name).toContain(status);
    }
  });

  it("reads a restricted article whole for subscribers", async () => {
    const platform = await open();
    const { uid } = await platform.database
      .selectFrom("article")
      .select("uid")
      .where("restricted", "=", 1)
      .executeTakeFirstOrThrow();
    const { body } = await callFor(platform, "getArticle", { uid });
    expect(body).toMatchObject({ payload: { uid, partial: false } });
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
