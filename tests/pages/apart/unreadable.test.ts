import { afterAll, afterEach, describe, expect, it } from "vitest";
import { openPages, type PageAnswer } from "../../support/pages";
import { newEmail, subscribe } from "../../support/people";
import { openLosingApi } from "../losing-api";

const api = await openLosingApi();
afterAll(() => api.close());
afterEach(() => api.answerRight());

const { visitor } = openPages({ API_URL: api.url });

const headingOf = ({ dom }: PageAnswer) => dom.querySelector("main.error-page h1")?.text;
const waitOf = ({ headers }: PageAnswer) => headers.get("retry-after");

describe("a public page that cannot be read", () => {
  it.each([
    [500, 502, "60"],
    [502, 502, "60"],
    [503, 503, "60"],
    [409, 502, "60"],
    [413, 502, "60"],
  ])("after a %i answers %i with a waiting time", async (lie, status, wait) => {
    api.refuse("GET", /\/content\/articles$/, lie);
    const page = await visitor().get("/articles");
    expect([page.status, waitOf(page)]).toEqual([status, wait]);
    expect(headingOf(page)).toBe("Le ciel s’est voilé un instant");
  });

  it.each([
    [503, "240", 503],
    [429, "2520", 429],
  ])("after a %i repeats the API's waiting time", async (lie, wait, status) => {
    api.refuse("GET", /\/content\/pages\/about$/, lie, { "retry-after": wait });
    const page = await visitor().get("/about");
    expect([page.status, waitOf(page)]).toEqual([status, wait]);
  });

  it("answers 400 for a message beyond Latin-1", async () => {
    api.refuse("GET", /\/content\/articles\/.*/, 400);
    expect((await visitor().get("/article/lire-son-theme-natal")).status).toBe(400);
  });
});

describe("public content that refuses a token", () => {
  it("is read without the token", async () => {
    const reader = visitor();
    await subscribe(reader, newEmail());
    api.refuseTokens(/\/content\/articles\//);
    const page = await reader.get("/article/lire-son-theme-natal");
    expect(page.status).toBe(200);
    expect(page.dom.querySelector("h1")?.text).toContain("thème");
  });

  it("from everybody counts as an API failure", async () => {
    api.refuse("GET", /\/content\/articles$/, 401);
    expect((await visitor().get("/articles")).status).toBe(502);
  });
});
