import { afterAll, expect, it, vi } from "vitest";
import { paths } from "~/paths";
import { CASHBACK, newPage, newPerson, PASSWORD, post, type Person } from "../../platform/funnel";
import { newestMail } from "../../platform/life";
import { onEachDatabase, type TestPlatform } from "../../support/platform";
import type { PageAnswer } from "../../support/pages";
import { mainOf, openUndoing, type NoticeKind } from "../undoing";

const site = await openUndoing();

afterAll(() => vi.useRealTimers());

const END = "4 déc. 2026";
const REFUND = "27 nov. 2026";

/** In the period that ends on 4 March. */
const LATER = "2027-02-10";

onEachDatabase("the owner's cancellation beside what others declared", (open) => {
  /** Paid until 4 December, stopped by a stranger on 20 November. */
  async function declared(kind: NoticeKind, { hasCard = true } = {}) {
    const platform = await site.begin(open);
    const person = await newPerson(platform);
    const { email, token } = person;
    await post(platform, await newPage(platform, person, CASHBACK));
    if (!hasCard) await dropCard(platform, person);
    await site.declare(kind, email);
    platform.clock.advance(60_000);
    vi.useFakeTimers({ toFake: ["Date"], now: platform.clock.now() });
    const reader = site.visitor();
    await reader.post(paths.login(), { email, password: PASSWORD });
    const send = async (intent: "recap" | "notify", date?: string) => {
      const fields = { name: "Ada", email, intent, ...(date && { date }) };
      return reader.follow(await reader.post(paths.cancelContract(), fields));
    };
    const readMail = async () => {
      await platform.runDueJobs();
      return plain((await newestMail(platform, email)).text);
    };
    /** As in another browser. */
    const undo = () =>
      platform.call("POST /subscriptions/unsigned-notices/undo", { token, body: {} });
    return { reader, send, readMail, undo };
  }

  /** As once it is removed at the provider. */
  const dropCard = ({ database }: TestPlatform, { uid }: Person) =>
    database
      .updateTable("subscription")
      .set({ card_reference: null })
      .where("account_uid", "=", uid)
      .execute();

  const plain = (text: string) => text.replace(/\s+/g, " ");
  const wordsOf = (page: PageAnswer) => plain(mainOf(page));

  it.each([undefined, LATER])("for %s names its own end and the refund", async (date) => {
    const { send, readMail } = await declared("withdrawals");
    for (const page of [await send("recap", date), await send("notify", date)]) {
      const words = wordsOf(page);
      expect(words).toContain(`Votre accès prend fin le ${END} ; rien ne sera plus prélevé`);
      expect(words).toMatch(/Une rétractation de ce contrat, déclarée le 20 nov\. 2026/);
      expect(words).toContain(`toute somme payée vous est remboursée le ${REFUND}`);
    }
    const mail = await readMail();
    expect(mail).toContain(`Fin de l’accès : ${END}`);
    expect(mail).toContain("Une rétractation de ce contrat");
  });

  it.each(["cancellations", "withdrawals"] as const)(
    "for a later day names the end once the %s are undone",
    async (kind) => {
      const { reader, send, readMail, undo } = await declared(kind);
      const recap = await send("recap", LATER);
      const receipt = await send("notify", LATER);
      for (const page of [recap, receipt]) {
        expect(wordsOf(page)).toMatch(
          /si elle est annulée, il se renouvelle .* prend fin le 4 mars 2027/,
        );
      }
      expect(await readMail()).toMatch(/le contrat se renouvelle .* prend fin le 4 mars 2027/);
      await undo();
      const later = wordsOf(await reader.get(receipt.path));
      expect(later).toContain("Votre contrat prend fin le 4 mars 2027");
      expect(later).not.toContain("autre demande");
    },
  );

  it("for a later day promises no debits of a contract without a card", async () => {
    const { send, readMail } = await declared("cancellations", { hasCard: false });
    const texts = [wordsOf(await send("recap", LATER)), wordsOf(await send("notify", LATER))];
    for (const text of [...texts, await readMail()]) {
      expect(text).toMatch(/est annulée, .* prend fin le 4 mars 2027.*, ou avant si une période/);
      expect(text).not.toContain("se renouvelle de nouveau");
    }
  });

  it("at once names no later end that the owner planned before", async () => {
    const { send } = await declared("cancellations");
    await send("notify", LATER);
    const recap = wordsOf(await send("recap"));
    expect(recap).toContain(`Votre accès prend fin le ${END}`);
    expect(recap).not.toContain("4 mars");
  });

  it("names the refund beside the end in a refused stop form", async () => {
    const { reader } = await declared("withdrawals");
    const words = wordsOf(await reader.post(paths.accountSubscription(), {}));
    expect(words).toContain(`Vous gardez l’accès jusqu’au ${END}`);
    expect(words).toContain(
      `remboursée le ${REFUND}, et l’accès prend fin ce jour-là au plus tard`,
    );
  });
});
