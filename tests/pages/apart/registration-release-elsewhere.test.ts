import { afterAll, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { openLoopback } from "../../app/loopback";
import { openPages } from "../../support/pages";

const lists = { payload: [], page: { hasNextPage: false, endCursor: null } };
const api = await openLoopback(async (request) =>
  /\/content\/\w+$/.test(new URL(request.url).pathname)
    ? Response.json(lists)
    : Response.json({ message: "Non" }, { status: 404 }),
);
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

it("the page says when an API lacks releases", async () => {
  const reader = visitor();
  const answer = await reader.post(serverPaths.registrationRelease(), { token: "abc" });
  expect(answer.headers.get("location")).toBe(paths.registration());
  expect((await reader.follow(answer)).html).toContain("ne peut pas être libérée ici");
});

it.each([serverPaths.registrationRelease("abc"), serverPaths.resetPasswordUpdate("abc")])(
  "a link that an API cannot check shows its form: %s",
  async (path) => {
    const { status, dom } = await visitor().get(path);
    expect([status, dom.querySelector("main form [name=token]")?.attributes.value]).toEqual([
      200,
      "abc",
    ]);
  },
);
