import { describe, expect, it } from "vitest";
import { drain } from "../../server/host/drain";
import { openHost, send } from "../support/host";

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
});
