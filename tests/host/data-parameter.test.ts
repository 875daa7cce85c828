import { afterEach, expect, it } from "vitest";
import { startSite, type Site } from "../support/site";

let site: Site;
afterEach(() => site.remove());

// Names are compared decoded, so that each of these is the same parameter.
it.each(["_data", "%5Fdata", "_%64ata"])(
  "the parameter %s of old routers reads nothing",
  async (name) => {
    site = await startSite();
    // With a session, so that the page is not one that is kept for all.
    const page = await fetch(`${site.origin}/about?${name}=root`, {
      headers: { cookie: "cap_session=of-nobody" },
    });
    expect([page.status, page.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    const posted = await fetch(
      `${site.origin}/contact/link?${name}=routes%2Fcontact-link%2Froute`,
      {
        method: "POST",
        body: new URLSearchParams({ email: "not an address" }),
      },
    );
    expect(posted.status).toBe(400);
    expect(await posted.text()).toContain("not an address");
    expect(site.output()).not.toContain('"level":"error"');
  },
);
