import { expect, it } from "vitest";
import { newUid } from "../../server/platform/ports/ids";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { CARDS, newPage, newPerson, payWith, post, type Person } from "./funnel";
import { back, mailAbout, passDays, subscriber, subscriptionOf } from "./life";
import { bringBack, dispute, giveBack, openSubscribed, tell, tellRefund } from "./reversals";

const list = async (platform: TestPlatform, { token }: Person, query = "") =>
  (await platform.call(`GET /subscriptions/payments${query}`, { token })).body;

const receiptOf = (platform: TestPlatform, { token }: Person, uid: string) =>
  platform.call(`GET /subscriptions/payments/${uid}`, { token });

onEachDatabase("the payments of an account", (open) => {
  it("come newest first with what they paid for", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: contract } = await subscriptionOf(platform, person);
    await passDays(platform, 7.1);
    const { payload, page } = await list(platform, await back(platform, person));
    const paid = { state: "paid", contract, formulaName: "VIP mensuel", refunds: [] };
    expect(payload).toEqual([
      {
        ...paid,
        uid: expect.any(String),
        receipt: expect.stringMatching(/^[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}$/),
        date: "2026-11-27T10:00:00.000Z",
        amount: 990,
        kind: "renewal",
        period: {
          startDateTime: "2026-11-27T10:00:00.000Z",
          endDateTime: "2026-12-27T10:00:00.000Z",
        },
        cardHint: "424242…4242",
      },
      expect.objectContaining({
        ...paid,
        amount: 100,
        kind: "first",
        date: "2026-11-20T10:00:00.000Z",
        period: {
          startDateTime: "2026-11-20T10:00:00.000Z",
          endDateTime: "2026-11-27T10:00:00.000Z",
        },
      }),
    ]);
    expect(page).toEqual({ hasNextPage: false, endCursor: null });
  });

  it("were debited until they have gone back, also after they had been given up", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { database } = platform;
    const { uid } = await database.selectFrom("payment").select("uid").executeTakeFirstOrThrow();
    await database.updateTable("payment").set({ status: "failure" }).execute();
    const refund = { uid: newUid(), payment_uid: uid, amount: 100, created_at: "2026-11-20" };
    const begun = { ...refund, status: "pending", made_by: "platform" } as const;
    await database.insertInto("refund").values(begun).execute();
    const stateNow = async () => (await list(platform, person)).payload[0];
    expect(await stateNow()).toMatchObject({ state: "paid", refunds: [{ isPending: true }] });
    await database.updateTable("refund").set({ status: "failure" }).execute();
    expect(await stateNow()).toMatchObject({ state: "paid", refunds: [] });
    await database.updateTable("refund").set({ status: "success" }).execute();
    expect(await stateNow()).toMatchObject({ state: "refunded" });
  });

  it("promise no more than is left", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { database } = platform;
    const { uid: payment_uid } = await database
      .selectFrom("payment")
      .select("uid")
      .executeTakeFirstOrThrow();
    const made = { payment_uid, created_at: "2026-11-20" };
    await database
      .insertInto("refund")
      .values([
        { ...made, uid: newUid(), amount: 30, status: "success", made_by: "operator" },
        { ...made, uid: newUid(), amount: 100, status: "pending", made_by: "platform" },
      ])
      .execute();
    const [payment] = (await list(platform, person)).payload;
    expect(payment.refunds).toMatchObject([{ amount: 30 }, { amount: 70, isPending: true }]);
  });

  it("come ten at a time, each once", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const row = {
      account_uid: person.uid,
      formula_uid: "vip-mensuel",
      kind: "first" as const,
      amount: 100,
      cashback: 0 as const,
      status: "failure" as const,
    };
    // Several at the same moment: the uid decides.
    const rows = Array.from({ length: 23 }, (_, index) => ({
      ...row,
      uid: newUid(),
      created_at: new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 4))).toISOString(),
    }));
    await platform.database.insertInto("payment").values(rows).execute();
    const seen: string[] = [];
    let after = "";
    do {
      const { payload, page } = await list(platform, person, after && `?after=${after}`);
      expect(payload.length).toBeLessThanOrEqual(10);
      seen.push(...payload.map(({ uid }: { uid: string }) => uid));
      after = page.endCursor;
    } while (after);
    const sorted = rows.toSorted((a, b) => {
      const [one, other] = [a.created_at + a.uid, b.created_at + b.uid];
      return one < other ? 1 : -1;
    });
    expect(seen).toEqual(sorted.map(({ uid }) => uid));
    expect((await list(platform, person, "?length=3")).payload).toHaveLength(3);
    const foreign = Buffer.from(JSON.stringify(["tickets date.desc uid.desc", "2026", "x"]));
    const refused = await platform.call(
      `GET /subscriptions/payments?after=${foreign.toString("base64url")}`,
      { token: person.token },
    );
    expect(refused.status).toBe(400);
  });

  it("are nobody else's", async () => {
    const platform = await open();
    const ada = await subscriber(platform);
    const bob = await subscriber(platform);
    const [{ uid }] = (await list(platform, ada)).payload;
    const [own] = (await list(platform, bob)).payload;
    expect(own.uid).not.toBe(uid);
    expect((await receiptOf(platform, ada, uid)).status).toBe(200);
    expect((await receiptOf(platform, bob, uid)).status).toBe(404);
    expect((await receiptOf(platform, bob, newUid())).status).toBe(404);
    expect((await list(platform, await newPerson(platform))).payload).toEqual([]);
  });

  it.each([
    [CARDS.declined, "refused"],
    [CARDS.pending, "pending"],
    [CARDS.challengeDeclined, "pending"],
  ])("with card %s are %s", async (card, state) => {
    const platform = await open();
    const person = await newPerson(platform);
    await payWith(platform, person, card);
    const [payment] = (await list(platform, person)).payload;
    expect(payment).toMatchObject({ state, amount: 100, kind: "first", refunds: [] });
    expect(payment).not.toHaveProperty("contract");
    expect(payment).not.toHaveProperty("period");
  });

  it.each([
    ["left open", undefined, "payer"],
    ["that the bank decides on", CARDS.pending, undefined],
  ])("on a page %s say whom they await", async (_, card, awaiting) => {
    const platform = await open();
    const person = await newPerson(platform);
    if (card) await payWith(platform, person, card);
    else await newPage(platform, person);
    const [payment] = (await list(platform, person)).payload;
    expect(payment).toMatchObject({ state: "pending" });
    expect(payment.awaiting).toBe(awaiting);
  });

  it("are cancelled once their page was left", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person), { intent: "cancel" });
    expect((await list(platform, person)).payload).toMatchObject([{ state: "cancelled" }]);
  });

  it("show refunds on their way and made, also after the end", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { email } = person;
    const body = { name: "Ada Byron", email };
    await platform.call("POST /withdrawals", { token: person.token, body });
    const refund = { date: "2026-11-20T10:00:00.000Z", amount: 100 };
    expect((await list(platform, person)).payload).toMatchObject([
      { state: "paid", refunds: [{ ...refund, isPending: true }] },
    ]);
    await platform.runDueJobs();
    const [payment] = (await list(platform, person)).payload;
    expect(payment).toMatchObject({ state: "refunded", refunds: [refund] });
    expect((await receiptOf(platform, person, payment.uid)).body.payload).toMatchObject(payment);
  });

  it("show parts that went back, and disputes", async () => {
    const shop = await openSubscribed(open);
    const stateOf = async () => {
      const [payment] = (await list(shop.platform, await back(shop.platform, shop.person))).payload;
      return [payment.state, payment.refunds.map(({ amount }: { amount: number }) => amount)];
    };
    giveBack(shop, shop.first, 40);
    await tellRefund(shop, shop.first);
    expect(await stateOf()).toEqual(["partly-refunded", [40]]);
    const claim = dispute(shop, shop.first);
    for (const [status, told] of [
      ["needs_response", "disputed"],
      ["lost", "disputed"],
      ["won", "partly-refunded"],
    ] as const) {
      claim.status = status;
      await tell(shop, "charge.dispute.updated", claim);
      expect(await stateOf()).toEqual([told, [40]]);
    }
    const rest = giveBack(shop, shop.first, 60);
    await tellRefund(shop, shop.first);
    expect(await stateOf()).toEqual(["refunded", [40, 60]]);
    await bringBack(shop, rest);
    expect(await stateOf()).toEqual(["partly-refunded", [40]]);
  });
});

