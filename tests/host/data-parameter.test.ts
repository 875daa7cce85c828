import { afterEach, expect, it } from "vitest";
import { startSite, type Site } from "../support/site";

let site: Site;
afterEach(() => site.remove());

it("the data parameter of old routers reads nothing", async () => {
  site = await startSite();
  const page = await fetch(`${site.origin}/about?_data=root`);
  expect([page.status, page.headers.get("content-type")]).toEqual([
    200,
    "text/html; charset=utf-8",
  ]);
  const posted = await fetch(`${site.origin}/contact/link?_data=routes%2Fcontact-link%2Froute`, {
    method: "POST",
    body: new URLSearchParams({ email: "not an address" }),
  });
  expect(posted.status).toBe(400);
  expect(await posted.text()).toContain("not an address");
  expect(site.output()).not.toContain('"level":"error"');
});
