import { parse } from "node-html-parser";
import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { embeddedPlatform } from "../../server/embedded";
import texts from "~/locales/fr/error.json";
import { paths, serverPaths } from "~/paths";
import { openHost, send } from "../support/host";
import { openPages, type PageAnswer } from "../support/pages";
import { cardFields, CARDS, reachBank } from "../support/people";

const { visitor } = openPages();

const titleOf = ({ dom }: PageAnswer) => dom.querySelector("title")?.text;
const headingOf = ({ dom }: PageAnswer) => dom.querySelector("main.error-page h1")?.text;

const many = Array.from({ length: 1_001 }, (_, index) => `a=${index}`).join("&");

describe("an error page has a matching title", () => {
  it.each([
    [404, "/nulle-part", texts.page404.title],
    [404, "/page404", texts.page404.title],
    [500, "/page5xx", texts.page5xx.title],
    [400, `/about?${many}`, texts.status[400].title],
    [414, `/${"a".repeat(2_100)}`, texts.status[414].title],
  ])("with %i", async (status, path, title) => {
    const page = await visitor().get(path);
    expect([page.status, headingOf(page)]).toEqual([status, title]);
    expect(titleOf(page)).toBe(`Cap Céleste - ${title}`);
  });

  it("for a post from another site", async () => {
    const headers = { origin: "https://mal.example" };
    const page = await visitor().get("/login");
    expect(page.status).toBe(200);
    const host = await openHost();
    const refused = await send(host, "/login", { method: "POST", headers });
    expect(refused.status).toBe(403);
    const html = refused.body.toString();
    expect(html).toContain(`<title>Cap Céleste - ${texts.status[403].title}</title>`);
    expect(html).toContain(`<h1>${texts.status[403].title}</h1>`);
    host.server.close();
  });
});

describe("the texts of an error page", () => {
  const embedded = z.object({ texts: z.object({ error: z.record(z.string(), z.unknown()) }) });

  const handoffOf = ({ body }: PageAnswer) => parse(body).querySelector("#handoff")?.text;

  it.each([paths.login(), paths.registration(), paths.contactNewTicket(), paths.cancelContract()])(
    "are in %s, where script may draw it",
    async (path) => {
      const sent = handoffOf(await visitor().get(path)) ?? "{}";
      expect(embedded.parse(JSON.parse(sent)).texts.error).toEqual(texts);
    },
  );

  it.each([paths.home(), paths.articles(), serverPaths.page404()])(
    "are not in %s",
    async (path) => {
      const page = await visitor().get(path);
      expect(handoffOf(page)).toBeUndefined();
      expect(page.body).not.toContain(texts.status[414].title);
    },
  );
});

describe("a moved address", () => {
  it.each([
    ["/article/ancien", "/article/lire-son-theme-natal"],
    ["/registration/bravo", "/registration/success"],
    ["/coaching-ancien", "https://ailleurs.example/coaching"],
  ])("%s leads to %s", async (path, target) => {
    const { database } = await embeddedPlatform();
    await database.insertInto("redirection").values({ path, target, status: 301 }).execute();
    const answer = await visitor().get(path);
    expect([answer.status, answer.headers.get("location")]).toEqual([301, target]);
  });

  it("that redirects to itself answers 404", async () => {
    const { database } = await embeddedPlatform();
    const path = "/article/rond";
    await database.insertInto("redirection").values({ path, target: path, status: 301 }).execute();
    expect((await visitor().get(path)).status).toBe(404);
  });
});

it("the bank page's error code names its field", async () => {
  const reader = visitor();
  const bank = await reachBank(reader);
  const page = await reader.follow(await reader.post(bank, cardFields(CARDS.wrongCode)));
  expect(page.path).toBe("/registration/failure");
  const said = page.dom.querySelector("main")?.text;
  expect(said).toContain("Votre banque ne reconnaît pas ce code");
  expect(said).not.toContain("1100004PI2");
});
