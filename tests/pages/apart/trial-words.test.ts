import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { openPages, type PageAnswer } from "../../support/pages";
import { openElsewhere } from "../elsewhere";

let isOfferUnread = false;

const { url, platform, close } = await openElsewhere((request, platform) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/api/offers" && isOfferUnread) return new Response(null, { status: 503 });
  return platform.fetch(request);
});
afterAll(close);

const { visitor } = openPages({ API_URL: url });

const TRIAL = /(?<!\p{L})essais?(?!\p{L})/iu;

const setTrial = (days: number | null) =>
  platform.database
    .updateTable("formula")
    .set({
      trial_amount: days && 100,
      trial_duration: days,
      trial_duration_unit: days === null ? null : "day",
    })
    .where("uid", "=", "vip-mensuel")
    .execute();

/** The words of the links that lead to the registration. */
const calls = ({ dom }: PageAnswer) => [
  ...new Set(
    dom.querySelectorAll(`main a[href="${paths.registration()}"]`).map(({ text }) => text.trim()),
  ),
];

beforeEach(() => (isOfferUnread = false));

describe("a trial is promised where the offer has one", () => {
  it("on the home page, and nowhere beside it", async () => {
    await setTrial(7);
    const page = await visitor().get(paths.home());
    expect(calls(page)).toEqual(["Commencer l’essai"]);
    expect(page.dom.querySelector("header.site-header")?.text).not.toMatch(TRIAL);
  });

  it.each([
    ["without a trial", false],
    ["whose offer cannot be read", true],
  ])("not by a site %s", async (_, unread) => {
    await setTrial(unread ? 7 : null);
    isOfferUnread = unread;
    const home = await visitor().get(paths.home());
    expect([home.status, calls(home)]).toEqual([200, ["S’abonner"]]);
    for (const path of [paths.home(), paths.articles(), paths.registration()]) {
      const { dom } = await visitor().get(path);
      // The titles of articles are their authors' words.
      for (const card of dom.querySelectorAll("article")) card.remove();
      expect([path, TRIAL.exec(dom.text)]).toEqual([path, null]);
      const descriptions = dom.querySelectorAll("meta").map((one) => one.getAttribute("content"));
      expect(descriptions.join()).not.toMatch(TRIAL);
    }
  });
});
