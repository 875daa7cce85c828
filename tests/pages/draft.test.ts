import { afterAll, beforeAll, expect, it } from "vitest";
import { config } from "~/config.server";
import { paths, serverPaths } from "~/paths";
import { embeddedPlatform } from "../../server/embedded";
import { draftLinks, draftPath } from "../../server/platform/content/draft-link";
import { importContent } from "../../server/platform/content/import";
import { articleFile, contentFolder, references } from "../support/content";
import { openPages } from "../support/pages";

const { visitor } = openPages();

const { directory, remove } = contentFolder({
  ...references,
  "articles/aube.md": articleFile({ title: "Une aube à relire", draft: true }),
  "articles/an-2099.md": articleFile({ title: "Une année lointaine", date: "2099-01-01" }),
});
afterAll(remove);
beforeAll(async () => void (await importContent((await embeddedPlatform()).database, directory)));

const linkTo = (uid: string) =>
  draftPath(uid, draftLinks(config().secrets).tokenOf(uid, new Date()));

it.each([
  ["aube", "c’est un brouillon"],
  ["an-2099", "Il le sera le 1er janv. 2099 à 00:00"],
])("the link to %s shows it and says what it is", async (uid, words) => {
  const page = await visitor().get(linkTo(uid));
  expect(page.status).toBe(200);
  expect(page.dom.querySelector(".notice")?.text.replace(/\s/g, " ")).toContain(words);
  expect(page.dom.querySelector(".article__main")?.text).toContain("Un texte libre.");
  expect(page.headers.get("x-robots-tag")).toBe("noindex");
  expect(page.headers.get("cache-control")).toContain("no-store");
});

it.each([
  serverPaths.draft("aube", "jeton"),
  "/drafts/aube",
  serverPaths.draft("inconnu", "jeton"),
  `/drafts/aube?token=${"a".repeat(129)}`,
  paths.article("aube"),
  paths.article("an-2099"),
])("%s shows nothing of it", async (path) => {
  const page = await visitor().get(path);
  expect(page.status).toBe(404);
  expect(page.body).not.toContain("relire");
});

it.each([paths.home(), paths.articles(), "/feed.xml", "/sitemap.xml"])(
  "%s does not know what is not published",
  async (path) => {
    const { body } = await visitor().get(path);
    expect(body).not.toMatch(/Une aube à relire|article.aube|an-2099|Une année lointaine/);
  },
);
