import { afterEach, expect, test } from "vitest";
import { paths } from "~/paths";
import { retireDemoContent } from "../../server/platform/content/demo-content";
import { draftLinks } from "../../server/platform/content/draft-link";
import { ContentRefused } from "../../server/platform/content/faults";
import { importContent } from "../../server/platform/content/import";
import { listWaiting } from "../../server/platform/content/waiting";
import { articleFile, contentFolder, references, type Files } from "../support/content";
import { onEachDatabase, SECRETS, type TestPlatform } from "../support/platform";
import { newPerson } from "./funnel";
import { passTo } from "./life";

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

const NOW = new Date("2026-11-20T10:00:00.000Z");
const LATER = "2026-12-01T08:00:00.000Z";

async function put({ database, clock }: TestPlatform, files: Files) {
  const { directory, remove } = contentFolder({ ...references, ...files });
  cleanups.push(remove);
  return importContent(database, directory, clock.now());
}

const statusOf = async (platform: TestPlatform, uid: string) =>
  (await platform.call(`GET /content/articles/${uid}`)).status;

const listed = async (platform: TestPlatform, query = "") => {
  const { body } = await platform.call(`GET /content/articles?length=100${query}`);
  return body.payload.map(({ uid }: { uid: string }) => uid);
};

onEachDatabase("an article that is not published", (open) => {
  test.each([{ draft: true }, { date: LATER }, { date: "2026-11-21" }])(
    "is found nowhere with %j",
    async (front) => {
      const platform = await open();
      await put(platform, { "articles/aube.md": articleFile({ title: "Zénith", ...front }) });
      expect(await statusOf(platform, "aube")).toBe(404);
      expect(await listed(platform)).not.toContain("aube");
      expect(await listed(platform, "&q=zenith")).toEqual([]);
    },
  );

  test("appears by itself when its moment has come", async () => {
    const platform = await open();
    await put(platform, { "articles/aube.md": articleFile({ title: "Zénith", date: LATER }) });
    await passTo(platform, "2026-12-01T07:59:00.000Z");
    expect(await statusOf(platform, "aube")).toBe(404);
    await passTo(platform, "2026-12-01T08:01:00.000Z");
    expect(await statusOf(platform, "aube")).toBe(200);
    expect(await listed(platform, "&q=zenith")).toEqual(["aube"]);
    expect(await listWaiting(platform.database)).toEqual([]);
  });

  test("of a day appears at midnight in Paris", async () => {
    const platform = await open();
    await put(platform, { "articles/aube.md": articleFile({ date: "2026-11-21" }) });
    await passTo(platform, "2026-11-20T22:59:00.000Z");
    expect(await statusOf(platform, "aube")).toBe(404);
    await passTo(platform, "2026-11-20T23:01:00.000Z");
    expect(await statusOf(platform, "aube")).toBe(200);
  });

  test("withdraws what was published, and comes back", async () => {
    const platform = await open();
    await put(platform, {
      "articles/aube.md": articleFile(),
      "articles/nuit.md": articleFile({ related: ["aube"] }),
    });
    await put(platform, { "articles/aube.md": articleFile({ draft: true }) });
    expect(await statusOf(platform, "aube")).toBe(404);
    await put(platform, { "articles/aube.md": articleFile() });
    expect(await statusOf(platform, "aube")).toBe(200);
    const { body } = await platform.call("GET /content/articles/related/nuit");
    expect(body.payload.map(({ uid }: { uid: string }) => uid)).toContain("aube");
  });

  test("published early does not wait any more", async () => {
    const platform = await open();
    await put(platform, { "articles/aube.md": articleFile({ title: "Demain", date: LATER }) });
    await put(platform, { "articles/aube.md": articleFile({ title: "Aujourd’hui" }) });
    await passTo(platform, "2026-12-02T08:00:00.000Z");
    const { body } = await platform.call("GET /content/articles/aube");
    expect(body.payload.title).toBe("Aujourd’hui");
  });

  const relatedTo = async (platform: TestPlatform, uid: string) => {
    const { body } = await platform.call(`GET /content/articles/related/${uid}`);
    return body.payload.map((article: { uid: string }) => article.uid);
  };
  const alone = { category: "cycles", tags: ["mars"] };

  test("appears with another one that it names, and that names it", async () => {
    const platform = await open();
    await put(platform, {
      "articles/aube.md": articleFile({ ...alone, date: LATER, related: ["nuit"] }),
      "articles/nuit.md": articleFile({ date: LATER, related: ["aube"] }),
    });
    await passTo(platform, "2026-12-01T08:01:00.000Z");
    expect(await relatedTo(platform, "aube")).toContain("nuit");
    expect(await relatedTo(platform, "nuit")).toContain("aube");
  });

  test("appears though what named it is withdrawn", async () => {
    const platform = await open();
    const later = articleFile({ date: LATER });
    await put(platform, {
      "articles/aube.md": later,
      "articles/nuit.md": articleFile({ related: ["aube"] }),
    });
    await put(platform, {
      "articles/aube.md": later,
      "articles/nuit.md": articleFile({ draft: true }),
    });
    await passTo(platform, "2026-12-01T08:01:00.000Z");
    expect(await statusOf(platform, "aube")).toBe(200);
  });

  test("appears though what it names got another name", async () => {
    const platform = await open();
    await put(platform, {
      "articles/crepuscule.md": articleFile(alone),
      "articles/nuit.md": articleFile({ date: LATER, related: ["crepuscule"] }),
    });
    await put(platform, {
      "articles/aube.md": articleFile({ ...alone, formerly: ["crepuscule"] }),
    });
    await passTo(platform, "2026-12-01T08:01:00.000Z");
    expect(await statusOf(platform, "nuit")).toBe(200);
  });

  test("keeps its author when the demonstration goes", async () => {
    const platform = await open();
    await put(platform, {
      "articles/aube.md": articleFile({ author: "hugo-lemaire", date: LATER }),
    });
    await retireDemoContent({ db: platform.database, contentDir: "server/content" });
    await passTo(platform, "2026-12-01T08:01:00.000Z");
    expect(await statusOf(platform, "aube")).toBe(200);
  });

  test("stays and is logged where this release does not take it", async () => {
    const errors: string[] = [];
    const error = (_: object, words: string) => errors.push(words);
    const platform = await open({ log: { info() {}, warn() {}, error } });
    await put(platform, {
      "articles/aube.md": articleFile({ date: LATER }),
      "articles/nuit.md": articleFile({ date: LATER }),
    });
    await platform.database
      .updateTable("content_source")
      .set({ source: "---\ntitle: Sans rien\n---\n" })
      .where("uid", "=", "aube")
      .execute();
    await passTo(platform, "2026-12-01T08:01:00.000Z");
    expect(await statusOf(platform, "nuit")).toBe(200);
    expect(await listWaiting(platform.database)).toMatchObject([{ uid: "aube" }]);
    expect(errors.join()).toContain("a planned article cannot be published");
  });

  test("may be named by articles that are published", async () => {
    const platform = await open();
    await put(platform, { "articles/aube.md": articleFile({ draft: true }) });
    await put(platform, { "articles/nuit.md": articleFile({ related: ["aube"] }) });
    expect(await statusOf(platform, "nuit")).toBe(200);
  });
});