onEachDatabase("the receipt of a payment", (open) => {
  it("names client, seller and amount", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const [{ uid, receipt }] = (await list(platform, person)).payload;
    const { body } = await receiptOf(platform, person, uid);
    expect(body.payload).toMatchObject({
      receipt,
      amount: 100,
      client: { email: person.email },
      seller: {
        imprint:
          "Éditions des Tests SAS, SAS au capital de 2 €, 4 rue des Essais, 69000 Lyon, RCS Lyon 123 456 789",
        vatNumber: "FR12 123456789",
        email: "bonjour@tests.example",
        phone: "04 72 00 00 00",
      },
      statement: "CAP CELESTE PARIS",
    });
    // The owner has not said which rate.
    expect(body.payload).not.toHaveProperty("vat");
  });

  it("names the client of the order on a renewal too", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.database.updateTable("payment").set({ payer_name: "Ada Byron" }).execute();
    await passDays(platform, 7.1);
    const own = await back(platform, person);
    const [{ uid, kind }] = (await list(platform, own)).payload;
    expect(kind).toBe("renewal");
    const { body } = await receiptOf(platform, own, uid);
    expect(body.payload.client).toEqual({ email: person.email, name: "Ada Byron" });
  });

  it("keeps its number whatever becomes of the payment", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const [before] = (await list(platform, person)).payload;
    await platform.database
      .updateTable("payment")
      .set({ settled_at: "2026-12-01T10:00:00.000Z", card_hint: null, status: "failure" })
      .execute();
    const [after] = (await list(platform, person)).payload;
    expect(after.receipt).toBe(before.receipt);
  });

  const WITH_VAT = "tests/support/identity-with-vat.yaml";
  const WITHOUT_VAT = "tests/support/identity.yaml";

  async function restart({ close, place, clock }: TestPlatform, identityFile: string) {
    await close();
    return open({ ...place, clock, identityFile });
  }

  it("stays as it was mailed when the owner changes seller and rate", async () => {
    const before = await open({ identityFile: WITH_VAT });
    const person = await subscriber(before);
    const [{ uid }] = (await list(before, person)).payload;
    const mailed = (await receiptOf(before, person, uid)).body.payload;
    await before.runDueJobs();
    const { text } = await mailAbout(before, person.email, "receipt");
    expect(text).toMatch(/\(20\s%\)/);
    const after = await restart(before, WITHOUT_VAT);
    expect((await receiptOf(after, person, uid)).body.payload).toEqual(mailed);
    const exported = await after.call(`GET /users/${person.uid}/export`, person);
    expect(JSON.stringify(exported.body)).toContain('"vatRate":20');
    await passDays(after, 7.1);
    const own = await back(after, person);
    const [renewal] = (await list(after, own)).payload;
    const told = (await receiptOf(after, own, renewal.uid)).body.payload;
    expect(told).not.toHaveProperty("vat");
    expect(told.seller).not.toEqual(mailed.seller);
  });

  it("of a payment before sellers were stored keeps the one of the next start", async () => {
    const before = await open({ identityFile: WITH_VAT });
    const person = await subscriber(before);
    const [{ uid }] = (await list(before, person)).payload;
    await before.database.updateTable("payment").set({ seller: null }).execute();
    const last = await restart(await restart(before, WITH_VAT), WITHOUT_VAT);
    const { body } = await receiptOf(last, person, uid);
    expect(body.payload.vat).toEqual({ rate: 20, beforeTax: 83, tax: 17 });
  });

  it("says the VAT where the owner says the rate", async () => {
    const platform = await open({ identityFile: WITH_VAT });
    const person = await subscriber(platform);
    const [{ uid }] = (await list(platform, person)).payload;
    const { body } = await receiptOf(platform, person, uid);
    expect(body.payload.vat).toEqual({ rate: 20, beforeTax: 83, tax: 17 });
  });
});
