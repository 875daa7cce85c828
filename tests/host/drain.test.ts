import { describe, expect, it } from "vitest";
import { drain } from "../../server/host/drain";
import { openHost, send } from "../support/host";
import { waitForMail } from "../support/mailed";
import { startSite } from "../support/site";

const ASKED = { name: "Ada", title: "Ma carte", message: "Bonjour" };

describe("a stopping host", () => {
  it("finishes the request under way and takes no other", async () => {
    let arrived = () => {};
    const underWay = new Promise<void>((resolve) => (arrived = resolve));
    const host = await openHost({
      pages: async () => {
        arrived();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return new Response("done");
      },
    });
    const answer = send(host, "/");
    await underWay;
    const drained = drain(host.server);
    await expect(send(host, "/")).rejects.toThrow();
    expect((await answer).body.toString()).toBe("done");
    await drained;
  });

  it("cuts off what takes too long", async () => {
    const host = await openHost({ pages: () => new Promise<Response>(() => {}) });
    const answer = send(host, "/").catch(() => "cut off");
    await new Promise((resolve) => setTimeout(resolve, 100));
    await drain(host.server, 100);
    expect(await answer).toBe("cut off");
  });

  it("lets the streams of its pages come to their end", async () => {
    const site = await startSite();
    try {
      const written = await fetch(`${site.origin}/api/support/contact/tickets`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...ASKED, email: "ada@exemple.fr" }),
      });
      expect(written.status).toBe(201);
      const { text } = await waitForMail(site, "ada@exemple.fr", "bien reçu");
      const link = /\/contact\/tickets\/[\w-]+\?t=[\w-]+/.exec(text)?.[0] ?? "";
      const stream = await fetch(site.origin + link.replace("?", "/events?"));
      const reader = stream.body?.getReader();
      expect((await reader?.read())?.done).toBe(false);
      const stopped = site.stop();
      // One that is cut off throws.
      while (!(await reader?.read())?.done);
      expect(await stopped).toBe(0);
    } finally {
      await site.remove();
    }
  });
});
