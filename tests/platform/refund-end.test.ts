import { afterEach, expect, it, vi } from "vitest";
import { main as payments } from "../../server/cli/payments";
import { REFUND } from "../../server/platform/money/refunds";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import type { PlatformOptions } from "../../server/platform";
import { orderRefund } from "../../server/platform/subscriptions/ordered-refunds";
import { recordRepaid } from "../../server/platform/subscriptions/repaid";
import { newUid } from "../../server/platform/ports/ids";
import { freePort } from "../support/port";
import { runAt } from "./command";
import { silent } from "./context";
import { CARDS, newAddress, newPerson, type Person } from "./funnel";
import {
  back,
  DAY_MS,
  mailAbout,
  mailsSentTo,
  newestMail,
  passDays,
  passTo,
  placesOf,
  subscriber,
  subscriptionOf,
} from "./life";
import { orderUndecided } from "./undecided";

async function accountOf({ database }: TestPlatform, { uid }: Person) {
  const account = database.selectFrom("account").select("status").where("uid", "=", uid);
  return (await account.executeTakeFirst())?.status;
}

afterEach(() => vi.unstubAllEnvs());

type Refused = Partial<PlatformOptions> & { isSignedIn?: boolean };

onEachDatabase("a refund that cannot be made", (open) => {
  async function refused({ isSignedIn = true, ...options }: Refused = {}) {
    const errors: string[] = [];
    const log = { info() {}, warn() {}, error: (_: object, line: string) => errors.push(line) };
    const sandbox = { refuseRefunds: true };
    const platform = await open({ sandbox, log, ...options });
    const person = await subscriber(platform);
    if (isSignedIn) await withdraw(platform, person);
    else await declare(platform, person);
    return { platform, person, sandbox, errors };
  }

  const withdraw = (platform: TestPlatform, { email, token }: Person) =>
    platform.call("POST /withdrawals", { token, body: { name: "Léa Martin", email } });

  const declare = (platform: TestPlatform, { email }: Person) =>
    platform.call("POST /withdrawals", {
      headers: { "x-client-address": newAddress() },
      body: { name: "Léa Martin", email },
    });

  const status = async ({ database }: TestPlatform) =>
    (await database.selectFrom("refund").select("status").executeTakeFirst())?.status;

  it("is given up in the end and reported to the operator", async () => {
    const { platform, person, errors } = await refused();
    await passDays(platform, 4);
    expect(await status(platform)).toBe("pending");
    expect(errors).toEqual([]);
    await passDays(platform, 2);
    expect(await status(platform)).toBe("failure");
    expect(errors).toEqual(["refund given up: give it back by hand, at the provider"]);
    // The profile is kept for fourteen days while money is owed.
    await passDays(platform, 10);
    expect(await placesOf(platform, person.email)).toEqual([
      "bank_movement.email",
      "bank_page.email",
      "contract_mail.text",
      "contract_proof.email",
    ]);
  });

  it("is told to its person, as money that stays owed", async () => {
    const { platform, person } = await refused();
    await passDays(platform, 6);
    const { text } = await mailAbout(platform, person.email, "refund-failed");
    expect(text).toMatch(/Montant qui vous reste dû\s: 1,00\s€/);
  });

  /** Withdraws again without sign-in, and returns what is answered by mail. */
  async function withdrawAgain(platform: TestPlatform, { email }: Person, reference?: string) {
    const headers = { "x-client-address": newAddress() };
    await platform.call("POST /withdrawals", { headers, body: { name: "Léa", email, reference } });
    await platform.runDueJobs();
    return (await newestMail(platform, email)).text;
  }

  it.each(["kept", "deleted"])("is owed to who withdraws again, profile %s", async (profile) => {
    const { platform, person } = await refused();
    const { uid: reference } = await subscriptionOf(platform, person);
    await passDays(platform, profile === "kept" ? 6 : 40);
    expect(await accountOf(platform, person)).toBe(profile === "kept" ? "active" : "deleted");
    for (const named of [undefined, reference]) {
      const text = await withdrawAgain(platform, person, named);
      expect(text).toMatch(/Montant qui vous reste dû\s: 1,00\s€/);
      expect(text).not.toContain("aucun abonnement");
      expect(text).not.toContain("déjà revenue");
    }
  });

  it("is not denied to who got it and withdraws again, their profile gone", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await withdraw(platform, person);
    await passDays(platform, 6);
    expect(await accountOf(platform, person)).toBe("deleted");
    for (const named of [undefined, reference]) {
      const text = await withdrawAgain(platform, person, named);
      expect(text).toMatch(/Remboursement\s: 1,00\s€/);
      expect(text).not.toContain("aucun abonnement");
    }
  });

  it("is over once an operator has made it", async () => {
    const { platform, person, sandbox } = await refused();
    await passDays(platform, 20);
    sandbox.refuseRefunds = false;
    const payment = await platform.database.selectFrom("payment").selectAll().executeTakeFirst();
    const order = { paymentUid: payment?.uid ?? "", amount: null, by: "Ada", reason: "Refus" };
    const { database: db, clock } = platform;
    expect(await orderRefund({ db, clock }, order)).toMatchObject({ amount: 100 });
    await passDays(platform, 2);
    const mail = await mailAbout(platform, person.email, "refund");
    expect(mail.text).toContain("Nous avons rendu la somme ci-dessous");
    const contract = await subscriptionOf(platform, person);
    expect(contract.former_key).toBeNull();
  });

  const paymentOf = async ({ database }: TestPlatform) =>
    (await database.selectFrom("payment").select("uid").executeTakeFirstOrThrow()).uid;

  const repaid = async (platform: TestPlatform, ...argv: string[]) =>
    runAt(platform, payments, ["repaid", await paymentOf(platform), "--by", "Zoé", ...argv]);

  const owed = async (platform: TestPlatform) =>
    (await runAt(platform, payments, ["owed"])).out.map((line) => JSON.parse(line));

  it.each(["kept", "deleted"])(
    "is over once it is paid by another way, profile %s",
    async (profile) => {
      const { platform, person } = await refused();
      await passDays(platform, profile === "kept" ? 6 : 40);
      const { uid: contract } = await subscriptionOf(platform, person);
      const payment = await paymentOf(platform);
      const listed = { payment, contract, email: person.email, amount: 100, why: "refused" };
      expect(await owed(platform)).toMatchObject([listed]);
      const first = await repaid(platform, "--reference", "Virement 17");
      expect(first).toMatchObject({ code: 0, error: [] });
      expect(first.out[0]).toMatch(/^100 cents .* by another way on 20.*; the site mails .*@/);
      const again = await repaid(platform);
      expect(again).toMatchObject({ code: 1, out: [] });
      expect(again.error[0]).toMatch(/^Recorded before: 100 cents .* by Zoé$/);
      expect(await owed(platform)).toEqual([]);
      await platform.runDueJobs();
      const { text } = await mailAbout(platform, person.email, "repaid");
      expect(text).toMatch(/Montant remboursé\s: 1,00\s€/);
      expect(text).toContain("Virement 17");
      const answer = await withdrawAgain(platform, person, contract);
      expect(answer).toContain("rendu par un autre moyen");
      expect(answer).not.toContain("reste due");
      await passDays(platform, 2);
      expect(await accountOf(platform, person)).toBe("deleted");
      // The right to withdraw itself ends on the fourteenth day.
      await passDays(platform, 8);
      expect((await subscriptionOf(platform, person)).former_key).toBeNull();
      const moved = platform.database.selectFrom("bank_movement").select("kind");
      expect(await moved.execute()).toEqual([{ kind: "charge" }]);
    },
  );

  it("is told to its person as repaid, in their payments and their data", async () => {
    const { platform, person } = await refused();
    await passDays(platform, 6);
    expect((await repaid(platform, "--reference", "Virement 17")).code).toBe(0);
    const { token } = await back(platform, person);
    const list = (await platform.call("GET /subscriptions/payments", { token })).body;
    expect(list.payload).toMatchObject([{ state: "refunded", refunds: [{ amount: 100 }] }]);
    const data = (await platform.call(`GET /users/${person.uid}/export`, { token })).body;
    expect(data.payload.refunds).toMatchObject([
      { amount: 100, status: "success", isRepaidElsewhere: true, repaidReference: "Virement 17" },
    ]);
    expect(JSON.stringify(data)).not.toContain("Zoé");
  });

  it("is recorded only where it is owed", async () => {
    const { platform, sandbox } = await refused();
    const words = async (...argv: string[]) => (await repaid(platform, ...argv)).error[0];
    expect(await words()).toMatch(/^Not given up: the site itself still gives back 100 cents/);
    expect(await owed(platform)).toEqual([]);
    await passDays(platform, 6);
    expect(await words("--day", "2027-01-01")).toMatch(/^Not paid yet: /);
    expect(await words("--day", "2026-11-01")).toMatch(/^Not paid on 2026-11-01: /);
    expect(await words("--reference", "FR76 3000 6000 0112 3456 7890 189")).toMatch(/no number/);
    expect(await words("--reference", "Carte 4242 4242 4242 4242")).toMatch(/no number/);
    expect(await words("--amount", "100")).toMatch(/^Expected: /);
    const unknown = await runAt(platform, payments, ["repaid", "x", "--by", "Zoé"]);
    expect(unknown.error).toEqual(["There is no payment x"]);
    sandbox.refuseRefunds = false;
    const order = ["refund", await paymentOf(platform), "--by", "Zoé", "--reason", "Refus"];
    expect((await runAt(platform, payments, order)).code).toBe(0);
    await platform.runDueJobs();
    expect(await words()).toMatch(/^Nothing is owed of /);
  });

  it("is recorded once, though two do it at the same time", async () => {
    const { platform } = await refused();
    await passDays(platform, 6);
    const { database: db, clock } = platform;
    const repayment = { paymentUid: await paymentOf(platform), day: null, reference: null };
    const recorded = await Promise.all(
      ["Zoé", "Ada"].map((by) => recordRepaid({ db, clock }, { ...repayment, by })),
    );
    expect(recorded.filter((one) => "amount" in one)).toHaveLength(1);
  });

  it("that an operator ordered is recorded as repaid, too", async () => {
    const platform = await open({ sandbox: { refuseRefunds: true } });
    const person = await subscriber(platform);
    const payment = await paymentOf(platform);
    const order = ["refund", payment, "--by", "Zoé", "--amount", "40", "--reason", "Geste"];
    expect((await runAt(platform, payments, order)).code).toBe(0);
    await passDays(platform, 6);
    expect(await owed(platform)).toMatchObject([{ amount: 40, reason: "Geste" }]);
    expect((await repaid(platform)).code).toBe(0);
    expect(await owed(platform)).toEqual([]);
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "repaid");
    expect(text).toMatch(/Montant remboursé\s: 0,40\s€/);
    const rest = ["refund", payment, "--by", "Zoé", "--amount", "61", "--reason", "Reste"];
    expect((await runAt(platform, payments, rest)).error[0]).toMatch(/^Only 60 cents are left/);
  });

  it("is claimed for five years at most", async () => {
    const { platform, person } = await refused();
    await passDays(platform, 20);
    const years = (count: number) => count * 365.25 * DAY_MS;
    platform.clock.advance(years(5) - 25 * DAY_MS);
    await platform.runDueJobs();
    expect((await subscriptionOf(platform, person)).former_key).not.toBeNull();
    platform.clock.advance(7 * DAY_MS);
    await platform.runDueJobs();
    expect((await subscriptionOf(platform, person)).former_key).toBeNull();
  });

  it("begins so early that its attempts fit the fourteen days", async () => {
    // No mail goes out, so that the withdrawal is carried out at the last moment.
    const mailUrl = `smtp://127.0.0.1:${await freePort()}`;
    const { platform, person, sandbox } = await refused({ isSignedIn: false, mailUrl });
    const { started_at } = await subscriptionOf(platform, person);
    const refund = platform.database.selectFrom("refund").selectAll();
    for (let day = 0; day < 14; day++) {
      await passDays(platform, 1);
      // Only the last attempt is accepted.
      sandbox.refuseRefunds = ((await refund.executeTakeFirst())?.attempt ?? 0) < 5;
    }
    const { settled_at, status } = await refund.executeTakeFirstOrThrow();
    expect(status).toBe("success");
    expect(Date.parse(settled_at ?? "") - Date.parse(started_at)).toBeLessThan(14 * DAY_MS);
  });

  it("succeeds once the bank accepts it", async () => {
    const { platform, sandbox, errors } = await refused();
    await passDays(platform, 1);
    sandbox.refuseRefunds = false;
    await passDays(platform, 1);
    expect(await status(platform)).toBe("success");
    expect(errors).toEqual([]);
  });
});

