import { expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { PASSWORD } from "../../platform/funnel";
import { DAY_MS, newestMail, passTo } from "../../platform/life";
import { onEachDatabase, type TestPlatform } from "../../support/platform";
import { hiddenFields, type PageAnswer, type Visitor } from "../../support/pages";
import { mainOf, openUndoing, type NoticeKind } from "../undoing";

const site = await openUndoing();
const { visitor } = site;

onEachDatabase("the page that undoes a notice", (open) => {
  let platform: TestPlatform;

  /** A stranger's notice in the trial of a week, whose link is used so many days later. */
  async function noticed(kind: NoticeKind, { after, isFree }: { after: number; isFree?: true }) {
    const { person, passToDay, ...rest } = await site.beginSubscribed(open, { isFree });
    platform = rest.platform;
    await passToDay(kind === "cancellations" ? 6.9 : 2);
    await site.declare(kind, person.email);
    const { text } = await newestMail(platform, person.email);
    const token = /\?token=(\S+)/.exec(text)?.[1] ?? "";
    await passToDay(after);
    const isCancelled = kind === "cancellations";
    const path = isCancelled
      ? serverPaths.undoCancellation(token)
      : serverPaths.confirmWithdrawal(token);
    return { person, path };
  }

  const press = async (reader: Visitor, path: string, fields: Record<string, string>) => {
    const answer = await reader.post(path, { ...fields, intent: "undo" });
    await platform.runDueJobs();
    return answer;
  };

  it.each(["cancellations", "withdrawals"] as const)(
    "of %s tells who has no card until when to pay",
    async (kind) => {
      const { path } = await noticed(kind, { after: 6.95 });
      await platform.database.updateTable("subscription").set({ card_reference: null }).execute();
      const reader = visitor();
      const page = await reader.get(path);
      const home = await reader.follow(await press(reader, path, hiddenFields(page)));
      expect(home.dom.querySelector(".flash")?.text).toMatch(
        /annulée, mais rien.*payez au plus tard le 4\sdéc\.\s2026/,
      );
    },
  );

  it.each([
    [1, /plus fin le 27\sdéc\.\s2026\s: .* 9,90\s€ le 27\snov\.\s2026, a lieu dans les deux cas/],
    [10, /plus fin le 27\sdéc\.\s2026\s: 9,90\s€ seront débités de votre carte le 27\sdéc\.\s2026/],
  ])("names the planned end that undoing on day %i lifts", async (day, effect) => {
    const { person, passToDay, ...rest } = await site.beginSubscribed(open);
    platform = rest.platform;
    await passToDay(0.5);
    await site.declare("cancellations", person.email, { date: "2026-12-15" });
    const { text } = await newestMail(platform, person.email);
    const token = /\?token=(\S+)/.exec(text)?.[1] ?? "";
    await passToDay(day);
    expect(mainOf(await visitor().get(serverPaths.undoCancellation(token)))).toMatch(effect);
  });

  it("of a withdrawal names when the refund follows by itself", async () => {
    const { person, path } = await noticed("withdrawals", { after: 4 });
    const refunded = /Sans réponse de votre part, cela se fait le 29\snov\.\s2026 à 11:00\./;
    expect(mainOf(await visitor().get(path))).toMatch(refunded);
    // A later declaration puts no refund off.
    await site.declare("withdrawals", person.email);
    const { text } = await newestMail(platform, person.email);
    const later = serverPaths.confirmWithdrawal(/\?token=(\S+)/.exec(text)?.[1] ?? "");
    expect(later).not.toBe(path);
    expect(mainOf(await visitor().get(later))).toMatch(refunded);
  });

  it("of a withdrawal leads to its mail where an API names no day", async () => {
    const { path } = await noticed("withdrawals", { after: 4 });
    site.answerPreviews(() => Response.json({ payload: { status: "undone" } }));
    expect(mainOf(await visitor().get(path))).toContain("à la date indiquée dans notre message");
  });

  it.each(["cancellations", "withdrawals"] as const)(
    "of %s names the debit of today before the press",
    async (kind) => {
      const { person, path } = await noticed(kind, { after: 8 });
      const reader = visitor();
      const page = await reader.get(path);
      expect(mainOf(page)).toMatch(
        /9,90\s€ seront débités aujourd’hui de votre carte, puis 9,90\s€ le 28\sdéc\.\s2026/,
      );
      expect(mainOf(page)).toMatch(/annuler? .*et payer 9,90\s€/i);
      expect(await site.charges(person.email)).toEqual([]);
      const done = await reader.follow(await press(reader, path, hiddenFields(page)));
      expect(done.html).toContain("le montant affiché est débité aujourd’hui");
      expect(await site.charges(person.email)).toEqual([
        "2026-11-28T10:00:00.000Z charge 990 success",
      ]);
    },
  );

  it.each(["cancellations", "withdrawals"] as const)(
    "of %s announces no debit when pressed after its owner has undone it",
    async (kind) => {
      const { person, path } = await noticed(kind, { after: 8 });
      const old = visitor();
      const fields = hiddenFields(await old.get(path));
      const owner = visitor();
      await owner.post(paths.login(), { email: person.email, password: PASSWORD });
      const shown = hiddenFields(await owner.get(paths.accountSubscriptionUndo()));
      await owner.post(paths.accountSubscriptionUndo(), shown);
      await platform.runDueJobs();
      expect(await site.charges(person.email)).toHaveLength(1);
      const done = await old.follow(await press(old, path, fields));
      expect(done.dom.querySelector(".flash")?.text).toContain("Rien n’est débité de plus");
      expect(await site.charges(person.email)).toHaveLength(1);
    },
  );

  it.each(["cancellations", "withdrawals"] as const)(
    "of %s pressed twice hides no debit of the first press",
    async (kind) => {
      const { path } = await noticed(kind, { after: 8 });
      const reader = visitor();
      const fields = hiddenFields(await reader.get(path));
      const first = await press(reader, path, fields);
      const second = await press(reader, path, fields);
      expect(first.status).toBe(303);
      const done = await reader.follow(second);
      expect(done.dom.querySelectorAll(".flash").at(-1)?.text).toContain(
        "un e\u2011mail vous le dit",
      );
      expect(done.html).not.toContain("continue comme avant");
    },
  );

  it("names the end that another notice plans, pressed twice", async () => {
    const { person, passToDay, ...rest } = await site.beginSubscribed(open);
    platform = rest.platform;
    await passToDay(1);
    await site.declare("cancellations", person.email, { date: "2027-01-10" });
    await site.declare("cancellations", person.email);
    const { text } = await newestMail(platform, person.email);
    const path = serverPaths.undoCancellation(/\?token=(\S+)/.exec(text)?.[1] ?? "");
    const reader = visitor();
    const fields = hiddenFields(await reader.get(path));
    for (let time = 1; time <= 2; time++) {
      const done = await reader.follow(await press(reader, path, fields));
      expect(done.dom.querySelector(".flash")?.text).toContain("la fin qu’une autre demande");
    }
  });

  it.each(["cancellations", "withdrawals"] as const)(
    "of %s that was opened before is shown anew",
    async (kind) => {
      const { person, path } = await noticed(kind, { after: 6.95 });
      const reader = visitor();
      const page = await reader.get(path);
      expect(mainOf(page)).toMatch(/9,90\s€ seront débités de votre carte le 27\snov\.\s2026/);
      await passTo(platform, "2026-11-28T10:00:00.000Z");
      const again = await press(reader, path, hiddenFields(page));
      expect(again.status).toBe(400);
      expect(again.html).toContain("L’offre n’est plus celle que cette page montrait");
      expect(mainOf(again)).toContain("seront débités aujourd’hui");
      expect(await site.charges(person.email)).toEqual([]);
      expect((await press(reader, path, hiddenFields(again))).status).toBe(303);
      expect(await site.charges(person.email)).toHaveLength(1);
    },
  );

  it("causes no debit when a withdrawal is confirmed", async () => {
    const { person, path } = await noticed("withdrawals", { after: 8 });
    const reader = visitor();
    const fields = hiddenFields(await reader.get(path));
    const done = await reader.follow(await reader.post(path, { ...fields, intent: "confirm" }));
    expect(done.html).toContain("Votre rétractation est confirmée");
    await platform.runDueJobs();
    expect((await site.charges(person.email)).join()).not.toContain("charge");
  });

  it("promises no refund of a trial that was free", async () => {
    const { path } = await noticed("withdrawals", { after: 3, isFree: true });
    const reader = visitor();
    const fields = hiddenFields(await reader.get(path));
    const done = await reader.follow(await reader.post(path, { ...fields, intent: "confirm" }));
    expect(done.dom.querySelector(".receipt .notice")?.text).toMatch(
      /est confirmée\s: l’accès de ce contrat a pris fin, et toute somme payée vous est remboursée\./,
    );
    await platform.runDueJobs();
    expect(await platform.database.selectFrom("refund").selectAll().execute()).toEqual([]);
  });

  const FAILURES: [number, string, () => Response][] = [
    [503, "503", () => Response.json({ message: "Non" }, { status: 503 })],
    [
      502,
      "nonsense",
      () => new Response("<p>", { headers: { "content-type": "application/json" } }),
    ],
    // An API without previews.
    [200, "404", () => Response.json({ message: "Non" }, { status: 404 })],
  ];

  it.each(FAILURES)("is %i after %s, and keeps its buttons", async (status, _, answer) => {
    for (const kind of ["cancellations", "withdrawals"] as const) {
      const { path } = await noticed(kind, { after: 6.95 });
      site.answerPreviews(answer);
      const reader = visitor();
      const page = await reader.get(path);
      expect(page.status).toBe(status);
      expect(mainOf(page).includes("Nous n’avons pas pu lire")).toBe(status !== 200);
      expect(mainOf(page)).not.toContain("continue alors");
      expect(mainOf(page)).not.toMatch(/\d\s€/);
      const done = await reader.follow(await press(reader, path, hiddenFields(page)));
      expect(done.html).toContain("Votre abonnement continue comme avant");
    }
  });

  /** It has no effect any more: it says so, offers nothing and promises nothing. */
  function expectClosed(page: PageAnswer, words: string) {
    expect(page.dom.querySelector("h1")?.text).toBe("Ce lien n’a plus d’effet");
    expect(mainOf(page)).toContain(words);
    expect(mainOf(page)).not.toMatch(/continue alors|reprend alors|\d\s€/);
    expect(page.dom.querySelectorAll("main form, main button")).toEqual([]);
  }

  const UNKNOWN = "Ce lien n’est plus valable, ou il est incomplet";

  it.each([
    serverPaths.undoCancellation("inconnu"),
    serverPaths.confirmWithdrawal("inconnu"),
    serverPaths.undoCancellation(""),
  ])("says of the unknown link %s that it is one", async (path) => {
    await site.begin(open);
    expectClosed(await visitor().get(path), UNKNOWN);
    const answer = await visitor().post(path, { token: "inconnu" });
    expect(answer.status).toBe(303);
    expectClosed(await visitor().follow(answer), UNKNOWN);
  });

  const CLOSED = {
    cancellations: {
      undone: "La résiliation a été annulée",
      withdrawn: "Une rétractation a mis fin à ce contrat",
      expired: "Le délai pour annuler cette résiliation est passé",
    },
    withdrawals: {
      undone: "Cette rétractation a été annulée",
      withdrawn: "Vous avez renoncé à ce contrat",
      expired: "Le délai de ce lien est passé",
    },
  };
  const KINDS = ["cancellations", "withdrawals"] as const;

  it.each(KINDS)("of %s that is undone tells so", async (kind) => {
    const { path } = await noticed(kind, { after: 6.95 });
    const reader = visitor();
    await press(reader, path, hiddenFields(await reader.get(path)));
    expectClosed(await reader.get(path), CLOSED[kind].undone);
  });

  it.each(KINDS)("of %s whose contract is withdrawn from tells so", async (kind) => {
    const { person, path } = await noticed(kind, { after: 6.95 });
    await platform.call("POST /withdrawals", {
      body: { name: "Ada Byron", email: person.email },
      token: person.token,
    });
    expectClosed(await visitor().get(path), CLOSED[kind].withdrawn);
  });

  it.each(KINDS)("of %s whose time ends meanwhile leads to its state", async (kind) => {
    const { path } = await noticed(kind, { after: 6.95 });
    const reader = visitor();
    const fields = hiddenFields(await reader.get(path));
    platform.clock.advance(8 * DAY_MS);
    const answer = await reader.post(path, { ...fields, intent: "undo" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, path]);
    expectClosed(await reader.follow(answer), CLOSED[kind].expired);
  });

  it.each([false, true])(
    "leads to the subscription unless its account is gone: %s",
    async (gone) => {
      const { person, path } = await noticed("withdrawals", { after: 3 });
      const reader = visitor();
      const fields = hiddenFields(await reader.get(path));
      await reader.post(path, { ...fields, intent: "confirm" });
      if (gone) await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
      const page = await reader.get(path);
      expectClosed(page, CLOSED.withdrawals.withdrawn);
      const own = page.dom.querySelector(`main a[href="${paths.accountSubscription()}"]`);
      expect(own === null).toBe(gone);
      expect(page.dom.querySelector(`main a[href="${paths.home()}"]`)).not.toBeNull();
    },
  );

  it("tells what undoing would do beside its own button", async () => {
    const { path } = await noticed("withdrawals", { after: 3 });
    const main = mainOf(await visitor().get(path));
    const effect = main.indexOf("Votre abonnement continue alors");
    expect(effect).toBeGreaterThan(main.lastIndexOf("Confirmer la rétractation"));
    expect(effect).toBeLessThan(main.lastIndexOf("Ce n’était pas moi"));
  });

  it("of a withdrawal that is undone meanwhile confirms nothing", async () => {
    const { path } = await noticed("withdrawals", { after: 3 });
    const [reader, other] = [visitor(), visitor()];
    const fields = hiddenFields(await reader.get(path));
    await press(other, path, hiddenFields(await other.get(path)));
    const answer = await reader.post(path, { ...fields, intent: "confirm" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, path]);
    const page = await reader.follow(answer);
    expectClosed(page, CLOSED.withdrawals.undone);
    expect(page.dom.querySelector(`main a[href="${paths.withdrawal()}"]`)).not.toBeNull();
  });

  it("says of a contract that is over that it stays so", async () => {
    const { person, path } = await noticed("withdrawals", { after: 3 });
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    const reader = visitor();
    const page = await reader.get(path);
    expect(mainOf(page)).toContain("rien ne vous est remboursé");
    const done = await reader.follow(await press(reader, path, hiddenFields(page)));
    expect(done.html).toContain("La rétractation est annulée");
    expect(done.html).toContain("était déjà terminé");
  });

  it("confirms the withdrawal of a contract that is over", async () => {
    const { person, path } = await noticed("withdrawals", { after: 3 });
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    const reader = visitor();
    const fields = hiddenFields(await reader.get(path));
    const done = await reader.follow(await reader.post(path, { ...fields, intent: "confirm" }));
    expect(done.html).toContain("Votre rétractation est confirmée");
    await platform.runDueJobs();
    const refunds = await platform.database.selectFrom("refund").select("status").execute();
    expect(refunds).toEqual([{ status: "success" }]);
  });
});
