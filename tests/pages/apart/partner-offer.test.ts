import { afterAll, expect, it } from "vitest";
import { paths } from "~/paths";
import { openLoopback } from "../../app/loopback";
import { newPerson, PASSWORD } from "../../platform/funnel";
import { onEachDatabase, type TestPlatform } from "../../support/platform";
import { openPages, type PageAnswer, type Visitor } from "../../support/pages";

let platform: TestPlatform;

const api = await openLoopback((request) => platform.fetch(request));
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

const PARTNER = { utk: "demo-cashback" };
const OWN = "C’est l’offre d’un partenaire.";
/** Strangers read its beginning. */
const ARTICLE = paths.article("lire-son-theme-natal");
const USUAL = paths.registration({ utk: "" });
const TRIALS = { partner: "14 jours à 4,90 €", usual: "7 jours à 1,00 €" };

const wordsOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text.replace(/\s+/g, " ") ?? "";

onEachDatabase("a partner's offer", (open) => {
  async function led() {
    platform = await open();
    const reader = visitor();
    await reader.get(paths.registration(PARTNER));
    return reader;
  }

  async function advertised(reader: Visitor) {
    const pages = await Promise.all([reader.get(paths.home()), reader.get(ARTICLE)]);
    return pages.map((page) => {
      const words = wordsOf(page);
      return [TRIALS.partner, TRIALS.usual].filter((trial) => words.includes(trial));
    });
  }

  it("is advertised as it is sold", async () => {
    const reader = await led();
    expect(await advertised(reader)).toEqual([[TRIALS.partner], [TRIALS.partner]]);
    expect(wordsOf(await reader.get(paths.registration()))).toContain(TRIALS.partner);
  });

  it("changes no page and no cookie of others", async () => {
    const reader = await led();
    const stranger = visitor();
    expect(await advertised(stranger)).toEqual([[TRIALS.usual], [TRIALS.usual]]);
    expect(stranger.cookie()).toBe("");
    for (const path of [paths.home(), ARTICLE]) {
      expect((await reader.get(path)).headers.has("set-cookie")).toBe(false);
    }
  });

  it.each([paths.registration(), paths.registrationPayment()])(
    "is named at %s, with the way to the usual one",
    async (path) => {
      const reader = await led();
      const page = await reader.get(path);
      expect(wordsOf(page)).toContain(OWN);
      expect(page.dom.querySelector(`main a[href="${USUAL}"]`)?.text).toBe(
        "Voir l’offre habituelle",
      );
      const usual = wordsOf(await reader.get(USUAL));
      expect(usual).toContain(TRIALS.usual);
      expect(usual).not.toContain(OWN);
      expect(await advertised(reader)).toEqual([[TRIALS.usual], [TRIALS.usual]]);
    },
  );

  it("is forgotten by an empty token at the payment", async () => {
    const reader = await led();
    const page = await reader.get(paths.registrationPayment({ utk: "" }));
    expect(wordsOf(page)).toContain("Unable to get a token");
  });

  it("is not named where the usual one is sold", async () => {
    platform = await open();
    expect(wordsOf(await visitor().get(paths.registration()))).not.toContain(OWN);
  });

  it("that is over is reported before an account pays", async () => {
    platform = await open();
    const reader = visitor();
    const { email } = await newPerson(platform);
    await reader.post(paths.login(), { email, password: PASSWORD });
    await reader.get(paths.registrationPayment(PARTNER));
    await platform.database.updateTable("traffic_token").set({ is_valid: 0 }).execute();
    const words = wordsOf(await reader.get(paths.registrationPayment()));
    expect(words).toContain("L’offre de votre partenaire n’est plus valable");
    expect(words).toContain(TRIALS.usual);
    expect(await advertised(reader)).toEqual([[TRIALS.usual], [TRIALS.usual]]);
    const other = visitor();
    await other.post(paths.login(), { email, password: PASSWORD });
    expect(wordsOf(await other.get(paths.registrationPayment()))).not.toContain(
      "n’est plus valable",
    );
  });

  it("of who was signed in is not the next visitor's", async () => {
    platform = await open();
    const reader = visitor();
    const person = await newPerson(platform);
    await reader.post(paths.login(), { email: person.email, password: PASSWORD });
    await reader.get(paths.registration(PARTNER));
    await platform.database.deleteFrom("account_session").execute();
    await reader.get(paths.accountData());
    expect(await advertised(reader)).toEqual([[TRIALS.usual], [TRIALS.usual]]);
  });
});
