import { afterAll, expect, it } from "vitest";
import { filePaths, paths } from "~/paths";
import { articleFile, contentFolder, references } from "../../support/content";
import { photo } from "../../support/images";
import { openPages, SITE } from "../../support/pages";

const body =
  "![La Lune](/medias/lune.jpg)\n\n<!-- vip -->\n\nUne éclipse.\n\n![Mars](/medias/mars.jpg)";
const { directory, remove } = contentFolder({
  ...references,
  "redirects.yaml": "- { path: /medias/affiche.pdf, target: /article/eclipse, status: 301 }\n",
  "articles/eclipse.md": articleFile({ access: "vip" }, body),
  "medias/lune.jpg": await photo({ width: 1200, height: 800 }),
  "medias/mars.jpg": await photo({ width: 300, height: 200, colour: "#aa3300" }),
});
afterAll(remove);

const { visitor } = openPages({ CONTENT_DIR: directory });

it("an article shows its images in formats and widths, with their place kept", async () => {
  const { dom } = await visitor().get(paths.article("eclipse"));
  const picture = dom.querySelector(".article__body picture");
  const sources = picture?.querySelectorAll("source") ?? [];
  expect(sources.map((source) => source.getAttribute("type"))).toEqual([
    "image/avif",
    "image/webp",
  ]);
  expect(picture?.querySelector("img")?.attributes).toMatchObject({
    alt: "La Lune",
    width: "1200",
    height: "800",
    loading: "lazy",
    decoding: "async",
  });
});

it("feeds show them at whole addresses", async () => {
  const { body } = await visitor().get(filePaths.feed());
  const whole = `${SITE}/medias/`;
  expect(body.split(whole).length).toBeGreaterThan(5);
  expect(body.replaceAll(whole, "")).not.toContain("/medias/");
});

it("what is withheld names no image to visitors", async () => {
  const addresses = [
    paths.article("eclipse"),
    `${paths.articles()}?q=eclipse`,
    filePaths.feed(),
    paths.home(),
  ];
  for (const path of addresses) {
    const { status, body } = await visitor().get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(body).not.toMatch(/mars\.(?:jpg|[\da-f]{8})/);
  }
});

it("an image is there without the host, as in development", async () => {
  const page = await visitor().get(paths.article("eclipse"));
  const file = page.dom.querySelector(".article__body picture img")?.getAttribute("src") ?? "";
  for (const address of [file, "/medias/lune.jpg"]) {
    const answer = await visitor().open(address);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(new Uint8Array(await answer.arrayBuffer()).subarray(0, 2)).toEqual(
      new Uint8Array([0xff, 0xd8]),
    );
  }
});

it("a missing image is a plain text that nobody keeps", async () => {
  const missing = await visitor().open("/medias/soleil.jpg");
  expect([missing.status, await missing.text()]).toEqual([404, "Not found\n"]);
  expect(missing.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(missing.headers.get("cache-control")).toBe("no-store");
});

it("an address where no image is may lead elsewhere", async () => {
  const { status, headers } = await visitor().get("/medias/affiche.pdf");
  expect([status, headers.get("location")]).toEqual([301, "/article/eclipse"]);
});
