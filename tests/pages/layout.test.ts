import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { openPages, type PageAnswer } from "../support/pages";
import { newEmail, subscribe } from "../support/people";

const { visitor } = openPages();

const headerLinks = ({ dom }: PageAnswer) =>
  dom.querySelectorAll("header.site-header a").map((link) => link.getAttribute("href"));

describe("the declared layout of a page (R-2.5)", () => {
  it.each([
    paths.registration(),
    serverPaths.welcome(),
    paths.registrationPayment({ utk: "demo-cashback" }),
  ])("offers nothing beside the order at %s", async (path) => {
    const page = await visitor().get(path);
    expect([page.status, headerLinks(page)]).toEqual([200, [paths.home(), paths.login()]]);
  });

  it.each([paths.home(), paths.login(), paths.contact()])(
    "leads everywhere at %s",
    async (path) => {
      expect(headerLinks(await visitor().get(path))).toEqual([
        paths.home(),
        paths.articles(),
        paths.text("about"),
        paths.login(),
        paths.registration(),
      ]);
    },
  );

  it("keeps the ways of somebody signed in", async () => {
    const reader = visitor();
    await subscribe(reader, newEmail());
    expect(headerLinks(await reader.get(paths.account()))).toContain(paths.logout());
  });
});
