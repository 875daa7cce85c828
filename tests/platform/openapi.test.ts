import { expect, it } from "vitest";
import type { Endpoint } from "../../app/contract/endpoint";
import { endpoints } from "../../app/contract/endpoints";
import { openApi, openApiAnswer } from "../../server/platform/http/openapi";
import { sharedBytesOf } from "../../server/whole-body";
import { onEachDatabase } from "../support/platform";

const operationOf = (paths: Record<string, Record<string, unknown>>, endpoint: Endpoint) =>
  paths[endpoint.path]?.[endpoint.method.toLowerCase()];

it("the contract is described once for all who ask", () => {
  const [one, other] = [openApi("Cap", "https://a.example"), openApi("Cap", "https://b.example")];
  expect(one.paths).toBe(other.paths);
  expect(one.servers).toEqual([{ url: "https://a.example/api" }]);
});

it("the description is written once for all who ask", () => {
  const ask = () => sharedBytesOf(openApiAnswer("Cap", "https://a.example"));
  expect(ask()).toBeInstanceOf(Uint8Array);
  expect(ask()).toBe(ask());
});

onEachDatabase("the contract", (open) => {
  it("is sent from the same bytes each time", async () => {
    const platform = await open();
    const ask = () => platform.fetch(new Request("http://localhost/api/openapi.json"));
    const [one, other] = [sharedBytesOf(await ask()), sharedBytesOf(await ask())];
    expect(one).toBeInstanceOf(Uint8Array);
    expect(one).toBe(other);
  });

  it("describes every call with all its answers", async () => {
    const platform = await open();
    const { status, body } = await platform.call("GET /openapi.json");
    expect([status, body.openapi]).toEqual([200, "3.1.0"]);
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      const statuses = [...Object.keys(endpoint.answers), ...endpoint.errors.map(String)];
      expect(operationOf(body.paths, endpoint)).toMatchObject({
        operationId: name,
        responses: Object.fromEntries(statuses.map((code) => [code, expect.any(Object)])),
      });
    }
  });

  it("declares which calls need a token", async () => {
    const { body } = await (await open()).call("GET /openapi.json");
    expect(body.paths["/subscriptions"].get.security).toEqual([{ bearer: [] }]);
    expect(body.paths["/content/articles"].get.security).toContainEqual({});
  });

  it("states the constraints of each body", async () => {
    const { body } = await (await open()).call("GET /openapi.json");
    const { schema } =
      body.paths["/registrations/register"].post.requestBody.content["application/json"];
    expect(schema.required).toEqual(["identifier", "formula"]);
    expect(schema.properties.password).toMatchObject({ minLength: 8, maxLength: 50 });
  });
});
