import { afterAll, expect, it } from "vitest";
import { tokenOf } from "../../app/people";
import { openPages } from "../../support/pages";
import { openLyingApi } from "../lying-api";

const api = await openLyingApi();
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: api.url });

const EVENTS = "/coaching/t1/events";

it("a stream that never opened gives its place back", async () => {
  api.tell();
  api.signIn(tokenOf("signed in"));
  const reader = visitor();
  await reader.post("/login", { email: "ada@exemple.fr", password: "un mot de passe" });
  const cookie = reader.cookie();
  const open = () => visitor().open(EVENTS, { headers: { cookie } });
  for (const [how, status] of [
    [401, 302],
    [404, 404],
    [500, 503],
  ] as const) {
    api.tell({ call: "getTicket", how });
    for (let times = 0; times < 6; times++) expect((await open()).status).toBe(status);
  }
  api.tell();
  const { status, body } = await open();
  await body?.cancel();
  expect(status).toBe(200);
});
