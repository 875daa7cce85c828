import { expect, it } from "vitest";
import { paths } from "~/paths";
import { CONSENT_VERSION } from "~/session/preferences.server";
import { openPages } from "../support/pages";

const { visitor } = openPages();

it.each([paths.home(), paths.articles(), "/privacy"])(
  "nobody is asked at %s where nothing needs consent",
  async (path) => {
    const page = await visitor().get(path, {
      cookie: `consent=accept.${CONSENT_VERSION}.1795633874`,
    });
    expect(page.dom.querySelector(".consent")).toBeNull();
    expect(page.dom.querySelector("script#third-parties")).toBeNull();
    expect(page.dom.querySelector(`footer a[href="${paths.cookies()}"]`)).not.toBeNull();
  },
);

it("the page of the cookies says that nothing waits for consent", async () => {
  const page = await visitor().get(paths.cookies());
  expect(page.dom.querySelector("main")?.text).toMatch(/Ce site n’en fait pas/);
  expect(page.dom.querySelector("main form")).toBeNull();
  const answer = await visitor().post(paths.cookies(), { intent: "accept" });
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([303, []]);
});
