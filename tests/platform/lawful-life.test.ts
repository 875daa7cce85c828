import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readMail } from "../support/mail-parts";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newAddress, rolesOf } from "./funnel";
import {
  back,
  DAY_MS,
  ledgerOf,
  mailAbout,
  newestMail,
  passDays,
  subscriber,
  subscriptionOf,
  undoAsShown,
} from "./life";

const ORDERED = "2026-11-20T10:00:00.000Z";
const daysAfterOrder = (days: number) =>
  new Date(Date.parse(ORDERED) + days * DAY_MS).toISOString();

onEachDatabase("a subscription within the law", (open) => {
  /** A notice of somebody who is not signed in. */
  const notify = (platform: TestPlatform, kind: string, email: string, name = "Ada Byron") =>
    platform.call(`POST /${kind}`, {
      headers: { "x-client-address": newAddress() },
      body: { name, email },
    });

  /** The mails that went out to somebody, oldest first. */
  async function mailedTo({ database, place }: TestPlatform, email: string) {
    const rows = await database
      .selectFrom("mail")
      .select("uid")
      .where("recipient", "=", email)
      .where("sent_at", "is not", null)
      .orderBy("created_at")
      .orderBy("uid")
      .execute();
    return rows.map(({ uid }) =>
      readMail(readFileSync(join(place.dataDir, "outbox", `${uid}.eml`))),
    );
  }

  it("withdrawn on day 3 is refunded without confirmation", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 3);
    expect((await notify(platform, "withdrawals", person.email)).status).toBe(202);
    await passDays(platform, 14);
    const ledger = await ledgerOf(platform, person.email);
    expect(ledger).toEqual([
      `${ORDERED} charge 100 success`,
      expect.stringMatching(/ refund 100 success$/),
    ]);
    const [refundedAt = ""] = ledger[1]?.split(" ") ?? [];
    expect(refundedAt <= daysAfterOrder(14)).toBe(true);
    await passDays(platform, 60);
    expect(await ledgerOf(platform, person.email)).toEqual(ledger);
  });

  it("stopped on day 0 can be withdrawn on day 9", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { token, uid, email } = person;
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await passDays(platform, 9);
    const account = platform.database.selectFrom("account").select("status").where("uid", "=", uid);
    expect(await account.executeTakeFirst()).toEqual({ status: "deleted" });
    await notify(platform, "withdrawals", email);
    await platform.runDueJobs();
    expect((await newestMail(platform, email)).text).toContain(
      "Je vous notifie ma rétractation du contrat",
    );
    await passDays(platform, 14);
    const moved = platform.database.selectFrom("bank_movement").orderBy("at");
    expect(await moved.select(["kind", "amount", "status"]).execute()).toEqual([
      { kind: "charge", amount: 100, status: "success" },
      { kind: "refund", amount: 100, status: "success" },
    ]);
    expect((await mailedTo(platform, email)).at(-1)?.text).toMatch(
      /Nous avons rendu la somme.*1,00\s€/s,
    );
  });

  it("names the last day to withdraw in its confirmation", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, email, "welcome");
    const days = [...text.matchAll(/\b(\d\d?)\sdéc\.\s2026/g)].map(([, day]) => day);
    expect(days).toEqual(["4", "4"]);
  });

  it("names the last day to withdraw after deletion", async () => {
    const platform = await open();
    const { token, uid, email } = await subscriber(platform);
    const { body } = await platform.call("GET /subscriptions", { token });
    expect(body.payload.withdrawableUntilDateTime).toBe("2026-12-04T23:00:00.000Z");
    await platform.call(`DELETE /users/${uid}`, { token });
    await platform.runDueJobs();
    expect((await mailedTo(platform, email)).at(-1)?.text).toMatch(
      /jusqu’au 4\sdéc\.\s2026 inclus/,
    );
  });

  it("has no right to withdraw after its end", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 15);
    const { token, uid, email } = await back(platform, person);
    const { body } = await platform.call("GET /subscriptions", { token });
    expect(body.payload.endedDateTime).toBeNull();
    expect(body.payload).not.toHaveProperty("withdrawableUntilDateTime");
    await platform.call(`DELETE /users/${uid}`, { token });
    await platform.runDueJobs();
    const { text = "" } = (await mailedTo(platform, email)).at(-1) ?? {};
    expect(text).toContain("nous avons supprimé votre profil");
    expect(text).not.toContain("renoncer au contrat");
  });

  it.each(["cancellations", "withdrawals"] as const)(
    "takes five strangers' %s back, each with its link",
    async (kind) => {
      const platform = await open();
      const person = await subscriber(platform);
      const before = await subscriptionOf(platform, person);
      for (let stranger = 0; stranger < 5; stranger++) {
        await notify(platform, kind, person.email, `Un Inconnu ${stranger}`);
        await platform.runDueJobs();
        platform.clock.advance(60_000);
      }
      expect(await rolesOf(platform, person)).toEqual({ vip: true });
      const links = (await mailedTo(platform, person.email)).flatMap(
        ({ text }) => /\?token=(\S+)/.exec(text)?.[1] ?? [],
      );
      const statuses: string[] = [];
      for (const link of new Set(links)) {
        statuses.push((await undoAsShown(platform, link, kind)).body.payload.status);
      }
      expect(statuses).toEqual(["stopped", "stopped", "stopped", "stopped", "undone"]);
      expect(await subscriptionOf(platform, person)).toEqual(before);
      await passDays(platform, 8);
      expect((await ledgerOf(platform, person.email)).map((line) => line.split(" ")[2])).toEqual([
        "100",
        "990",
      ]);
    },
  );

  it("quotes each declaration with date and time", async () => {
    const platform = await open();
    for (const [kind, words] of [
      ["withdrawals", "Je vous notifie ma rétractation du contrat portant sur l’abonnement"],
      ["cancellations", "Je vous notifie la résiliation de mon contrat d’abonnement"],
    ] as const) {
      for (const email of [
        (await subscriber(platform)).email,
        `${crypto.randomUUID()}@exemple.fr`,
      ]) {
        await notify(platform, kind, email);
        await platform.runDueJobs();
        const { text } = await newestMail(platform, email);
        expect(text).toContain(words);
        expect(text).toMatch(/Date et heure de réception\s: 20\snov\.\s2026\sà\s11:00/);
      }
    }
  });

  it("shows the date of a stop's receipt", async () => {
    const platform = await open();
    const { token, email } = await subscriber(platform);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await platform.runDueJobs();
    expect((await newestMail(platform, email)).text).toMatch(
      /Date et heure de réception\s: 20\snov\.\s2026\sà\s11:00/,
    );
  });

  it("names the last day to undo a stranger's notice", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    await notify(platform, "withdrawals", email);
    await platform.runDueJobs();
    expect((await newestMail(platform, email)).text).toMatch(
      /Ce n’était pas vous\s\? Annulez-la avant le 27\snov\.\s2026\sà\s11:00/,
    );
  });
});
