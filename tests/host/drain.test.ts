import { describe, expect, it } from "vitest";
import { drain } from "../../server/host/drain";
import { openHost, send } from "../support/host";
import { waitForMail } from "../support/mailed";
import { startSite } from "../support/site";

const ASKED = { name: "Ada", title: "Ma carte", message: "Bonjour" };

/** Pages that all answer `answer`, and tell when the first of them was asked for. */
function slowPages(answer: Promise<Response>) {
  let arrived = () => {};
  const underWay = new Promise<void>((resolve) => (arrived = resolve));
  const pages = () => {
    arrived();
    return answer;
  };
  return { pages, underWay };
}

describe("a stopping host", () => {
  it("finishes the current request and accepts no other", async () => {
    let finish = (_: Response) => {};
    const pages = slowPages(new Promise<Response>((resolve) => (finish = resolve)));
    const host = await openHost(pages);
    const answer = send(host, "/");
    await pages.underWay;
    const drained = drain(host.server, 60_000);
    await expect(send(host, "/")).rejects.toThrow();
    finish(new Response("done"));
    expect((await answer).body.toString()).toBe("done");
    await drained;
  });

  it("ends a request that takes too long, and names it", async () => {
    const pages = slowPages(new Promise<Response>(() => {}));
    const host = await openHost(pages);
    const answer = send(host, "/slow?t=secret").catch(() => "cut off");
    await pages.underWay;
    expect(await drain(host.server, 100)).toEqual(["GET /slow"]);
    expect(await answer).toBe("cut off");
  });

  it("names the first twenty of those that it ends, cut", async () => {
    let begun = 0;
    const host = await openHost({
      pages: () => {
        begun++;
        return new Promise<Response>(() => {});
      },
    });
    const path = `/${"a".repeat(1_000)}`;
    const from = (last: number) => ({ headers: { "x-forwarded-for": `192.0.${last}.1` } });
    const answers = Array.from({ length: 25 }, (_, last) =>
      send(host, path, from(last)).catch(() => "cut off"),
    );
    await expect.poll(() => begun).toBe(25);
    const named = await drain(host.server, 100);
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["cut off"]));
    expect([named.length, named.at(-1)]).toEqual([21, "5 more"]);
    expect(Math.max(...named.map(({ length }) => length))).toBe(200);
  });

  it("ends event streams with a time to come back", async () => {
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
      let last: Uint8Array | undefined;
      // One that is cut off throws.
      for (let read = await reader?.read(); !read?.done; read = await reader?.read())
        last = read?.value;
      expect(new TextDecoder().decode(last)).toMatch(/^retry: \d+\n\n$/);
      expect(await stopped).toBe(0);
    } finally {
      await site.remove();
    }
  });
});
