import fc from "fast-check";
import sharp from "sharp";
import { afterEach, expect, test } from "vitest";
import { retireDemoContent } from "../../server/platform/content/demo-content";
import { listImages } from "../../server/platform/content/directory";
import { exportContent } from "../../server/platform/content/export";
import { ContentRefused } from "../../server/platform/content/faults";
import { findSvgFault } from "../../server/platform/content/images/check-svg";
import { bytesOf } from "../../server/platform/content/images/rows";
import { importContent } from "../../server/platform/content/import";
import type { Database } from "../../server/platform/database/tables";
import {
  articleFile,
  contentFolder,
  readContent,
  references,
  type Files,
} from "../support/content";
import { drawing, photo } from "../support/images";
import { DAY_MS } from "../../server/platform/ports/durations";
import { draftLinks } from "../../server/platform/content/draft-link";
import { onEachDatabase, SECRETS } from "../support/platform";

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

function folder(files: Files) {
  const { directory, remove } = contentFolder(files);
  cleanups.push(remove);
  return directory;
}

const SHOWN = "![La Lune](/medias/lune.jpg)";
const article = articleFile({}, SHOWN);
const page = (body: string) => `---\ntitle: T\nsummary: S\ndate: 2026-01-01\n---\n\n${body}\n`;
const media = (url: string) =>
  `---\ntitle: Lune\nmimeType: image/jpeg\nurl: ${url}\ndate: 2026-01-01\n---\n`;

async function faultsOf(db: Database, files: Files) {
  const directory = folder(files);
  const refused = await importContent(db, directory).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(refused instanceof ContentRefused)) throw new Error(`Not refused: ${String(refused)}`);
  return refused.message.split("\n").map((line) => line.replace(`${directory}/`, ""));
}

const imagesIn = (db: Database) =>
  db
    .selectFrom("image")
    .select(["name", "digest", "width", "height", "fallback"])
    .where("name", "not in", ["orbites.svg", "phases-de-la-lune.svg", "roue-du-zodiaque.svg"])
    .orderBy("name")
    .execute();

async function filesOf(db: Database, name: string) {
  const rows = await db
    .selectFrom("image_file")
    .select(["path", "bytes"])
    .where("image_name", "=", name)
    .orderBy("path")
    .execute();
  return rows.map(({ path, bytes }) => ({ path, bytes: Buffer.from(bytesOf(bytes)) }));
}

