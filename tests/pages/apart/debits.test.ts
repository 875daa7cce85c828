import { afterAll, expect, it } from "vitest";
import type { SandboxOptions } from "../../../server/platform/payments/sandbox/notifier";
import { FakeClock } from "../../../server/platform/ports/clock";
import { paths, serverPaths } from "~/paths";
import { openLoopback } from "../../app/loopback";
import {
  newPage,
  newPerson,
  PASSWORD,
  post,
  payWith,
  CARDS,
  type Person,
} from "../../platform/funnel";
import {
  back,
  ledgerOf,
  loseCard,
  mailAbout,
  newestMail,
  passDays,
  subscriber,
} from "../../platform/life";
import { orderUndecided } from "../../platform/undecided";
import { onEachDatabase, type TestPlatform } from "../../support/platform";
import { hiddenFields, openPages } from "../../support/pages";
import { cardFields } from "../../support/people";

let platform: TestPlatform;

const api = await openLoopback((request) => platform.fetch(request));
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

/** Longer than a period and its grace. */
const DAYS = 45;

onEachDatabase("the debit shown on the account page", (open) => {
  const notice = (kind: string, { email }: Person, more: object = {}) =>
    platform.call(`POST /${kind}`, { body: { name: "Zoé Kowalska", email, ...more } });

  const withoutCard = () =>
    platform.database
      .updateTable("subscription")
      .set({ card_reference: null, card_expiry: null })
      .execute();

  const updateFormula = (change: { amount: number }) =>
    platform.database.updateTable("formula").set(change).where("uid", "=", "vip-mensuel").execute();

  /** What is charged next, by the page: `null` for nothing without the person. */
  type State = {
    arrange: (person: Person, sandbox: SandboxOptions) => Promise<unknown>;
    debit: RegExp | null;
  };

  /** The bank can be asked for nothing on the day of the debit. */
  async function awayOnDueDay(_: Person, sandbox: SandboxOptions) {
    Object.assign(sandbox, { unreachable: true });
    await passDays(platform, 7.1);
  }

  /** The bank is asked on the day of the debit, and no answer comes. */
  async function answersLostOnDueDay(_: Person, sandbox: SandboxOptions) {
    Object.assign(sandbox, { loseAnswers: true });
    await passDays(platform, 7.1);
  }

  const STATES: Record<string, State> = {
    "a trial": { arrange: async () => {}, debit: /^9,90 € le 27 nov\. 2026$/ },
    "a renewed period": { arrange: () => passDays(platform, 10), debit: /^9,90 € le 27 déc\./ },
    "a dearer formula": {
      arrange: () => updateFormula({ amount: 1990 }),
      debit: /^9,90 € le 27 nov\. 2026$/,
    },
    "a refused debit": {
      arrange: async (person) => {
        await loseCard(platform, person);
        await passDays(platform, 7.1);
        await platform.database.updateTable("bank_card").set({ next_charge: "success" }).execute();
      },
      debit: /^9,90 € le 28 nov\. 2026$/,
    },
    "a delayed debit": { arrange: awayOnDueDay, debit: null },
    "a planned end": {
      arrange: (person) => notice("cancellations", person, { date: "2026-12-10" }),
      debit: /^9,90 € le 27 nov\. 2026$/,
    },
    "an end with what is paid": {
      arrange: (person) => notice("cancellations", person, { date: "2026-11-25" }),
      debit: null,
    },
    "a stop": {
      arrange: ({ token }) => platform.call("POST /subscriptions/unsubscribe", { token, body: {} }),
      debit: null,
    },
    "a withdrawal that waits": {
      arrange: (person) => notice("withdrawals", person),
      debit: null,
    },
    "no card": { arrange: withoutCard, debit: null },
    "no card in its grace": {
      arrange: async () => {
        await withoutCard();
        await passDays(platform, 8);
      },
      debit: null,
    },
    "no card far from its day": {
      arrange: async () => {
        await passDays(platform, 8);
        await withoutCard();
      },
      debit: null,
    },
  };

  async function memberOf({ email }: Person) {
    const reader = visitor();
    const answer = await reader.post(paths.login(), { email, password: PASSWORD });
    expect(answer.status).toBeLessThan(400);
    return reader;
  }

  it.each(Object.entries(STATES))("equals the bank's next charge: %s", async (_, state) => {
    const sandbox: SandboxOptions = {};
    platform = await open({ clock: new FakeClock(), sandbox });
    const person = await subscriber(platform);
    await state.arrange(person, sandbox);
    await platform.runDueJobs();
    const reader = await memberOf(person);
    for (const path of [paths.account(), paths.accountSubscription()]) {
      const { dom } = await reader.get(path);
      const facts = dom.querySelectorAll("#subscription dt");
      const next = facts.find(({ text }) => text === "Prochain prélèvement");
      const shown = next?.nextElementSibling?.text.replace(/\s/g, " ") ?? null;
      if (state.debit) expect(shown).toMatch(state.debit);
      else expect(shown).toBeNull();
    }
    const before = (await ledgerOf(platform, person.email)).length;
    await passDays(platform, DAYS);
    const charges = (await ledgerOf(platform, person.email))
      .slice(before)
      .filter((line) => line.includes(" charge "));
    if (!state.debit) return expect(charges).toEqual([]);
    const [, number, month] = /(\d\d) (nov|déc)/.exec(state.debit.source) ?? [];
    const day = `2026-${month === "déc" ? 12 : 11}-${number}`;
    expect(charges[0]).toBe(`${day}T10:00:00.000Z charge 990 success`);
  });

  it("that was refused is told once in equal words", async () => {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    await passDays(platform, 7.1);
    const reader = await memberOf(person);
    const told = [paths.account(), paths.accountSubscription()].map(async (path) => {
      const { dom } = await reader.get(path);
      return dom.querySelectorAll("#subscription .notice").map(({ text }) => text);
    });
    const [account, page] = await Promise.all(told);
    expect(account).toEqual(page);
    expect(account).toHaveLength(1);
    expect(account?.[0]).toMatch(/refusé par votre banque.*de nouveau le 28\snov/);
    expect(account?.[0]).toContain("Payer avec une autre carte");
  });

  it("that is undecided is told, and that a stop does not call it back", async () => {
    const sandbox: SandboxOptions = {};
    platform = await open({ clock: new FakeClock(), sandbox });
    const person = await subscriber(platform);
    await answersLostOnDueDay(person, sandbox);
    const reader = await memberOf(person);
    for (const path of [paths.account(), paths.accountSubscription()]) {
      const facts = (await reader.get(path)).dom.querySelector("#subscription")?.text;
      expect(facts).toContain("Débit en cours");
      expect(facts).toMatch(/9,90\s€ dû le 27\snov\.\s2026 est en cours.*jusqu’au 4\sdéc\./);
      expect(facts).not.toContain("Actif");
    }
    // The account is where the debit is told.
    const order = await reader.get(paths.registrationPayment());
    expect(order.headers.get("location")).toBe(paths.account());
    const effect = /peut encore réussir.*sinon jusqu’au 4\sdéc\.\s2026\. Rien d’autre/;
    const page = await reader.get(`${paths.accountSubscription()}?stop`);
    expect(page.dom.querySelector("#stop-dialog")?.text).toMatch(effect);
    const declared = { name: "Zoé Kowalska", email: person.email };
    const recap = await reader.post(paths.cancelContract(), { ...declared, intent: "recap" });
    expect(recap.dom.querySelector("main form")?.text).toMatch(effect);
    const stopped = await reader.post(paths.accountSubscription(), { confirm: "on" });
    const after = await reader.follow(stopped);
    expect(after.dom.querySelector("#subscription")?.text).toMatch(effect);
  });

  it("that outlives its contract is told beside the end", async () => {
    const sandbox: SandboxOptions = {};
    platform = await open({ clock: new FakeClock(), sandbox });
    const person = await subscriber(platform);
    await answersLostOnDueDay(person, sandbox);
    await passDays(platform, 8);
    const { text } = await mailAbout(platform, person.email, "ended");
    expect(text).toMatch(/débit de 9,90\s€.*S’il réussit, il vous est remboursé/);
    expect(text).not.toContain("vous pouvez vous abonner");
    expect(text).not.toContain("M’abonner de nouveau");
    // The pages have the true time, by which the paid period has to be over, too.
    const expires_at = "2026-01-27T10:00:00.000Z";
    await platform.database.updateTable("subscription").set({ expires_at }).execute();
    const reader = await memberOf(person);
    const order = await reader.get(paths.registration());
    expect(order.headers.get("location")).toBe(serverPaths.paymentCallback());
    for (const path of [paths.login(), serverPaths.paymentCallback()]) {
      const main = (await reader.get(path)).dom.querySelector("main");
      expect(main?.querySelector("h1")?.text).toBe("Votre abonnement est terminé");
      expect(main?.text).toMatch(/a pris fin le 4\sdéc\.\s2026/);
      expect(main?.text).toMatch(/débit de 9,90\s€.*S’il réussit, il vous est remboursé/);
      expect(main?.text).toContain("dès que la banque aura répondu");
      expect(main?.text).not.toContain("M’abonner de nouveau");
    }
  });

  it("that outlives a stopped contract leaves another order open", async () => {
    const sandbox: SandboxOptions = {};
    platform = await open({ clock: new FakeClock(), sandbox });
    const person = await subscriber(platform);
    await answersLostOnDueDay(person, sandbox);
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await passDays(platform, 8);
    const reader = await memberOf(person);
    const result = await reader.get(serverPaths.paymentCallback());
    expect(result.headers.get("location")).toBe(paths.registration());
    const words = /débit de 9,90\s€.*S’il réussit, il vous est remboursé/;
    const login = (await reader.get(paths.login())).dom.querySelector("main")?.text;
    expect(login).toMatch(words);
    expect(login).toContain("M’abonner de nouveau");
    const order = (await reader.get(paths.registration())).dom.querySelector("main")?.text;
    expect(order).toMatch(words);
    expect(order).toContain("Supprimer l’ancien compte");
    Object.assign(sandbox, { loseAnswers: false });
    await passDays(platform, 0.1);
    const after = (await reader.get(paths.login())).dom.querySelector("main")?.text;
    expect(after).toContain("la somme vous est remboursée");
    expect(after).toContain("M’abonner de nouveau");
    const led = await reader.get(serverPaths.registrationResult("failure"));
    expect(led.headers.get("location")).toBe(paths.registration());
    const { dom } = await reader.follow(led);
    expect(dom.querySelector("main")?.text).toContain("la somme vous est remboursée");
    expect(dom.querySelector("main [name=intent][value=restart]")).not.toBeNull();
  });

  it("that was not asked for is told as delayed", async () => {
    const sandbox: SandboxOptions = {};
    platform = await open({ clock: new FakeClock(), sandbox });
    const person = await subscriber(platform);
    await awayOnDueDay(person, sandbox);
    const reader = await memberOf(person);
    for (const path of [paths.account(), paths.accountSubscription()]) {
      const facts = (await reader.get(path)).dom.querySelector("#subscription")?.text;
      expect(facts).toContain("Débit en retard");
      expect(facts).toMatch(/9,90\s€ dû le 27\snov\.\s2026 a du retard, de notre fait/);
      expect(facts).not.toContain("la banque n’a pas encore dit");
    }
    const page = await reader.get(`${paths.accountSubscription()}?stop`);
    const effect = page.dom.querySelector("#stop-dialog")?.text;
    expect(effect).toMatch(/jusqu’au 4\sdéc\.\s2026, et plus rien ne sera prélevé/);
  });

  it("that was not asked for is nowhere told as being at the bank", async () => {
    const sandbox: SandboxOptions = {};
    platform = await open({ clock: new FakeClock(), sandbox });
    const person = await subscriber(platform);
    await awayOnDueDay(person, sandbox);
    const reader = await memberOf(person);
    const data = await reader.get(paths.accountData());
    expect(data.dom.querySelector("#deletion-panel")?.text).not.toContain("n’a pas encore décidé");
    const result = await reader.get(serverPaths.paymentCallback());
    expect(result.headers.get("location")).toBe(paths.accountSubscription());
    const list = await reader.get(paths.accountPayments());
    const [row] = list.dom.querySelectorAll("main .rows > li");
    expect(row?.querySelector(".tag")?.text).toBe("En retard");
    const { body } = await platform.call("GET /subscriptions/payments", {
      token: (await back(platform, person)).token,
    });
    const page = await reader.get(paths.accountPayment(body.payload[0].uid));
    const told = page.dom.querySelector("main")?.text;
    expect(told).toMatch(
      /pas encore pu demander ce paiement à votre banque\s: rien n’a été débité/,
    );
    expect(told).not.toContain("n’a pas encore confirmé");
  });

  it("by card in the grace is told until it is decided", async () => {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passDays(platform, 8);
    await orderUndecided(platform, await back(platform, person));
    const reader = await memberOf(person);
    for (const path of [paths.account(), paths.accountSubscription()]) {
      const facts = (await reader.get(path)).dom.querySelector("#subscription")?.text;
      expect(facts).toContain("Débit en cours");
      expect(facts).not.toContain("autre carte");
    }
    const effect = /peut encore réussir.*sinon jusqu’au 4\sdéc\.\s2026\. Rien d’autre/;
    const page = await reader.get(`${paths.accountSubscription()}?stop`);
    expect(page.dom.querySelector("#stop-dialog")?.text).toMatch(effect);
    const declared = { name: "Zoé Kowalska", email: person.email, intent: "recap" };
    const recap = await reader.post(paths.cancelContract(), declared);
    expect(recap.dom.querySelector("main form")?.text).toMatch(effect);
  });

  it("that is undecided is not paid by undoing a notice", async () => {
    const sandbox: SandboxOptions = {};
    platform = await open({ clock: new FakeClock(), sandbox });
    const person = await subscriber(platform);
    await answersLostOnDueDay(person, sandbox);
    await notice("cancellations", person);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    const link = serverPaths.undoCancellation(/\?token=(\S+)/.exec(text)?.[1] ?? "");
    const reader = await memberOf(person);
    for (const path of [link, paths.accountSubscriptionUndo()]) {
      const main = (await reader.get(path)).dom.querySelector("main")?.text;
      expect(main).toMatch(/Le débit de 9,90\s€ qui est en cours à la banque se décide/);
      expect(main).not.toMatch(/payer|aujourd’hui/);
    }
  });

  it("that is undecided is refunded by a withdrawal", async () => {
    const sandbox: SandboxOptions = {};
    platform = await open({ clock: new FakeClock(), sandbox });
    const person = await subscriber(platform);
    await answersLostOnDueDay(person, sandbox);
    const declared = { name: "Zoé Kowalska", email: person.email, intent: "confirm" };
    const stranger = visitor();
    const receipt = await stranger.follow(await stranger.post(paths.withdrawal(), declared));
    expect(receipt.dom.text).toMatch(
      /en cours à la banque peut encore réussir\u00a0: il vous serait/,
    );
    await platform.runDueJobs();
    const reader = await memberOf(person);
    const facts = (await reader.get(paths.account())).dom.querySelector("#subscription")?.text;
    expect(facts).toMatch(/Le débit de 9,90\s€.*il vous sera remboursé aussi/);
    expect(facts).not.toContain("plus rien n’est prélevé");
    const data = (await reader.get(paths.accountData())).dom.querySelector("#deletion-panel");
    expect(data?.text).toContain("Nous ne demanderons plus aucun débit");
    expect(data?.text).toContain("La banque n’a pas encore décidé");
  });

  it("that is undecided leaves no fixed end to a stop", async () => {
    const sandbox: SandboxOptions = {};
    platform = await open({ clock: new FakeClock(), sandbox });
    const person = await subscriber(platform);
    await answersLostOnDueDay(person, sandbox);
    const reader = await memberOf(person);
    await reader.post(paths.accountSubscription(), { confirm: "on" });
    for (const path of [paths.account(), paths.accountSubscription()]) {
      const facts = (await reader.get(path)).dom.querySelector("#subscription");
      expect(facts?.text).toContain("peut encore réussir");
      expect(facts?.text).not.toContain("votre profil sera supprimé");
      expect(facts?.querySelectorAll("dt").map(({ text }) => text)).not.toContain("Accès jusqu’au");
    }
  });

  it("that succeeds after a stop pays for its period", async () => {
    const sandbox: SandboxOptions = {};
    platform = await open({ clock: new FakeClock(), sandbox });
    const person = await subscriber(platform);
    Object.assign(sandbox, { loseAnswers: true });
    await passDays(platform, 7.1);
    const reader = await memberOf(person);
    await reader.post(paths.accountSubscription(), { confirm: "on" });
    Object.assign(sandbox, { loseAnswers: false });
    await passDays(platform, 1);
    const facts = (await reader.get(paths.accountSubscription())).dom.querySelector(
      "#subscription",
    );
    expect(facts?.text).toMatch(/27\sdéc\.\s2026/);
    expect(facts?.text).not.toContain("peut encore réussir");
  });

  it("that succeeds meanwhile is not told of another card", async () => {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    await passDays(platform, 7.1);
    const reader = await memberOf(person);
    const form = await reader.get(paths.registrationPayment());
    const names = { firstName: "Zoé", lastName: "Kowalska" };
    const order = { ...hiddenFields(form), ...names, ...cardFields(CARDS.success) };
    await passDays(platform, 1);
    const end = await reader.follow(await reader.post(paths.registrationPayment(), order));
    expect(end.path).toBe(paths.accountSubscription());
    expect(end.dom.text).toContain("Rien d’autre n’a été débité");
    const charges = (await ledgerOf(platform, person.email)).filter((line) =>
      line.endsWith("charge 990 success"),
    );
    expect(charges).toHaveLength(1);
  });

  it("is absent without a card, which the page accepts", async () => {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform);
    await withoutCard();
    const reader = await memberOf(person);
    const account = (await reader.get(paths.account())).dom.querySelector("#subscription");
    expect(account?.text).toContain("Aucune carte n’est enregistrée");
    expect(account?.text).toMatch(/au plus tard le 4\sdéc\.\s2026/);
    const link = account?.querySelector(`a[href="${paths.registrationPayment()}"]`);
    expect(link).not.toBeNull();
    const payment = await reader.get(paths.registrationPayment());
    expect(payment.status).toBe(200);
    expect(payment.dom.querySelector(".price")?.text).toMatch(/à partir du 27\snov\.\s2026/);
  });

  it("moves on once the early period is paid", async () => {
    platform = await open({ clock: new FakeClock() });
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person), { expiry: "11/26" });
    await passDays(platform, 25);
    await payWith(platform, await back(platform, person), CARDS.success);
    const { dom } = await (await memberOf(person)).get(paths.account());
    expect(dom.querySelector("#subscription")?.text).toMatch(/9,90\s€ le 27\sjanv\.\s2027/);
    const before = (await ledgerOf(platform, person.email)).length;
    await passDays(platform, DAYS);
    expect((await ledgerOf(platform, person.email)).slice(before)).toEqual([
      "2027-01-27T10:00:00.000Z charge 990 success",
    ]);
  });

  it("has its next day mailed after a refused debit", async () => {
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform);
    await loseCard(platform, person);
    for (const [days, next] of [
      [7.1, "2026-11-28"],
      [1, "2026-11-30"],
      [2, "2026-12-02"],
    ] as const) {
      await passDays(platform, days);
      const { text } = await newestMail(platform, person.email);
      const day = new Date(`${next}T12:00:00Z`).getUTCDate();
      expect(text).toMatch(new RegExp(`Prochaine présentation\\s: ${day}\\s`));
      expect(text).toMatch(/9,90\s€/);
      const reader = await memberOf(person);
      for (const path of [paths.account(), paths.accountSubscription()]) {
        const shown = (await reader.get(path)).dom.querySelector("#subscription")?.text;
        expect(shown).toMatch(new RegExp(`de nouveau (?:à votre banque )?le ${day}\\s.*9,90\\s€`));
      }
    }
    await passDays(platform, 3);
    expect((await ledgerOf(platform, person.email)).slice(1)).toEqual(
      ["11-27", "11-28", "11-30", "12-02"].map(
        (day) => `2026-${day}T10:00:00.000Z charge 990 declined`,
      ),
    );
  });
});