onEachDatabase("the link to a draft", (open) => {
  const links = draftLinks(SECRETS);
  const read = (platform: TestPlatform, uid: string, token: string) =>
    platform.call(`GET /content/drafts/${uid}?token=${token}`);

  test("shows the whole article for seven days", async () => {
    const platform = await open();
    const text = "Ouvert.\n\n<!-- vip -->\n\nRéservé.";
    const front = { access: "vip", date: LATER };
    await put(platform, { "articles/aube.md": articleFile(front, text) });
    const token = links.tokenOf("aube", NOW);
    const { status, body } = await read(platform, "aube", token);
    expect(status).toBe(200);
    expect(body.payload).toMatchObject({ uid: "aube", partial: false, publishDateTime: LATER });
    expect(body.payload.body).toContain("Réservé");
    platform.clock.advance(7 * 24 * 60 * 60_000);
    expect((await read(platform, "aube", token)).status).toBe(404);
  });

  test("opens nothing else, and nothing when it is changed", async () => {
    const platform = await open();
    await put(platform, {
      "articles/aube.md": articleFile({ draft: true }),
      "articles/nuit.md": articleFile({ draft: true }),
    });
    const token = links.tokenOf("aube", NOW);
    const [end, mark] = token.split(".");
    const others = [
      `${Number(end) + 1}.${mark}`,
      `${end}.${mark}x`,
      `${end}`,
      "none",
      draftLinks(["another secret"]).tokenOf("aube", NOW),
    ];
    expect((await read(platform, "nuit", token)).status).toBe(404);
    for (const other of others) expect((await read(platform, "aube", other)).status).toBe(404);
  });

  test("leads nowhere once the article is published", async () => {
    const platform = await open();
    await put(platform, { "articles/aube.md": articleFile() });
    expect((await read(platform, "aube", links.tokenOf("aube", NOW))).status).toBe(404);
  });
});

