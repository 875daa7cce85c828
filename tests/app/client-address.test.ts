import { expect, it } from "vitest";
import { clientAddressOf, clientAgentOf, withClientAddress } from "~/api/client-address.server";
import { json, scripted } from "./scripted";

const HEADER = "x-client-address";
const AGENT = "x-client-agent";

it("a call of the site carries the visitor's address", async () => {
  const answer = () => json(200, { payload: { name: "CAP", url: "https://cap.example" } });
  const known = scripted([answer()], { clientAddress: "203.0.113.9" });
  const unknown = scripted([answer()]);
  await known.api.call("getBankingService", {});
  await unknown.api.call("getBankingService", {});
  expect(known.sent[0]?.headers.get(HEADER)).toBe("203.0.113.9");
  expect(unknown.sent[0]?.headers.get(HEADER)).toBeNull();
});

it.each([
  [{ clientAddress: "203.0.113.9" }, "203.0.113.9"],
  [{ clientAddress: "" }, null],
  [{}, null],
])("a forwarded request takes its address from the host: %j", async (context, address) => {
  const body = JSON.stringify({ some: "body" });
  const headers = { [HEADER]: "198.51.100.66", "content-type": "application/json" };
  const sent = new Request("https://cap.example/api/x", { method: "POST", headers, body });
  const request = withClientAddress(sent, context);
  expect(request.headers.get(HEADER)).toBe(address);
  expect([request.method, await request.json()]).toEqual(["POST", { some: "body" }]);
  expect(clientAddressOf(context) ?? null).toBe(address);
});

it("a call of the site names the visitor's browser", async () => {
  const answer = () => json(200, { payload: { name: "CAP", url: "https://cap.example" } });
  const headers = { "user-agent": "Firefox/150" };
  const clientAgent = clientAgentOf(new Request("https://cap.example", { headers }));
  const known = scripted([answer()], { clientAgent });
  const unknown = scripted([answer()]);
  await known.api.call("getBankingService", {});
  await unknown.api.call("getBankingService", {});
  expect(known.sent[0]?.headers.get(AGENT)).toBe("Firefox/150");
  expect(unknown.sent[0]?.headers.get(AGENT)).toBeNull();
});

it.each([["Firefox/150"], [null]])("a forwarded request names the browser %s", (browser) => {
  const headers = { [AGENT]: "made up", ...(browser && { "user-agent": browser }) };
  const sent = new Request("https://cap.example/api/x", { headers });
  expect(withClientAddress(sent, {}).headers.get(AGENT)).toBe(browser);
});