onEachDatabase("images", (open) => {
  test("are shown in sizes and modern formats, each with its own width and height", async () => {
    const { database, call } = await open();
    const lune = await photo({ width: 2000, height: 1000 });
    await importContent(
      database,
      folder({ ...references, "articles/a.md": article, "medias/lune.jpg": lune }),
    );
    const { body } = await call("GET /content/articles/a");
    const digest = /lune\.([\da-f]{8})\./.exec(body.payload.body)?.[1] ?? "";
    expect(body.payload.body.replaceAll(digest, "DIGEST")).toMatchInlineSnapshot(
      `"<p><picture><source type="image/avif" srcset="/medias/lune.DIGEST.480.avif 480w, /medias/lune.DIGEST.960.avif 960w, /medias/lune.DIGEST.1440.avif 1440w" sizes="(min-width: 50rem) 47rem, 92vw"><source type="image/webp" srcset="/medias/lune.DIGEST.480.webp 480w, /medias/lune.DIGEST.960.webp 960w, /medias/lune.DIGEST.1440.webp 1440w" sizes="(min-width: 50rem) 47rem, 92vw"><img src="/medias/lune.DIGEST.960.jpg" width="1440" height="720" alt="La Lune" loading="lazy" decoding="async"></picture></p>"`,
    );
    const files = await filesOf(database, "lune.jpg");
    const found = await Promise.all(
      files.map(async ({ path, bytes }) => {
        const { mediaType, width, height } = await sharp(bytes).metadata();
        return `${path.replace(digest, "DIGEST")} ${mediaType} ${width}×${height}`;
      }),
    );
    expect(found).toMatchInlineSnapshot(`
      [
        "lune.DIGEST.1440.avif image/avif 1440×720",
        "lune.DIGEST.1440.jpg image/jpeg 1440×720",
        "lune.DIGEST.1440.webp image/webp 1440×720",
        "lune.DIGEST.480.avif image/avif 480×240",
        "lune.DIGEST.480.jpg image/jpeg 480×240",
        "lune.DIGEST.480.webp image/webp 480×240",
        "lune.DIGEST.960.avif image/avif 960×480",
        "lune.DIGEST.960.jpg image/jpeg 960×480",
        "lune.DIGEST.960.webp image/webp 960×480",
      ]
    `);
    for (const [, path] of body.payload.body.matchAll(/\/medias\/([\w.-]+)/g)) {
      expect(files.map((file) => file.path)).toContain(path);
    }
  });

  test("of one picture under two names are two images", async () => {
    const { database, images } = await open();
    const lune = await photo({ width: 300, height: 200 });
    await importContent(database, folder({ "medias/lune.jpeg": lune }));
    await importContent(database, folder({ "medias/lune.jpg": lune, "medias/lune.jpeg": lune }));
    const [first, second] = ["lune.jpeg", "lune.jpg"].map((name) => images.fileOfImage(name));
    expect(await first).not.toBe(await second);
    for (const path of [await first, await second]) {
      expect(await images.readFile(path ?? "")).toBeDefined();
    }
  });

  test.each([
    ["jpg", "jpeg", false, "jpg"],
    ["jpeg", "jpeg", false, "jpg"],
    ["png", "png", true, "png"],
    ["webp", "webp", false, "jpg"],
    ["webp", "webp", true, "png"],
    ["avif", "avif", false, "jpg"],
    ["avif", "avif", true, "png"],
  ] as const)("%s: %s, with transparency: %s, falls back to %s", async (end, format, alpha, to) => {
    const { database } = await open();
    const name = `lune.${end}`;
    const files = { [`medias/${name}`]: await photo({ width: 30, height: 20, format, alpha }) };
    await importContent(database, folder(files));
    expect(await imagesIn(database)).toMatchObject([{ width: 30, height: 20, fallback: to }]);
    const ends = (await filesOf(database, name)).map(({ path }) => path.replace(/^.*\.30\./, ""));
    expect(ends.sort()).toEqual(["avif", to, "webp"].sort());
  });

  test("stand upright and tell nothing of where and by whom they were taken", async () => {
    const { database } = await open();
    const lune = await photo({ width: 60, height: 40, orientation: 6 });
    expect(await sharp(lune).metadata()).toHaveProperty("exif");
    await importContent(database, folder({ "medias/lune.jpg": lune }));
    expect(await imagesIn(database)).toMatchObject([{ width: 40, height: 60 }]);
    const { original } = await database
      .selectFrom("image")
      .select("original")
      .where("name", "=", "lune.jpg")
      .executeTakeFirstOrThrow();
    const kept = [Buffer.from(bytesOf(original))];
    for (const { bytes } of await filesOf(database, "lune.jpg")) kept.push(bytes);
    for (const bytes of kept) {
      const { width, height, exif, xmp, iptc, orientation } = await sharp(bytes).metadata();
      expect({ width, height, exif, xmp, iptc, orientation }).toEqual({ width: 40, height: 60 });
      expect(bytes.includes("Claire")).toBe(false);
    }
  });

  test("are made again only where they changed", async () => {
    const { database } = await open();
    const lune = await photo({ width: 60, height: 40 });
    await importContent(database, folder({ "medias/lune.jpg": lune }));
    const bytes = Buffer.from("made before");
    await database.updateTable("image_file").set({ bytes }).execute();
    await importContent(database, folder({ "medias/lune.jpg": lune }));
    expect((await filesOf(database, "lune.jpg")).every((file) => file.bytes.equals(bytes))).toBe(
      true,
    );
    const other = await photo({ width: 60, height: 40, colour: "#123456" });
    await importContent(database, folder({ "medias/lune.jpg": other }));
    const files = await filesOf(database, "lune.jpg");
    expect(files).toHaveLength(3);
    expect(files.some((file) => file.bytes.equals(bytes))).toBe(false);
  });

  test("that are exported are known when they come back", async () => {
    const { database } = await open();
    const lune = await photo({ width: 60, height: 40, orientation: 6 });
    await importContent(database, folder({ "medias/lune.jpg": lune }));
    const before = await imagesIn(database);
    const exported = folder({});
    await exportContent(database, exported);
    await importContent(database, exported);
    expect(await imagesIn(database)).toEqual(before);
  });

  test("that change alone are shown by all that name them", async () => {
    const platform = await open();
    const { database, call, images } = platform;
    const lune = (colour: string) => photo({ width: 60, height: 40, colour });
    const texts = {
      ...references,
      "authors/zoe.md": `---\nname: Zoé Martin\norder: 1\n---\n\n${SHOWN}\n`,
      "pages/about.md": page(SHOWN),
      "articles/a.md": article,
    };
    await importContent(database, folder({ ...texts, "medias/lune.jpg": await lune("#111111") }));
    const shown = async () => {
      const path = await images.fileOfImage("lune.jpg");
      const answers = await Promise.all(
        ["articles/a", "authors/zoe", "pages/about"].map((path) => call(`GET /content/${path}`)),
      );
      for (const { body } of answers) {
        expect(body.payload.body ?? body.payload.biography).toContain(`/${path}"`);
      }
      const setting = database.selectFrom("setting").select("value");
      const revision = await setting.where("name", "=", "content_revision").executeTakeFirst();
      return [path, revision?.value];
    };
    const before = await shown();
    await importContent(database, folder({ "medias/lune.jpg": await lune("#eeeeee") }));
    const after = await shown();
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test("of the withheld part are named to subscribers only", async () => {
    const { database } = await open();
    const small = await photo({ width: 60, height: 40 });
    const body = `${SHOWN}\n\n<!-- vip -->\n\n![Mars](/medias/mars.jpg)`;
    await importContent(
      database,
      folder({
        ...references,
        "articles/a.md": articleFile({ access: "vip" }, body),
        "medias/lune.jpg": small,
        "medias/mars.jpg": small,
      }),
    );
    const free = await readContent(database, "/content/articles/a");
    expect(free.text).toContain("/medias/lune.");
    expect(free.text).not.toContain("mars");
    const whole = await readContent(database, "/content/articles/a", "subscriber");
    expect(whole.text).toContain("/medias/mars.");
  });

  test("of the terms keep their plain address, so that no image makes new terms", async () => {
    const platform = await open();
    const { database, call } = platform;
    const terms = { "pages/terms-of-service.md": page(SHOWN) };
    const lune = (colour: string) => photo({ width: 60, height: 40, colour });
    await importContent(database, folder({ ...terms, "medias/lune.jpg": await lune("#111111") }));
    await platform.runDueJobs();
    const shown = async () => (await call("GET /content/pages/terms-of-service")).body.payload;
    const before = await shown();
    expect(before.body).toContain('src="/medias/lune.jpg"');
    await importContent(database, folder({ ...terms, "medias/lune.jpg": await lune("#eeeeee") }));
    await platform.runDueJobs();
    expect(await shown()).toEqual(before);
    const versions = await database.selectFrom("terms_version").select("number").execute();
    expect(versions).toHaveLength(2);
  });

  test("of planned articles are in the draft, and later as they are then", async () => {
    const platform = await open();
    const { database, call, clock } = platform;
    const lune = (colour: string) => photo({ width: 60, height: 40, colour });
    const date = new Date(clock.now().getTime() + DAY_MS).toISOString();
    const files = { ...references, "articles/a.md": articleFile({ date }, SHOWN) };
    const first = folder({ ...files, "medias/lune.jpg": await lune("#111111") });
    await importContent(database, first, clock.now());
    const token = draftLinks(SECRETS).tokenOf("a", clock.now());
    const draft = await call(`GET /content/drafts/a?token=${token}`);
    expect(draft.body.payload.body).toContain("<picture>");
    await importContent(database, folder({ "medias/lune.jpg": await lune("#eeeeee") }));
    clock.advance(2 * DAY_MS);
    await platform.runDueJobs();
    const path = await platform.images.fileOfImage("lune.jpg");
    const { body } = await call("GET /content/articles/a");
    expect(body.payload.body).toContain(`/${path}"`);
  });

  test("that are missing are faults of the line that names them, and nothing is imported", async () => {
    const { database } = await open();
    const faults = await faultsOf(database, {
      ...references,
      "articles/a.md": articleFile({}, `Un.\n\nDeux\n${SHOWN}.\n\n[grande](/medias/grande.png)`),
      "articles/vip.md": articleFile({ access: "vip" }, `Un.\n\n<!-- vip -->\n\n${SHOWN}`),
      "authors/zoe.md": `---\nname: Zoé Martin\norder: 1\n---\n\n${SHOWN}\n`,
      "categories/signes.md": `---\nname: Signes\norder: 1\n---\n\n${SHOWN}\n`,
      "pages/about.md": page("![Ailleurs](/medias/là/lune.jpg?x)"),
      "medias/lune.md": media("/medias/lune.jpg"),
      "medias/loin.md": media("https://ailleurs.example/lune.jpg"),
      "medias/mars.jpg": await photo({ width: 60, height: 40 }),
    });
    expect(faults).toMatchInlineSnapshot(`
      [
        "articles/a.md:14: there is no image "lune.jpg"",
        "articles/a.md:16: there is no image "grande.png"",
        "articles/vip.md:15: there is no image "lune.jpg"",
        "authors/zoe.md:6: there is no image "lune.jpg"",
        "categories/signes.md:6: there is no image "lune.jpg"",
        "medias/lune.md:4: there is no image "lune.jpg"",
        "pages/about.md:7: there is no image "l%C3%A0/lune.jpg?x"",
      ]
    `);
    expect(await imagesIn(database)).toEqual([]);
    expect(
      await database.selectFrom("article").select("uid").where("uid", "=", "a").execute(),
    ).toEqual([]);
  });

  test("may be stored already", async () => {
    const { database, call } = await open();
    const small = await photo({ width: 60, height: 40 });
    await importContent(database, folder({ "medias/lune.jpg": small }));
    await importContent(
      database,
      folder({
        ...references,
        "articles/a.md": article,
        "medias/lune.md": media("/medias/lune.jpg"),
      }),
    );
    expect((await call("GET /content/articles/a")).body.payload.body).toContain("<picture>");
  });

  test("that cannot be shown are refused with the reason, and nothing is imported", async () => {
    const { database } = await open();
    const jpeg = await photo({ width: 600, height: 400 });
    const frames = await Promise.all(
      ["red", "blue"].map((colour) => photo({ width: 8, height: 8, format: "png", colour })),
    );
    const moving = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    const faults = await faultsOf(database, {
      ...references,
      "medias/good.jpg": jpeg,
      "medias/Grand.jpg": jpeg,
      "medias/deux mots.png": jpeg,
      "medias/film.gif": jpeg,
      "medias/renamed.png": jpeg,
      "medias/cut.jpg": jpeg.subarray(0, jpeg.byteLength / 2),
      "medias/text.jpg": "Bonjour",
      "medias/empty.webp": "",
      "medias/heavy.jpg": Buffer.alloc(20 * 1024 * 1024 + 1),
      "medias/large.png": await photo({ width: 8_001, height: 5_000, format: "png" }),
      "medias/long.png": await photo({ width: 16_384, height: 1, format: "png" }),
      "medias/moving.webp": moving,
      "medias/script.svg": drawing("<script>alert(1)</script>"),
      "medias/torn.svg": drawing().slice(0, -6),
      "medias/latin1.svg": Buffer.from(drawing("<text>é</text>"), "latin1"),
    });
    expect(faults.map((fault) => fault.replace(/ \(.*\)$/, " (…)"))).toMatchInlineSnapshot(`
      [
        "medias/Grand.jpg:1: an image's name has a-z, 0-9 and - and ends in .avif, .jpeg, .jpg, .png, .svg, .webp",
        "medias/cut.jpg:1: is broken (…)",
        "medias/deux mots.png:1: an image's name has a-z, 0-9 and - and ends in .avif, .jpeg, .jpg, .png, .svg, .webp",
        "medias/empty.webp:1: is broken (…)",
        "medias/film.gif:1: an image's name has a-z, 0-9 and - and ends in .avif, .jpeg, .jpg, .png, .svg, .webp",
        "medias/heavy.jpg:1: is larger than 20 MB",
        "medias/large.png:1: has more than 40 megapixels",
        "medias/latin1.svg:1: is not UTF-8",
        "medias/long.png:1: is longer than 16383 pixels",
        "medias/moving.webp:1: is animated",
        "medias/renamed.png:1: is no image/png, as its name says",
        "medias/script.svg:1: has a script",
        "medias/text.jpg:1: is broken (…)",
        "medias/torn.svg:1: is broken (…)",
      ]
    `);
    expect(await imagesIn(database)).toEqual([]);
  });

  test("of an owner's folder are there from the first start, and replace those of the product", async () => {
    const { call, reopen } = await open({
      contentDir: "server/content",
      ownContentDir: folder({
        ...references,
        "articles/a.md": articleFile({}, `${SHOWN}\n\n![Roue](/medias/roue-du-zodiaque.svg)`),
        "medias/lune.jpg": await photo({ width: 60, height: 40 }),
        "medias/orbites.svg": drawing(),
      }),
    });
    const { body: shown } = (await call("GET /content/articles/a")).body.payload;
    expect(shown).toContain("<picture>");
    const { images, database } = await reopen();
    expect(shown).toContain('.720.svg" width="1440" height="960"');
    expect(await images.fileOfImage("orbites.svg")).toMatch(/\.300\.svg$/);
    expect((await imagesIn(database)).map(({ name }) => name)).toEqual(["lune.jpg"]);
  });

  test("of an owner's folder that are faulty refuse the start", async () => {
    const ownContentDir = folder({ ...references, "medias/lune.jpg": "Bonjour" });
    await expect(open({ contentDir: "server/content", ownContentDir })).rejects.toThrow(
      `${ownContentDir}/medias/lune.jpg:1: is broken`,
    );
  });

  test("of the demonstration go with it, unless a text that stays names them", async () => {
    const { database } = await open();
    const body = "![Les planètes](/medias/orbites.svg)";
    await importContent(
      database,
      folder({ ...references, "articles/a.md": articleFile({}, body) }),
    );
    await retireDemoContent({ db: database, contentDir: "server/content" });
    const names = await database.selectFrom("image").select("name").execute();
    expect(names).toEqual([{ name: "orbites.svg" }]);
  });
});

/** Each acts, or asks another host, in some browser. */
const ACTING = [
  "<script>x()</script>",
  "<svg:script xmlns:svg='http://www.w3.org/2000/svg'/>",
  "<SCRIPT/>",
  "<foreignObject><p/></foreignObject>",
  "<rect onclick='x()'/>",
  "<rect\nonload = 'x()'/>",
  "<a href='https://x.example'/>",
  "<a xlink:href='javascript:x()'/>",
  "<a href='&#106;avascript:x()'/>",
  "<image href='//x.example/a.png'/>",
  "<use href='other.svg#a'/>",
  "<use href=''/>",
  "<image href='data:image/svg+xml,x'/>",
  "<set attributeName='href' to='javascript:x()'/>",
  "<animate attributeName=' xlink:href' to='x'/>",
  "<rect fill='url(https://x.example/a)'/>",
  "<rect style='fill:u&#114;l(//x.example)'/>",
  "<style>@import 'a.css';</style>",
  "<style>rect{fill:ur\\6c(//x.example)}</style>",
  "<g xml:base='https://x.example'/>",
  "<iframe/>",
];

const HARMLESS = [
  "<use href='#a'/>",
  '<use xlink:href="#a"/>',
  "<rect fill='url(#a)'/>",
  "<rect style='fill: url(\"#a\")'/>",
  "<text>Une description&#160;: la Lune</text>",
  "<title>Référence</title>",
  "<style>rect { fill: none }</style>",
  "<animate attributeName='opacity' to='1'/>",
  "<!-- un dessin -->",
];

test.each(HARMLESS)("a drawing may have %s", (inside) => {
  expect(findSvgFault(drawing(inside))).toBeUndefined();
});

test("a drawing that acts is refused, whatever stands around it", () => {
  const parts = fc.array(fc.constantFrom(...HARMLESS), { maxLength: 4 });
  fc.assert(
    fc.property(
      parts,
      fc.constantFrom(...ACTING),
      parts,
      fc.boolean(),
      (before, acting, after, within) => {
        const inside = [...before, within ? `<g>${acting}</g>` : acting, ...after].join("\n");
        expect(findSvgFault(drawing(inside))).toBeDefined();
      },
    ),
  );
});

test.each([
  '<!DOCTYPE svg [<!ENTITY a "b">]>',
  '<?xml-stylesheet href="a.css"?>',
  '<?xml version="1.0" encoding="utf-7"?>',
])("a drawing that begins with %s is refused", (head) => {
  expect(findSvgFault(head + drawing())).toBeDefined();
});

test("a folder of images that cannot be read is a fault", async () => {
  await expect(listImages(folder({ medias: "no folder" }))).rejects.toThrow(ContentRefused);
  expect(await listImages(folder({ "articles/a.md": articleFile() }))).toEqual([]);
});
