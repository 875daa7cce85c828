import { expect, it } from "vitest";
import { paths } from "~/paths";
import { formatDateTime } from "~/i18n/format";
import { PASSWORD } from "../../platform/funnel";
import { subscriptionOf } from "../../platform/life";
import { hiddenFields, type PageAnswer } from "../../support/pages";
import { onEachDatabase } from "../../support/platform";
import { mainOf, openUndoing, type NoticeKind } from "../undoing";

const site = await openUndoing();
const { visitor } = site;

const undoLinkIn = ({ dom }: PageAnswer) =>
  dom.querySelector(`main a[href="${paths.accountSubscriptionUndo()}"]`);

/** Of money that somebody may not have paid. */
const PROMISE = /vous êtes remboursé|être remboursé|ce que vous avez payé|votre paiement vous est/;

onEachDatabase("what a stranger declared", (open) => {
  /** In the trial of a week, whose owner is signed in since before its end. */
  async function declared(kind: NoticeKind = "cancellations", options: { isFree?: true } = {}) {
    const { platform, person, passToDay } = await site.beginSubscribed(open, options);
    await passToDay(6);
    await site.declare(kind, person.email);
    const reader = visitor();
    const signedIn = await reader.post(paths.login(), { email: person.email, password: PASSWORD });
    expect(signedIn.status).toBe(303);
    return { platform, person, reader, passToDay };
  }

  /** The same after the end of the trial, once the session knows of it. */
  async function ended(kind?: NoticeKind) {
    const { passToDay, ...rest } = await declared(kind);
    await passToDay(8);
    await rest.reader.get(paths.account());
    return rest;
  }

  it("is undone on a page of its own only", async () => {
    const { reader } = await declared();
    const page = await reader.get(paths.accountSubscription());
    expect(undoLinkIn(page)?.text).toContain("Voir ce que l’annulation changerait");
    expect(mainOf(page)).toContain("montre d’abord ce qui serait débité");
    const posting = `form[action="${paths.accountSubscriptionUndo()}"]`;
    expect(page.dom.querySelector(posting)).toBeNull();
  });

  it("is named with what else was declared, which is undone with it", async () => {
    const { person, reader } = await declared();
    await site.declare("withdrawals", person.email);
    const page = await reader.get(paths.accountSubscriptionUndo());
    expect(mainOf(page)).toContain("Une résiliation a été déclarée");
    expect(mainOf(page)).toContain("Une rétractation a été déclarée");
    expect(mainOf(page)).toContain("annulé ensemble, y compris une résiliation demandée pour");
    await reader.post(paths.accountSubscriptionUndo(), hiddenFields(page));
    expect(mainOf(await reader.get(paths.accountSubscription()))).toContain("Actif");
  });

  it("is undone from an old page after showing its debit", async () => {
    const { platform, person, reader, passToDay } = await declared();
    const old = await reader.get(paths.accountSubscriptionUndo());
    expect(mainOf(old)).toContain("Annuler ce qui a été déclaré sans connexion");
    await passToDay(8);
    const shown = await reader.post(paths.accountSubscriptionUndo(), hiddenFields(old));
    expect(shown.status).toBe(400);
    expect(shown.html).toContain("Rien n’a encore été annulé ni débité");
    expect(mainOf(shown)).toMatch(/9,90\s€ seront débités aujourd’hui de votre carte/);
    expect(mainOf(shown)).toMatch(/Annuler la déclaration et payer 9,90\s€/);
    expect(await site.charges(person.email)).toEqual([]);
    const pressed = await reader.post(paths.accountSubscriptionUndo(), hiddenFields(shown));
    await platform.runDueJobs();
    expect(await site.charges(person.email)).toEqual([
      "2026-11-28T10:00:00.000Z charge 990 success",
    ]);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: null });
    const back = await reader.follow(pressed);
    expect(back.path).toBe(paths.accountSubscription());
    expect(back.html).toContain("votre abonnement reprend, et le montant affiché est débité");
    expect(mainOf(back)).toContain("Actif");
  });

  it.each([
    paths.account(),
    paths.accountSubscription(),
    paths.registration(),
    paths.accountData(),
  ])("is named with its deadline and its undoing at %s", async (path) => {
    const { reader } = await ended();
    const page = await reader.follow(await reader.get(path));
    expect(mainOf(page)).toMatch(
      /Une résiliation a été déclarée le 26\snov\.\s2026 sans connexion à votre compte/,
    );
    expect(mainOf(page)).toMatch(/vous pouvez encore l’annuler, jusqu’au 3\sdéc\.\s2026 à/);
    expect(undoLinkIn(page)).not.toBeNull();
  });

  it.each([paths.registration(), paths.accountData()])(
    "is said to be lost with the account at %s",
    async (path) => {
      const { reader } = await ended();
      const page = await reader.get(path);
      expect(mainOf(page)).toContain("Si vous supprimez ce compte, l’abonnement ne peut plus");
    },
  );

  it("is named where a refused post leads", async () => {
    const { reader } = await ended();
    const answer = await reader.post(paths.accountSubscription(), { confirm: "on" });
    const page = await reader.send(answer.headers.get("location") ?? "", { method: "POST" });
    expect([answer.status, page.status]).toEqual([307, 403]);
    expect(undoLinkIn(page)).not.toBeNull();
  });

  it("is undone signed in, whichever kind it is", async () => {
    const { platform, person, reader } = await ended("withdrawals");
    const shown = await reader.get(paths.accountSubscriptionUndo());
    expect(mainOf(shown)).toContain("Une rétractation a été déclarée");
    expect(mainOf(shown)).toMatch(/payer 9,90\s€/);
    await reader.post(paths.accountSubscriptionUndo(), hiddenFields(shown));
    await platform.runDueJobs();
    expect(await site.charges(person.email)).toEqual([
      "2026-11-28T10:00:00.000Z charge 990 success",
    ]);
  });

  it("is undone once, and then not offered any more", async () => {
    const { platform, person, reader } = await ended();
    const fields = hiddenFields(await reader.get(paths.accountSubscriptionUndo()));
    await reader.post(paths.accountSubscriptionUndo(), fields);
    const again = await reader.post(paths.accountSubscriptionUndo(), fields);
    expect((await reader.follow(again)).html).toMatch(
      /plus rien à annuler.*Rien n’est débité de plus par cet envoi/,
    );
    const page = await reader.get(paths.accountSubscriptionUndo());
    expect(mainOf(page)).toContain("Il n’y a rien à annuler");
    expect(page.dom.querySelector("main form button")).toBeNull();
    await platform.runDueJobs();
    expect(await site.charges(person.email)).toHaveLength(1);
  });

  it("undone without a card tells until when to pay", async () => {
    const { platform, reader } = await declared();
    await platform.database.updateTable("subscription").set({ card_reference: null }).execute();
    const shown = await reader.get(paths.accountSubscriptionUndo());
    const pressed = await reader.post(paths.accountSubscriptionUndo(), hiddenFields(shown));
    const page = await reader.follow(pressed);
    expect(page.dom.querySelector(".flash")?.text).toMatch(
      /rien ne sera débité sans vous.*payez au plus tard le 4\sdéc\.\s2026/,
    );
  });

  it("is in the list of what its owner's deletion leaves", async () => {
    const { platform, person, reader, passToDay } = await declared();
    await platform.call("POST /subscriptions/unsigned-notices/undo", {
      token: person.token,
      body: {},
    });
    await passToDay(8);
    await site.declare("withdrawals", person.email);
    const list = (await reader.get(paths.accountData())).dom.querySelector("#deletion-panel")?.text;
    expect(list).toMatch(/L’accès qui vous reste, jusqu’au 5\sdéc\.\s2026/);
    expect(list).toMatch(/suit son cours.*remboursée le 5\sdéc\.\s2026/);
  });

  it("is told as undone when the answer to that was lost", async () => {
    const { platform, person, reader } = await ended();
    const fields = hiddenFields(await reader.get(paths.accountSubscriptionUndo()));
    site.loseAnswers();
    const pressed = await reader.post(paths.accountSubscriptionUndo(), fields);
    const back = await reader.follow(pressed);
    expect(back.path).toBe(paths.accountSubscription());
    expect(back.html).toContain("votre abonnement reprend, et le montant affiché est débité");
    await platform.runDueJobs();
    expect(await site.charges(person.email)).toHaveLength(1);
  });

  it("is not told as undone when the request for that was lost", async () => {
    const { person, reader } = await ended();
    const fields = hiddenFields(await reader.get(paths.accountSubscriptionUndo()));
    site.loseRequests();
    const pressed = await reader.post(paths.accountSubscriptionUndo(), fields);
    expect(pressed.status).toBe(502);
    expect(mainOf(pressed)).toContain("Une résiliation a été déclarée");
    expect(pressed.html).not.toContain("votre abonnement reprend");
    expect(await site.charges(person.email)).toEqual([]);
    const back = await reader.follow(await reader.get(paths.accountSubscription()));
    expect(undoLinkIn(back)).not.toBeNull();
  });

  it("is reported as undone although the answer was lost", async () => {
    const { person, reader, platform } = await declared();
    const { token } = person;
    const own = { name: "Ada Byron", email: person.email };
    await platform.call("POST /cancellations", { token, body: own });
    const fields = hiddenFields(await reader.get(paths.accountSubscriptionUndo()));
    site.loseAnswers();
    const pressed = await reader.post(paths.accountSubscriptionUndo(), fields);
    const back = await reader.follow(pressed);
    expect(back.dom.querySelector(".flash")?.text).toContain(
      "une demande faite depuis votre compte, ou par écrit, garde son effet",
    );
    expect(mainOf(back)).toContain("Arrêt demandé");
  });

  it("is told by mail what becomes of it when no card is known and the answer was lost", async () => {
    const { platform, reader } = await declared();
    await platform.database.updateTable("subscription").set({ card_reference: null }).execute();
    const fields = hiddenFields(await reader.get(paths.accountSubscriptionUndo()));
    site.loseAnswers();
    const back = await reader.follow(await reader.post(paths.accountSubscriptionUndo(), fields));
    expect(back.dom.querySelector(".flash")?.text).toMatch(
      /L’e\u2011mail que nous vous envoyons dit/,
    );
  });

  it("promises no refund where the trial was free", async () => {
    const { platform, reader } = await declared("withdrawals", { isFree: true });
    for (const path of [paths.accountSubscription(), paths.accountData()]) {
      const page = await reader.get(path);
      expect(mainOf(page), path).toContain("toute somme payée vous est remboursée");
      expect(mainOf(page), path).not.toMatch(PROMISE);
    }
    expect(await platform.database.selectFrom("refund").selectAll().execute()).toEqual([]);
  });

  it("for a later day is named with that day and its limit", async () => {
    const { person, passToDay, platform } = await site.beginSubscribed(open);
    await passToDay(1);
    await site.declare("cancellations", person.email, { date: "2027-01-10" });
    const reader = visitor();
    await reader.post(paths.login(), { email: person.email, password: PASSWORD });
    const { payload } = (await platform.call("GET /subscriptions", { token: person.token })).body;
    const until = formatDateTime(payload.cancellation.undoDateTime);
    for (const path of [
      paths.accountSubscription(),
      paths.accountSubscriptionUndo(),
      paths.accountData(),
    ]) {
      const page = await reader.get(path);
      expect(mainOf(page), path).toContain(until);
      expect(mainOf(page), path).toMatch(/résiliation.*21\snov\.\s2026/);
    }
  });

  it("names no amount when its effect cannot be read", async () => {
    const { person, reader } = await ended();
    site.answerPreviews(() => Response.json({ message: "Non" }, { status: 503 }));
    const shown = await reader.get(paths.accountSubscriptionUndo());
    expect(mainOf(shown)).toContain("Nous n’avons pas pu lire");
    expect(mainOf(shown)).not.toMatch(/\d\s€/);
    const pressed = await reader.post(paths.accountSubscriptionUndo(), hiddenFields(shown));
    expect(pressed.status).toBe(400);
    expect(await site.charges(person.email)).toEqual([]);
  });
});