onEachDatabase("an article that got another name", (open) => {
  const moved = articleFile({ formerly: ["crepuscule"] });
  const redirect = async (platform: TestPlatform) =>
    (await platform.call(`GET /redirects?path=${paths.article("crepuscule")}`)).body.payload;

  test("is found by its earlier address", async () => {
    const platform = await open();
    await put(platform, { "articles/crepuscule.md": articleFile() });
    await put(platform, { "articles/aube.md": moved });
    expect(await statusOf(platform, "crepuscule")).toBe(404);
    expect(await redirect(platform)).toEqual({ target: "/article/aube", status: 301 });
    expect(await listed(platform)).not.toContain("crepuscule");
  });

  test("replaces the earlier one when it is published", async () => {
    const platform = await open();
    await put(platform, { "articles/crepuscule.md": articleFile() });
    const later = articleFile({ formerly: ["crepuscule"], date: LATER });
    await put(platform, { "articles/aube.md": later });
    expect(await statusOf(platform, "crepuscule")).toBe(200);
    await passTo(platform, "2026-12-01T08:01:00.000Z");
    expect(await statusOf(platform, "crepuscule")).toBe(404);
    expect(await redirect(platform)).toEqual({ target: "/article/aube", status: 301 });
  });

  test("leads there from articles that name it", async () => {
    const platform = await open();
    await put(platform, {
      "articles/crepuscule.md": articleFile({ category: "cycles", tags: ["mars"] }),
      "articles/nuit.md": articleFile({ related: ["crepuscule"] }),
    });
    await put(platform, {
      "articles/aube.md": articleFile({
        category: "cycles",
        tags: ["mars"],
        formerly: ["crepuscule"],
      }),
    });
    const { body } = await platform.call("GET /content/articles/related/nuit");
    expect(body.payload[0].uid).toBe("aube");
  });

  test("stays among the favorites of those who kept it", async () => {
    const platform = await open();
    await put(platform, { "articles/crepuscule.md": articleFile() });
    const { uid, token } = await newPerson(platform);
    const favorites = ["aube", "venus", "crepuscule", "mars"];
    const body = { profile: { favorites } };
    await platform.call(`PUT /users/${uid}/metadata`, { token, body });
    await put(platform, { "articles/aube.md": moved });
    const stored = await platform.call(`GET /users/${uid}/metadata`, { token });
    expect(stored.body.payload.data).toContain('["aube","venus","mars"]');
  });

  test("may have its name back", async () => {
    const platform = await open();
    await put(platform, { "articles/crepuscule.md": articleFile() });
    await put(platform, { "articles/aube.md": moved });
    await put(platform, { "articles/crepuscule.md": articleFile({ formerly: ["aube"] }) });
    await put(platform, {
      "articles/crepuscule.md": articleFile({ formerly: ["aube"], draft: true }),
    });
    const { status } = await platform.call(`GET /redirects?path=${paths.article("crepuscule")}`);
    expect(status).toBe(404);
  });

  test.each<[string, Files, RegExp]>([
    [
      "still named in the folder",
      {
        "articles/aube.md": moved,
        "articles/nuit.md": articleFile({ related: ["crepuscule"] }),
      },
      /nuit.md:9: article "crepuscule" is now "aube"/,
    ],
    [
      "itself",
      { "articles/crepuscule.md": moved },
      /crepuscule.md:9: formerly: there is an article "crepuscule"/,
    ],
    [
      "one that is there",
      { "articles/aube.md": moved, "articles/crepuscule.md": articleFile() },
      /aube.md:9: formerly: there is an article "crepuscule"/,
    ],
    [
      "one that leads elsewhere",
      {
        "articles/aube.md": moved,
        "redirects.yaml": "- path: /article/crepuscule\n  target: /about\n  status: 301\n",
      },
      /aube.md:9: formerly: \/article\/crepuscule leads to \/about/,
    ],
  ])("cannot have been %s", async (_, files, fault) => {
    const platform = await open();
    const refused = await put(platform, files).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ContentRefused);
    expect(String(refused)).toMatch(fault);
  });
});
