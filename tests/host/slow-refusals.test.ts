import { Hono } from "hono";
import { expect, it } from "vitest";
import type { HostEnv } from "../../server/host/http/request";
import { slowRefusals } from "../../server/host/slow-refusals";

/** A host that refuses each post. Its delays last until they are ended. */
function refusingHost() {
  const state = { ms: 0, delayed: 0, end: () => {} };
  const ended = new Promise<void>((resolve) => (state.end = resolve));
  const app = new Hono<HostEnv>();
  app.use(async (context, next) => {
    context.set("clientAddress", context.req.header("x-from") ?? "");
    await next();
  });
  const delay = () => {
    state.delayed++;
    return ended;
  };
  app.use(slowRefusals({ delay, now: () => state.ms }));
  app.post("*", (context) => context.text("no", 403));
  app.get("*", (context) => context.text("yes"));
  const send = async (method: string, from: string) => {
    const env = { outgoing: { closed: false } };
    const init = { method, headers: { "x-from": from } };
    return (await app.request("/login", init, env)).status;
  };
  const refuse = (count: number, from: string) =>
    Promise.all(Array.from({ length: count }, () => send("POST", from)));
  return { state, send, refuse };
}

it("the refusals of one address wait beyond twenty in a second", async () => {
  const { state, send, refuse } = refusingHost();
  await refuse(20, "192.0.2.1");
  expect(state.delayed).toBe(0);
  const more = refuse(5, "192.0.2.1");
  await expect.poll(() => state.delayed).toBe(5);
  // Neither its pages nor the refusals of others wait.
  expect(await send("GET", "192.0.2.1")).toBe(200);
  expect(await refuse(20, "198.51.100.1")).toHaveLength(20);
  expect(state.delayed).toBe(5);
  state.end();
  expect(new Set(await more)).toEqual(new Set([403]));
});

it("the refusals of one address are counted anew in the next second", async () => {
  const { state, refuse } = refusingHost();
  await refuse(20, "192.0.2.1");
  state.ms = 1_000;
  await refuse(20, "192.0.2.1");
  expect(state.delayed).toBe(0);
});

it("a thousand refusals wait at most", async () => {
  const { state, refuse } = refusingHost();
  const answers = refuse(1_030, "192.0.2.1");
  await expect.poll(() => state.delayed).toBe(1_000);
  await refuse(1, "192.0.2.1");
  state.end();
  expect(await answers).toHaveLength(1_030);
  expect(state.delayed).toBe(1_000);
});
