import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { FakeClock } from "../../../server/platform/ports/clock";
import { paths } from "~/paths";
import { openLoopback } from "../../app/loopback";
import { PASSWORD } from "../../platform/funnel";
import { back, loseCard, mailAbout, passDays, subscriber } from "../../platform/life";
import { dispute, giveAllBack, openSubscribed, tell } from "../../platform/reversals";
import { orderUndecided } from "../../platform/undecided";
import { openPages, type PageAnswer } from "../../support/pages";
import { onEachDatabase, type TestPlatform } from "../../support/platform";

let platform: TestPlatform;
const api = await openLoopback((request) => platform.fetch(request));
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-12-01T10:00:00Z") });
});
afterAll(() => vi.useRealTimers());

const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";
const linkIn = ({ dom }: PageAnswer, path: string) => dom.querySelector(`main a[href="${path}"]`);
const PAGES = [paths.account(), paths.accountSubscription()];

async function signedIn({ email }: { email: string }) {
  const reader = visitor();
  await reader.post(paths.login(), { email, password: PASSWORD });
  return reader;
}

onEachDatabase("a contract that ended without a stop", (open) => {
  it("unpaid is bought again with its account", async () => {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passDays(platform, 10);
    const reader = await signedIn(person);
    await passDays(platform, 5);
    // The first answer renews the roles of the session.
    const answers = await Promise.all(PAGES.map((path) => reader.get(path)));
    for (const page of answers) {
      expect(mainOf(page)).toContain("Vous pouvez vous abonner de nouveau avec ce compte");
      expect(mainOf(page)).not.toContain("vous inscrire de nouveau");
      expect(linkIn(page, paths.registration())?.text).toBe("M’abonner de nouveau");
    }
    for (const path of [paths.login(), paths.registration()]) {
      const page = await reader.get(path);
      expect(page.status).toBe(200);
      expect(mainOf(page)).not.toContain("renoncer à ce contrat");
    }
  });

  it("leaves nothing to cancel, as the recap says", async () => {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passDays(platform, 15);
    const { email } = person;
    const reader = await signedIn(person);
    const recapFor = async (typed: string) => {
      const notice = { name: "Ada Byron", email: typed, intent: "recap" };
      return mainOf(await reader.post(paths.cancelContract(), notice));
    };
    const own = await recapFor(email);
    expect(own).toMatch(/Votre contrat est déjà terminé, depuis le \d+\s\S+\s\d{4}/);
    expect(own).toContain("n’y change rien");
    expect(own).not.toContain("Vous gardez l’accès");
    expect(await recapFor("autre@exemple.fr")).toContain("Vous gardez l’accès");
  });

  it("says nothing certain of a notice that an order keeps waiting", async () => {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passDays(platform, 40);
    await orderUndecided(platform, await back(platform, person));
    const reader = await signedIn(person);
    const notice = { name: "Ada Byron", email: person.email };
    const recaps = [
      await reader.post(paths.cancelContract(), { ...notice, intent: "recap" }),
      await reader.post(paths.withdrawal(), { ...notice, intent: "recap" }),
    ].map(mainOf);
    expect(recaps[0]).toContain("Un débit déjà en cours à la banque peut encore réussir");
    expect(recaps[1]).toContain("Si le délai de rétractation court encore");
    for (const words of recaps) expect(words).not.toMatch(/déjà terminé|n’est remboursé/);
    const sent = await reader.post(paths.cancelContract(), { ...notice, intent: "notify" });
    const receipt = mainOf(await reader.follow(sent));
    expect(receipt).toContain("Si un contrat en cours y correspond");
    expect(receipt).not.toContain("prend fin le");
  });

  it("unpaid is not on hold, whatever the date of the site", async () => {
    vi.setSystemTime(new Date("2026-11-20T10:00:00Z"));
    try {
      platform = await open({ clock: new FakeClock() });
      const person = await subscriber(platform);
      await loseCard(platform, person);
      await passDays(platform, 10);
      const reader = await signedIn(person);
      await passDays(platform, 5);
      const page = await reader.get(paths.accountSubscription());
      expect(mainOf(page)).toContain("Vous pouvez vous abonner de nouveau avec ce compte");
      expect(mainOf(page)).not.toContain("peut encore reprendre");
    } finally {
      vi.setSystemTime(new Date("2026-12-01T10:00:00Z"));
    }
  });

  it("on hold may go on, and needs no cancellation first", async () => {
    const shop = await openSubscribed(open, { isRenewed: true });
    platform = shop.platform;
    const reader = await signedIn(shop.person);
    await tell(shop, "charge.dispute.created", dispute(shop, shop.newest));
    const answers = await Promise.all(PAGES.map((path) => reader.get(path)));
    const login = await (await signedIn(shop.person)).get(paths.login());
    for (const page of [...answers, login]) {
      expect(page.status).toBe(200);
      expect(mainOf(page)).toMatch(/peut encore reprendre, jusqu’au 27\sdéc\.\s2026/);
      expect(mainOf(page)).toMatch(/si vous résiliez ce contrat.*ce compte est ensuite supprimé/i);
      expect(mainOf(page)).not.toMatch(/résiliez-le|deux fois les mêmes jours/);
      expect(mainOf(page)).not.toMatch(/s’inscrire|inscrire de nouveau|a pris fin/);
      expect(page.dom.querySelectorAll("main a.button").map(({ text }) => text)).toEqual(
        expect.arrayContaining(["M’abonner de nouveau", "Résilier ce contrat"]),
      );
      expect(linkIn(page, paths.registration())?.classNames).not.toContain("button--primary");
      expect(linkIn(page, paths.cancelContract())?.classNames).toContain("button--quiet");
    }
    const notice = { name: "Ada Byron", email: shop.person.email, intent: "recap" };
    expect(mainOf(await reader.post(paths.cancelContract(), notice))).toMatch(
      /déjà fermé, depuis le 27\snov\.\s2026.*compte est ensuite supprimé/,
    );
  });

  it("on hold says so beside the order it leads to", async () => {
    const shop = await openSubscribed(open, { isRenewed: true });
    platform = shop.platform;
    await giveAllBack(shop, shop.newest);
    const { email } = shop.person;
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, email, "ended");
    const [, link = "missing"] = /https?:\/\/[^/\s]+(\/\S*returnTo\S*)/.exec(text) ?? [];
    const reader = visitor();
    const led = await reader.follow(await reader.post(link, { email, password: PASSWORD }));
    const direct = await reader.get(paths.registration());
    expect(led.path).toBe(paths.registrationPayment());
    for (const page of [led, direct]) {
      expect(page.dom.querySelector("main form [name=offer]")).not.toBeNull();
      expect(mainOf(page)).toMatch(/peut encore reprendre, jusqu’au 27\sdéc\.\s2026/);
    }
  });
});
