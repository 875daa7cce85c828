import { brotliDecompressSync } from "node:zlib";
import sharp from "sharp";
import { afterEach, expect, test } from "vitest";
import { importContent } from "../../server/platform/content/import";
import { contentFolder, type Files } from "../support/content";
import { openHost, send, type TestHost } from "../support/host";
import { drawing, photo } from "../support/images";
import { onEachDatabase, type TestPlatform } from "../support/platform";

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

async function put({ database }: TestPlatform, files: Files) {
  const { directory, remove } = contentFolder(files);
  cleanups.push(remove);
  await importContent(database, directory);
}

async function openSite(platform?: TestPlatform): Promise<TestHost> {
  const host = await openHost({
    ...(platform && { images: platform.images }),
    pages: () => new Response("the site's own page", { status: 404 }),
  });
  cleanups.push(() => host.server.close());
  return host;
}

onEachDatabase("the address of an image", (open) => {
  async function openLune() {
    const platform = await open();
    await put(platform, { "medias/lune.jpg": await photo({ width: 700, height: 350 }) });
    const path = (await platform.images.fileOfImage("lune.jpg")) ?? "";
    return { platform, host: await openSite(platform), path };
  }

  test.each([
    [".jpg", "image/jpeg"],
    [".webp", "image/webp"],
    [".avif", "image/avif"],
  ])("with a digest shows the same %s for ever", async (end, type) => {
    const { host, path } = await openLune();
    const { status, headers, body } = await send(host, `/medias/${path.replace(".jpg", end)}`);
    expect({ status, ...headers }).toMatchObject({
      status: 200,
      "content-type": type,
      "content-length": String(body.byteLength),
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
    });
    expect(await sharp(body).metadata()).toMatchObject({ mediaType: type, width: 700 });
  });

  test("without one shows what it is now, and is asked for again soon", async () => {
    const { platform, host } = await openLune();
    const first = await send(host, "/medias/lune.jpg");
    expect(first.headers["cache-control"]).toBe("public, max-age=300, must-revalidate");
    const headers = { "if-none-match": first.headers.etag };
    const again = await send(host, "/medias/lune.jpg", { headers });
    expect([again.status, again.body.byteLength]).toEqual([304, 0]);
    await put(platform, { "medias/lune.jpg": await photo({ width: 300, height: 300 }) });
    const changed = await send(host, "/medias/lune.jpg", { headers });
    expect(changed.status).toBe(200);
    expect(await sharp(changed.body).metadata()).toMatchObject({ width: 300 });
  });

  test("answers HEAD with its size only", async () => {
    const { host, path } = await openLune();
    const { body: whole } = await send(host, `/medias/${path}`);
    const { headers, body } = await send(host, `/medias/${path}`, { method: "HEAD" });
    expect([headers["content-length"], body.byteLength]).toEqual([String(whole.byteLength), 0]);
  });

  test("of an image that was replaced leads to the new one", async () => {
    const { platform, path } = await openLune();
    await put(platform, { "medias/lune.jpg": await photo({ width: 300, height: 300 }) });
    const { status, headers } = await send(await openSite(platform), `/medias/${path}`);
    expect([status, headers.location]).toEqual([302, "/medias/lune.jpg"]);
    expect(headers["cache-control"]).toBe("no-store");
  });

  test("of a file that was never there gets a short answer", async () => {
    const { host } = await openLune();
    const { status, body, headers } = await send(host, "/medias/mars.00000000.480.avif");
    expect([status, body.toString()]).toEqual([404, "Not found"]);
    expect(headers["cache-control"]).toBe("no-store");
  });

  test.each([
    "/medias/",
    "/medias/mars.jpg",
    "/medias/lune.png",
    "/medias/Lune.jpg",
    "/medias/lune.00000000.480.exe",
    "/medias/lune.jpg/..",
    "/medias/lune.jpg%27--",
    "/medias/2019/affiche.pdf",
  ])("that shows nothing is left to the site, where it may lead elsewhere: %s", async (path) => {
    const { host } = await openLune();
    const { status, body } = await send(host, path);
    expect([status, body.toString()]).toEqual([404, "the site's own page"]);
  });

  test("of a drawing lets it do nothing, and is compressed", async () => {
    const platform = await open();
    await put(platform, { "medias/plan.svg": drawing() });
    const host = await openSite(platform);
    const file = await platform.images.fileOfImage("plan.svg");
    for (const name of ["plan.svg", file]) {
      const headers = { "accept-encoding": "br" };
      const answer = await send(host, `/medias/${name}`, { headers });
      expect(answer.headers).toMatchObject({
        "content-type": "image/svg+xml",
        "content-encoding": "br",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "x-content-type-options": "nosniff",
      });
      expect(brotliDecompressSync(answer.body).toString()).toBe(drawing());
    }
  });

  test("shows its image without the database once it was shown", async () => {
    const { platform, host, path } = await openLune();
    const first = await send(host, `/medias/${path}`);
    await platform.database.deleteFrom("image_file").execute();
    const again = await send(host, `/medias/${path}`);
    expect(again.body.equals(first.body)).toBe(true);
  });
});

test("images of an external API are not here", async () => {
  const { status, body } = await send(await openSite(), "/medias/lune.jpg");
  expect([status, body.toString()]).toEqual([404, "the site's own page"]);
});
