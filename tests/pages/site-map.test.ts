import { describe, expect, it } from "vitest";
import texts from "~/locales/fr/siteMap.json";
import { paths, serverPaths } from "~/paths";
import { isPageHandle, type PageHandle } from "~/session/page-handle";
import type { PageAnswer, Visitor } from "../support/pages";
import { newEmail, PASSWORD, subscribe } from "../support/people";
import { openThreads } from "./threads";

const { visitor, routes, newCoach } = openThreads();

const SITE_MAP = serverPaths.siteMap();

const linksOf = ({ dom }: PageAnswer) =>
  dom
    .querySelectorAll("main .panel a")
    .map((link) => (link.getAttribute("href") ?? "").replaceAll("&amp;", "&"));

const mapFor = async (reader: Visitor) => linksOf(await reader.get(SITE_MAP));

/** Pages with a fixed address to which no list of pages leads. */
const UNLISTED: Record<string, string> = {
  "/site-map": "the list itself",
  "/article": "redirects",
  "/registration/welcome": "the page of a partner's link",
  "/account/export": "a file, which the page of the data gives",
  "/account/email/confirm": "the page of a mailed link",
  "/account/subscription/undo": "only where there is something to undo",
};

/** The fixed addresses of the pages of which this is true. */
const addressesOf = (isListed: (handle: PageHandle) => boolean) =>
  Object.values(routes()).flatMap((route) => {
    const handle: unknown = route?.module.handle;
    const isPage = route && isPageHandle(handle) && route.module.default && isListed(handle);
    const path = `/${route?.path ?? ""}`;
    return isPage && route.id !== "root" && !/[:*]/.test(path) && !(path in UNLISTED) ? [path] : [];
  });

const opensTo = (...roles: string[]) =>
  addressesOf(
    (handle) =>
      handle.secured &&
      (handle.roles.length === 0 || handle.roles.some((role) => roles.includes(role))),
  );

describe("the site map", () => {
  it("leads to each public page", async () => {
    const open = addressesOf(({ secured, indexed }) => indexed && !secured);
    expect(open.length).toBeGreaterThan(12);
    expect(await mapFor(visitor())).toEqual(expect.arrayContaining(open));
  });

  it("leads to the list of each category, author and tag", async () => {
    const { dom } = await visitor().get(paths.articles());
    const lists = dom
      .querySelectorAll("main form input[type=checkbox]")
      .map((box) => paths.articles({ [box.attributes.name ?? ""]: box.attributes.value ?? "" }));
    expect(lists.length).toBeGreaterThan(20);
    expect(await mapFor(visitor())).toEqual(expect.arrayContaining(lists));
  });

  it("names each page once, and only pages that open", async () => {
    const reader = visitor();
    const links = await mapFor(reader);
    expect(new Set(links).size).toBe(links.length);
    for (const path of links) expect([path, (await reader.get(path)).status]).toEqual([path, 200]);
  });

  it("leads subscribers to the pages that open to them", async () => {
    const reader = visitor();
    await subscribe(reader, newEmail());
    const links = await mapFor(reader);
    expect(links).toEqual(expect.arrayContaining([...opensTo("vip"), paths.logout()]));
    expect(links).not.toContain(paths.login());
    expect(links).not.toContain(paths.desk());
    for (const path of links) expect([path, (await reader.get(path)).status]).toEqual([path, 200]);
  });

  it("leads coaches to their desk, and not to the coaching", async () => {
    const links = await mapFor(await newCoach());
    expect(links).toEqual(expect.arrayContaining(opensTo("coach")));
    expect(links).not.toContain(paths.coaching());
    expect(links).not.toContain(serverPaths.accountFavorites());
  });

  it("leads whoever has not paid to the order", async () => {
    const reader = visitor();
    await reader.post(paths.registration(), { email: newEmail(), password: PASSWORD, terms: "on" });
    const links = await mapFor(reader);
    expect(links).toEqual(expect.arrayContaining([...opensTo(), paths.registration()]));
    expect(links).not.toContain(paths.account());
  });

  it("has its own address, name and steps", async () => {
    const { dom } = await visitor().get(`${SITE_MAP}?from=elsewhere`);
    expect(dom.querySelector("link[rel=canonical]")?.getAttribute("href")).toMatch(/\/site-map$/);
    expect(dom.querySelector("title")?.text).toBe(`Cap Céleste - ${texts.title}`);
    const steps = dom.querySelectorAll(".breadcrumb li").map(({ text }) => text);
    expect(steps).toEqual(["Accueil", texts.title]);
  });
});

it.each([
  paths.home(),
  paths.article("lire-son-theme-natal"),
  paths.login(),
  paths.registrationPayment({ utk: "demo-cashback" }),
  serverPaths.page404(),
  serverPaths.page5xx(),
])("the footer of %s leads to the site map", async (path) => {
  const { dom } = await visitor().get(path);
  const link = dom.querySelectorAll("footer a").find(({ text }) => text === texts.title);
  expect(link?.getAttribute("href")).toBe(SITE_MAP);
});