onEachDatabase("the profile of who withdrew", (open) => {
  it("stays two weeks while its refund is pending", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { email, token } = person;
    const body = { name: "Léa Martin", email };
    await platform.call("POST /withdrawals", { token, body });
    // The bank never answers.
    await platform.database.deleteFrom("job").where("kind", "=", REFUND).execute();
    await passDays(platform, 13);
    expect(await accountOf(platform, person)).toBe("active");
    await passDays(platform, 3);
    expect(await accountOf(platform, person)).toBe("deleted");
  });
});

onEachDatabase("the order of who deleted their account before the bank decided", (open) => {
  const keptIn = async ({ database }: TestPlatform) =>
    (await database.selectFrom("payment").select("payer_email").execute()).flatMap(
      ({ payer_email }) => payer_email ?? [],
    );

  async function left(card = CARDS.pending, sandbox: PlatformOptions["sandbox"] = {}) {
    const platform = await open({ sandbox, log: silent });
    const person = await newPerson(platform);
    const { decide } = await orderUndecided(platform, person, card);
    const { token } = person;
    expect((await platform.call(`DELETE /users/${person.uid}`, { token })).status).toBe(202);
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "account-deleted");
    expect(text).toContain("la somme vous est remboursée aussitôt");
    expect(await keptIn(platform)).toEqual([person.email]);
    return { platform, person, decide };
  }

  it("is told when it is made, and its e-mail goes", async () => {
    const { platform, person, decide } = await left();
    await decide();
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "refund");
    expect(text).toMatch(/Montant remboursé\s: 1,00\s€/);
    expect(await keptIn(platform)).toEqual([]);
  });

  it("is told as money that stays owed, and again when it is back", async () => {
    const sandbox = { refuseRefunds: true };
    const { platform, person, decide } = await left(CARDS.pending, sandbox);
    await decide();
    await passDays(platform, 6);
    const { text } = await mailAbout(platform, person.email, "refund-failed");
    expect(text).toMatch(/Montant qui vous reste dû\s: 1,00\s€/);
    expect(await keptIn(platform)).toEqual([person.email]);
    sandbox.refuseRefunds = false;
    const { uid } = await platform.database
      .selectFrom("payment")
      .select("uid")
      .executeTakeFirstOrThrow();
    const order = { paymentUid: uid, amount: null, by: "Ada", reason: "Refus" };
    await orderRefund({ db: platform.database, clock: platform.clock }, order);
    await passDays(platform, 1);
    expect((await mailAbout(platform, person.email, "refund")).text).toMatch(/1,00\s€/);
    expect(await keptIn(platform)).toEqual([]);
  });

  const uidOf = async ({ database }: TestPlatform) =>
    (await database.selectFrom("payment").select("uid").executeTakeFirstOrThrow()).uid;

  /** What the person is told once an operator has paid them by another way. */
  async function repay(platform: TestPlatform, person: Person) {
    const { code } = await runAt(platform, payments, [
      "repaid",
      await uidOf(platform),
      "--by",
      "Zoé",
    ]);
    expect(code).toBe(0);
    await platform.runDueJobs();
    return mailsSentTo(platform, person).flatMap(
      ({ text }) => /Montant remboursé\s: (\S+)/.exec(text)?.[1] ?? [],
    );
  }

  it("is told as repaid by another way, and its e-mail goes", async () => {
    const { platform, person, decide } = await left(CARDS.pending, { refuseRefunds: true });
    await decide();
    await passDays(platform, 6);
    expect(await repay(platform, person)).toEqual(["1,00"]);
    expect(await keptIn(platform)).toEqual([]);
  });

  it("is told of each part that was repaid together", async () => {
    const { platform, person, decide } = await left(CARDS.pending, { refuseRefunds: true });
    await decide();
    await passDays(platform, 6);
    const { database, clock } = platform;
    await database.updateTable("refund").set({ status: "success", amount: 10 }).execute();
    const created_at = clock.now().toISOString();
    const bounced = { payment_uid: await uidOf(platform), made_by: "provider" } as const;
    for (const amount of [40, 50]) {
      await database
        .insertInto("refund")
        .values({ ...bounced, uid: newUid(), amount, status: "failure", created_at })
        .execute();
    }
    expect((await repay(platform, person)).sort()).toEqual(["0,40", "0,50"]);
    expect(await keptIn(platform)).toEqual([]);
  });

  it("is none where the bank takes nothing", async () => {
    const { platform, person, decide } = await left(CARDS.pendingDeclined);
    await decide();
    await platform.runDueJobs();
    expect(await keptIn(platform)).toEqual([]);
    expect(mailsSentTo(platform, person).at(-1)?.text).toContain("la somme vous est remboursée");
  });

  it("is claimed for thirteen months, and its e-mail goes", async () => {
    const { platform, person, decide } = await left(CARDS.pending, { refuseRefunds: true });
    await decide();
    await passTo(platform, "2027-12-19T10:00:00.000Z");
    expect(await keptIn(platform)).toEqual([person.email]);
    await passTo(platform, "2028-01-02T10:00:00.000Z");
    expect(await keptIn(platform)).toEqual([]);
  });

  it("keeps no e-mail of payments that were decided", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    expect(await keptIn(platform)).toEqual([]);
  });
});
