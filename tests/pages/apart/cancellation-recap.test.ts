import { afterAll, expect, it, vi } from "vitest";
import { dayOf } from "~/contract/day";
import { paths } from "~/paths";
import { newPerson, PASSWORD } from "../../platform/funnel";
import { DAY_MS } from "../../platform/life";
import { onEachDatabase } from "../../support/platform";
import { mainOf, openUndoing } from "../undoing";

const site = await openUndoing();
const { visitor } = site;

afterAll(() => vi.useRealTimers());

const GENERAL = "avec la période payée dans laquelle tombe cette date";

onEachDatabase("the recap of a dated cancellation", (open) => {
  async function owner() {
    const { platform, person } = await site.beginSubscribed(open);
    const start = platform.clock.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const dayAfter = (days: number) => dayOf(new Date(start.getTime() + days * DAY_MS));
    return { platform, email: person.email, reader: await signedIn(person.email), dayAfter };
  }

  async function signedIn(email: string) {
    const reader = visitor();
    await reader.post(paths.login(), { email, password: PASSWORD });
    return reader;
  }

  const fieldsOf = (email: string, date?: string) => ({
    name: "Ada",
    email,
    ...(date && { date }),
  });

  it.each<[number, RegExp]>([
    [2, /Votre accès prend fin le [^;]*\d{4}\s; rien ne sera plus prélevé/],
    [10, /les prélèvements continuent\s: encore un, de 9,90\s€\. Au-delà, rien/],
    [45, /les prélèvements continuent\s: encore 2, de 9,90\s€ chacun\. Au-delà, rien/],
  ])("of the signed-in owner, in %i days, says what the receipt says", async (days, words) => {
    const { reader, email, dayAfter } = await owner();
    const fields = fieldsOf(email, dayAfter(days));
    const recap = mainOf(await reader.post(paths.cancelContract(), { ...fields, intent: "recap" }));
    expect(recap).toMatch(words);
    expect(recap).not.toContain(GENERAL);
    const sent = await reader.post(paths.cancelContract(), { ...fields, intent: "notify" });
    const receipt = mainOf(await reader.follow(sent));
    const [, end = "missing"] = /prend fin le (\d.*?\d{4})/.exec(receipt) ?? [];
    expect(recap).toContain(`prend fin le ${end}`);
  });

  it("is followed by a receipt that counts debits for no other end", async () => {
    const { platform, reader, email, dayAfter } = await owner();
    const notify = (days: number) => {
      const fields = { ...fieldsOf(email, dayAfter(days)), intent: "notify" };
      return reader.post(paths.cancelContract(), fields);
    };
    const receipt = await reader.follow(await notify(45));
    expect(mainOf(receipt)).toMatch(/prend fin le 27\sjanv\.\s2027.*\s: encore 2, de/);
    platform.clock.advance(60_000);
    await notify(10);
    const later = mainOf(await reader.get(receipt.path));
    expect(later).toMatch(/prend fin le 27\sdéc\.\s2026.* au-delà, rien ne sera plus prélevé/);
    expect(later).not.toContain("encore");
  });

  it("names the profile that goes with the contract, and what a withdrawal would give back", async () => {
    const { reader, email } = await owner();
    const own = await reader.post(paths.cancelContract(), {
      ...fieldsOf(email),
      intent: "recap",
    });
    expect(mainOf(own)).toMatch(
      /votre profil est supprimé, avec vos favoris et vos échanges, sauf/,
    );
    expect(mainOf(own)).toMatch(/Jusqu’au 4\sdéc\.\s2026 inclus, vous pouvez renoncer au contrat/);
    const fields = { ...fieldsOf("nobody@exemple.fr"), intent: "recap" };
    const other = await visitor().post(paths.cancelContract(), fields);
    expect(mainOf(other)).toContain("votre profil est supprimé, avec vos favoris");
    expect(mainOf(other)).toContain("Votre délai de rétractation court encore");
    for (const { dom } of [own, other])
      expect(dom.querySelector(`main form a[href="${paths.withdrawal()}"]`)).not.toBeNull();
  });

  it("offers no refund once the right to withdraw is over", async () => {
    const { platform, person, passToDay } = await site.beginSubscribed(open);
    await passToDay(16);
    vi.useFakeTimers({ toFake: ["Date"], now: platform.clock.now() });
    const reader = await signedIn(person.email);
    const fields = { ...fieldsOf(person.email), intent: "recap" };
    const recap = mainOf(await reader.post(paths.cancelContract(), fields));
    expect(recap).toContain("votre profil est supprimé");
    expect(recap).not.toMatch(/délai de rétractation|renoncer au contrat/);
  });

  it("of anybody else denies no debit that the bank still decides", async () => {
    await owner();
    for (const date of [undefined, dayOf(new Date(Date.now() + 45 * DAY_MS))]) {
      const fields = { ...fieldsOf("nobody@exemple.fr", date), intent: "recap" };
      const recap = mainOf(await visitor().post(paths.cancelContract(), fields));
      expect(recap).toContain("Un débit déjà en cours à la banque peut encore réussir");
      expect(recap).not.toContain("rien ne sera plus prélevé");
    }
  });

  it("of anybody else is the same with and without a contract", async () => {
    const { platform, email, dayAfter } = await owner();
    const other = await newPerson(platform);
    const recaps = [];
    for (const reader of [visitor(), await signedIn(other.email)]) {
      for (const address of [email, "nobody@exemple.fr"]) {
        const fields = { ...fieldsOf(address, dayAfter(45)), intent: "recap" };
        const words = mainOf(await reader.post(paths.cancelContract(), fields));
        expect(words).toContain(GENERAL);
        recaps.push(words.replace(address, ""));
      }
    }
    expect(recaps[0]).toBe(recaps[1]);
    expect(recaps[2]).toBe(recaps[3]);
  });
});
