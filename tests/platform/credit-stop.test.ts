import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { CASHBACK, newPage, newPerson, post, type Person } from "./funnel";
import { back, mailAbout, newestMail, passTo, subscriptionOf, undoAsShown } from "./life";

const LATE_IN_TRIAL = "2026-12-02T10:00:00.000Z";
const FULL_DEBIT = "2026-12-04T10:00:00.000Z";
const AFTER_DEBIT = "2026-12-10T10:00:00.000Z";

const LOST = /Le cashback de 20,00\s€ .* ne sera pas dû/;
const KEPT = /ne change rien à votre cashback de 20,00\s€/;

onEachDatabase("a stop", (open) => {
  /** Somebody who has just ordered the partner's formula, with a trial. */
  async function ordered() {
    const platform = await open();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person, CASHBACK));
    return { platform, person };
  }

  const stop = async (platform: TestPlatform, person: Person) => {
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await platform.runDueJobs();
  };

  /** A cancellation of the owner, and the text of its receipt. */
  async function cancel(platform: TestPlatform, person: Person, more: object = {}) {
    const { email } = person;
    const { token } = await back(platform, person);
    await platform.call("POST /cancellations", { token, body: { name: "Ada", email, ...more } });
    await platform.runDueJobs();
    return (await newestMail(platform, email)).text;
  }

  async function readSubscription(platform: TestPlatform, person: Person) {
    const { token } = await back(platform, person);
    const { body } = await platform.call("GET /subscriptions", { token });
    return body.payload;
  }

  const creditOf = async (platform: TestPlatform, person: Person) =>
    (await readSubscription(platform, person)).credit;

  const linkIn = (text: string) => /\/undo\?token=(\S+)/.exec(text)?.[1] ?? "";

  it("within the trial is shown to lose the credit", async () => {
    const { platform, person } = await ordered();
    expect(await creditOf(platform, person)).toMatchObject({ lapse: "if-stopped" });
    await stop(platform, person);
    expect(await creditOf(platform, person)).toMatchObject({ status: "awaited", lapse: "stopped" });
    expect((await mailAbout(platform, person.email, "stop")).text).toMatch(LOST);
  });

  it("names the lost credit again at the end", async () => {
    const { platform, person } = await ordered();
    await stop(platform, person);
    await passTo(platform, FULL_DEBIT);
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "ended");
    expect(text).toMatch(/Le cashback de 20,00\s€ .* n’est pas dû/);
  });

  it("after the full debit leaves the credit as it is", async () => {
    const { platform, person } = await ordered();
    await passTo(platform, AFTER_DEBIT);
    expect(await creditOf(platform, person)).not.toHaveProperty("lapse");
    await stop(platform, person);
    expect(await creditOf(platform, person)).not.toHaveProperty("lapse");
    const { text } = await mailAbout(platform, person.email, "stop");
    expect(text).toMatch(KEPT);
    expect(text).not.toMatch(LOST);
    await passTo(platform, "2027-01-04T10:00:00.000Z");
    await platform.runDueJobs();
    expect((await mailAbout(platform, person.email, "ended")).text).not.toContain("cashback");
  });

  it("by a notice says so in its receipt until undone", async () => {
    const { platform, person } = await ordered();
    const receipt = await cancel(platform, person);
    expect(receipt).toMatch(LOST);
    expect(await creditOf(platform, person)).toMatchObject({ lapse: "stopped" });
    await undoAsShown(platform, linkIn(receipt));
    expect(await creditOf(platform, person)).toMatchObject({ lapse: "if-stopped" });
  });

  it("of others alone, in the trial or after it, goes on once it is undone", async () => {
    const { platform, person } = await ordered();
    await passTo(platform, LATE_IN_TRIAL);
    const body = { name: "Ada", email: person.email };
    await platform.call("POST /cancellations", { body });
    await platform.runDueJobs();
    const lost = { continuesIfUndone: true, credit: { lapse: "stopped" } };
    expect(await readSubscription(platform, person)).toMatchObject(lost);
    await passTo(platform, FULL_DEBIT);
    await platform.runDueJobs();
    const ended = { continuesIfUndone: true, credit: { status: "void", reason: "ended" } };
    expect(await readSubscription(platform, person)).toMatchObject(ended);
  });

  it("of others beside one of the owner does not go on by undoing the former", async () => {
    const { platform, person } = await ordered();
    await stop(platform, person);
    await platform.call("POST /cancellations", { body: { name: "Ada", email: person.email } });
    await platform.runDueJobs();
    expect(await readSubscription(platform, person)).not.toHaveProperty("continuesIfUndone");
  });

  it("for a later day tells the debits before it", async () => {
    const { platform, person } = await ordered();
    // Each plans an earlier end than the one before, which counts.
    const debits = /les prélèvements continuent\s: encore 2, de 14,90\s€ chacun\./;
    expect(await cancel(platform, person, { date: "2027-01-10" })).toMatch(debits);
    const debit = /les prélèvements continuent\s: encore un, de 14,90\s€\./;
    expect(await cancel(platform, person, { date: "2026-12-10" })).toMatch(debit);
    expect(await cancel(platform, person)).not.toContain("les prélèvements continuent");
  });

  it("planned after the full debit loses nothing", async () => {
    const { platform, person } = await ordered();
    expect(await cancel(platform, person, { date: "2026-12-10" })).not.toContain("cashback");
    expect(await creditOf(platform, person)).toMatchObject({ lapse: "if-stopped" });
    await passTo(platform, AFTER_DEBIT);
    await platform.runDueJobs();
    expect((await mailAbout(platform, person.email, "notice-stop")).text).toMatch(KEPT);
  });

  it("planned beside one of others loses nothing by itself", async () => {
    const { platform, person } = await ordered();
    await platform.call("POST /cancellations", { body: { name: "Ada", email: person.email } });
    await platform.runDueJobs();
    const receipt = await cancel(platform, person, { date: "2027-02-10" });
    expect(receipt).toMatch(
      /cashback de 20,00\s€ .*tant que l’autre demande arrête le contrat\. Si elle est annulée, il est/,
    );
    expect(receipt).not.toContain("cet arrêt l’empêche");
    const end = "2027-03-04T10:00:00.000Z";
    expect(await readSubscription(platform, person)).toMatchObject({ endIfUndoneDateTime: end });
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsigned-notices/undo", { token, body: {} });
    const undone = await readSubscription(platform, person);
    expect(undone).toMatchObject({ plannedEndDateTime: end, credit: { lapse: "if-stopped" } });
    expect(undone).not.toHaveProperty("endIfUndoneDateTime");
  });

  it("that is undone after the end awaits the credit again", async () => {
    const { platform, person } = await ordered();
    await passTo(platform, LATE_IN_TRIAL);
    const receipt = await cancel(platform, person);
    await passTo(platform, FULL_DEBIT);
    await platform.runDueJobs();
    expect(await creditOf(platform, person)).toMatchObject({ status: "void", reason: "ended" });
    await undoAsShown(platform, linkIn(receipt));
    const awaited = { status: "awaited", lapse: "if-stopped" };
    expect(await creditOf(platform, person)).toMatchObject(awaited);
  });

  it("is not said to lose what an undecided debit may pay", async () => {
    const { platform, person } = await ordered();
    const { database } = platform;
    const { uid, expires_at, payment_uid } = await subscriptionOf(platform, person);
    const first = await database
      .selectFrom("payment")
      .selectAll()
      .where("uid", "=", payment_uid)
      .executeTakeFirstOrThrow();
    const debit = { kind: "renewal", status: "pending", subscription_uid: uid } as const;
    await database
      .insertInto("payment")
      .values({
        ...first,
        ...debit,
        uid: "debit",
        asked_at: first.created_at,
        idempotency_key: null,
        gateway_reference: null,
        period_start: expires_at,
      })
      .execute();
    expect(await creditOf(platform, person)).not.toHaveProperty("lapse");
    await stop(platform, person);
    expect(await creditOf(platform, person)).not.toHaveProperty("lapse");
    expect((await mailAbout(platform, person.email, "stop")).text).not.toContain("cashback");
  });

  it("by deletion names the lost credit", async () => {
    const { platform, person } = await ordered();
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "account-deleted");
    expect(text).toMatch(/Le cashback de 20,00\s€ .* n’est pas dû/);
  });
});

onEachDatabase("a withdrawal", (open) => {
  async function ordered(formula?: object) {
    const platform = await open();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person, formula));
    return { platform, person };
  }

  async function withdraw(platform: TestPlatform, email: string, token?: string) {
    await platform.call("POST /withdrawals", { token, body: { name: "Ada", email } });
    await platform.runDueJobs();
    return (await mailAbout(platform, email, "notice")).text;
  }

  it("of the owner names the lost credit in its receipt", async () => {
    const { platform, person } = await ordered(CASHBACK);
    const { token } = await back(platform, person);
    const text = await withdraw(platform, person.email, token);
    expect(text).toMatch(/Le cashback de 20,00\s€ .* n’est pas dû\s: une rétractation/);
  });

  it("that waits for its link names what it would lose", async () => {
    const { platform, person } = await ordered(CASHBACK);
    const text = await withdraw(platform, person.email);
    expect(text).toMatch(/Une fois la rétractation confirmée.* le cashback de 20,00\s€/);
  });

  it("without a credit names none", async () => {
    const { platform, person } = await ordered();
    expect(await withdraw(platform, person.email)).not.toContain("cashback");
  });
});
