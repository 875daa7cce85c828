import { afterAll, expect, it, vi } from "vitest";
import { paths } from "~/paths";
import { PASSWORD, type Person } from "../../platform/funnel";
import { back, loseCard, subscriptionOf } from "../../platform/life";
import { onEachDatabase, type TestPlatform } from "../../support/platform";
import { mainOf, openUndoing } from "../undoing";

const site = await openUndoing();

afterAll(() => vi.useRealTimers());

onEachDatabase("the recap of a withdrawal that confirms another's", (open) => {
  async function declared() {
    const { platform, person, passToDay } = await site.beginSubscribed(open);
    const { email } = person;
    await passToDay(13);
    await site.declare("withdrawals", email);
    const press = async (days: number, intent: string) => {
      await passToDay(days);
      vi.useFakeTimers({ toFake: ["Date"], now: platform.clock.now() });
      const reader = site.visitor();
      await reader.post(paths.login(), { email, password: PASSWORD });
      return reader.follow(await reader.post(paths.withdrawal(), { name: "Ada", email, intent }));
    };
    return { press };
  }

  it.each([13, 16])("says on day %i what its press ends and gives back", async (days) => {
    const { press } = await declared();
    const recap = mainOf(await press(days, "recap"));
    expect(recap).toMatch(/a été déclarée à temps, le 3\sdéc\.\s2026.*la confirme/);
    expect(recap).toContain("votre accès prend fin aussitôt");
    expect(recap).toMatch(/remboursons 10,90\s€/);
    expect(recap).not.toContain("court encore");
    const receipt = mainOf(await press(days, "confirm"));
    expect(receipt).toContain("L’accès de ce contrat a pris fin");
    expect(receipt).toMatch(/remboursons 10,90\s€/);
  });
});

onEachDatabase("the recap of a withdrawal that comes too late", (open) => {
  /** In the first whole period, after the right to withdraw. */
  async function owner() {
    const subscribed = await site.beginSubscribed(open);
    await subscribed.passToDay(16);
    return subscribed;
  }

  async function recapOf({ platform, person }: { platform: TestPlatform; person: Person }) {
    await platform.runDueJobs();
    vi.useFakeTimers({ toFake: ["Date"], now: platform.clock.now() });
    const reader = site.visitor();
    const { email } = person;
    await reader.post(paths.login(), { email, password: PASSWORD });
    const page = await reader.post(paths.withdrawal(), { name: "Ada", email, intent: "recap" });
    const words = mainOf(page);
    expect(words).toMatch(/s’est terminé le 4\sdéc\.\s2026/);
    expect(words).toContain("rien n’est remboursé");
    const link = page.dom.querySelector(`main a[href="${paths.cancelContract()}"]`);
    return { words, isLinked: link !== null };
  }

  it("is followed by a receipt that says the same, with a warning", async () => {
    const { platform, person } = await owner();
    vi.useFakeTimers({ toFake: ["Date"], now: platform.clock.now() });
    const reader = site.visitor();
    const { email } = person;
    await reader.post(paths.login(), { email, password: PASSWORD });
    const sent = await reader.post(paths.withdrawal(), { name: "Ada", email, intent: "confirm" });
    const receipt = await reader.follow(sent);
    const words = mainOf(receipt);
    expect(words).toMatch(/s’est terminé le 4\sdéc\.\s2026.*ne met pas fin au contrat/);
    expect(words).toMatch(/résiliez-le\s: vous gardez l’accès/);
    expect(words).not.toContain("la suite donnée");
    expect(receipt.dom.querySelector(".notice--warning")).not.toBeNull();
  });

  it("leads to the cancellation of a contract that goes on", async () => {
    const { words, isLinked } = await recapOf(await owner());
    expect(words).toMatch(/résiliez-le\s: vous gardez l’accès/);
    expect(isLinked).toBe(true);
  });

  it("says until when a stopped contract gives access", async () => {
    const { platform, person } = await owner();
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    const { words, isLinked } = await recapOf({ platform, person });
    expect(words).toMatch(
      /déjà arrêté\. Vous gardez l’accès jusqu’au 27\sdéc\.\s2026, et plus rien/,
    );
    expect(words).not.toContain("résiliez-le");
    expect(isLinked).toBe(false);
  });

  it("says the same where a planned end comes before the next debit", async () => {
    const { platform, person } = await owner();
    const { token, email } = await back(platform, person);
    const body = { name: "Ada", email, date: "2026-12-20" };
    await platform.call("POST /cancellations", { token, body });
    const { words, isLinked } = await recapOf({ platform, person });
    expect(words).toMatch(
      /déjà arrêté\. Vous gardez l’accès jusqu’au 27\sdéc\.\s2026, et plus rien/,
    );
    expect(isLinked).toBe(false);
  });

  it("says of a contract that is over when it ended", async () => {
    const { platform, person, passToDay } = await owner();
    await loseCard(platform, person);
    await passToDay(90);
    const { ended_at } = await subscriptionOf(platform, person);
    expect(ended_at).toMatch(/^2027-01-03/);
    const { words, isLinked } = await recapOf({ platform, person });
    expect(words).toMatch(
      /déjà pris fin, le 3\sjanv\.\s2027\s: nous ne demanderons plus aucun débit/,
    );
    expect(words).not.toMatch(/résiliez-le|gardez l’accès/);
    expect(isLinked).toBe(false);
  });

  it("leads to the cancellation of a contract that may go on when its money returns", async () => {
    const { platform, person } = await owner();
    const { uid } = await subscriptionOf(platform, person);
    await platform.database
      .updateTable("subscription")
      .set((e) => ({
        ended_at: platform.clock.now().toISOString(),
        ended_by_payment: e
          .selectFrom("payment")
          .select("uid")
          .where("subscription_uid", "=", uid)
          .orderBy("created_at", "desc")
          .limit(1),
      }))
      .execute();
    const { words, isLinked } = await recapOf({ platform, person });
    expect(words).toContain("ce contrat peut encore reprendre");
    expect(words).not.toMatch(/gardez l’accès|a déjà pris fin/);
    expect(isLinked).toBe(true);
  });
});
