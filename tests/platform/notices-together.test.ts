import { DefaultQueryExecutor } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newAddress, type Person } from "./funnel";
import {
  back,
  ledgerOf,
  mailAbout,
  newestMail,
  passDays,
  subscriber,
  subscriptionOf,
  undoAsShown,
} from "./life";

const MINUTE_MS = 60_000;

/** The most open notices of strangers on one contract. */
const MOST_OPEN = 20;

/** Counts the statements that go to either database from now on. */
function countQueries() {
  const counted = { queries: 0 };
  const { executeQuery } = DefaultQueryExecutor.prototype;
  DefaultQueryExecutor.prototype.executeQuery = new Proxy(executeQuery, {
    apply(target, executor, given) {
      counted.queries++;
      return Reflect.apply(target, executor, given);
    },
  });
  const stop = () => {
    DefaultQueryExecutor.prototype.executeQuery = executeQuery;
  };
  onTestFinished(stop);
  return { counted, stop };
}

onEachDatabase("several notices of one contract", (open) => {
  type Kind = "cancellations" | "withdrawals";
  const KINDS: Kind[] = ["cancellations", "withdrawals"];

  async function declare(
    platform: TestPlatform,
    kind: Kind,
    { email }: Person,
    more: { name?: string; date?: string; from?: string } = {},
  ) {
    const { name = "Une Inconnue", date, from = newAddress() } = more;
    platform.clock.advance(MINUTE_MS);
    const answer = await platform.call(`POST /${kind}`, {
      body: { name, email, ...(date && { date }) },
      headers: { "x-client-address": from },
    });
    await platform.runDueJobs();
    return answer.body.payload;
  }

  const undoUnsigned = (platform: TestPlatform, { token }: Person) =>
    platform.call("POST /subscriptions/unsigned-notices/undo", { token, body: {} });

  const textTo = async (platform: TestPlatform, { email }: Person) =>
    (await newestMail(platform, email)).text;

  const secretIn = (text: string) => /\?token=(\S+)/.exec(text)?.[1] ?? "";

  const secretTo = async (platform: TestPlatform, person: Person) =>
    secretIn(await textTo(platform, person));

  /** As the mail about the declaration named it: no page or mail tells the number of a notice. */
  async function expectContractNamed(platform: TestPlatform, person: Person, text: string) {
    const { uid } = await subscriptionOf(platform, person);
    expect(text).toMatch(new RegExp(`Contrat concerné\\s: ${uid}, commandé le 20\\snov`));
    for (const notice of await noticesOf(platform)) expect(text).not.toContain(notice.uid);
  }

  async function subscribed() {
    const platform = await open();
    return { platform, person: await subscriber(platform) };
  }

  const noticesOf = ({ database }: TestPlatform) =>
    database.selectFrom("contract_notice").selectAll().orderBy("received_at").execute();

  it("are undone in few queries, however many they are", async () => {
    const counts: number[] = [];
    for (const number of [2, MOST_OPEN + 10]) {
      const { platform, person } = await subscribed();
      for (let index = 0; index < number; index++) {
        await declare(platform, "cancellations", person, { name: `Inconnue ${index}` });
      }
      const { counted, stop } = countQueries();
      expect((await undoUnsigned(platform, person)).body.payload).toEqual({ status: "undone" });
      stop();
      counts.push(counted.queries);
      expect((await noticesOf(platform)).filter(({ undone_at }) => !undone_at)).toEqual([]);
      expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
    }
    const [few = 0, many = 0] = counts;
    expect(few).toBeGreaterThan(5);
    // Some more come from the mails that wait, together; none from a notice.
    expect(many - few).toBeLessThan(7);
  });

  it.each(KINDS)("of %s beyond twenty are covered, and have a receipt", async (kind) => {
    const { platform, person } = await subscribed();
    for (let index = 0; index < MOST_OPEN; index++) await declare(platform, kind, person);
    const own = await declare(platform, kind, person, { name: "Ada Byron" });
    const notices = await noticesOf(platform);
    expect(notices.filter(({ undo_hash }) => undo_hash)).toHaveLength(MOST_OPEN);
    const covered = notices.find(({ uid }) => uid === own.uid);
    expect(covered).toMatchObject({ repeats_uid: notices[0]?.uid, undo_hash: null });
    const receipts = platform.database.selectFrom("mail").select("text");
    const { text } = await receipts
      .where("key", "=", `notice:${own.uid}:notice-covered`)
      .executeTakeFirstOrThrow();
    expect(text).toContain("Ada Byron");
    expect(text).toContain("La vôtre compte depuis sa réception");
    // What a cancellation leaves, and what it takes.
    for (const words of [/votre profil est supprimé/, /\/withdrawal/]) {
      expect(words.test(text)).toBe(kind === "cancellations");
    }
  });

  it.each(KINDS)("of %s that are covered take the place of one undone", async (kind) => {
    const { platform, person } = await subscribed();
    await declare(platform, kind, person);
    const first = await secretTo(platform, person);
    for (let index = 1; index < MOST_OPEN; index++) await declare(platform, kind, person);
    const own = await declare(platform, kind, person, { name: "Ada Byron" });
    const others = (await noticesOf(platform)).filter(({ uid }) => uid !== own.uid);
    await platform.call(`POST /${kind}/undo`, { body: { token: first } });
    const after = await noticesOf(platform);
    expect(after.filter(({ undone_at }) => undone_at)).toHaveLength(1);
    expect(after.find(({ uid }) => uid === own.uid)).toMatchObject({ repeats_uid: null });
    expect(after.find(({ uid }) => uid === own.uid)?.undo_hash).not.toBeNull();
    // Without those of the strangers, the owner's still stops the contract.
    const uids = others.map(({ uid }) => uid);
    await platform.database
      .updateTable("contract_notice")
      .set({ undone_at: platform.clock.now().toISOString() })
      .where("uid", "in", uids)
      .execute();
    expect((await subscriptionOf(platform, person)).cancelled_at).not.toBeNull();
  });

  it.each(KINDS)("of %s in the same words are each sender's own", async (kind) => {
    const { platform, person } = await subscribed();
    const name = "Jean Dupont";
    const strangers = await declare(platform, kind, person, { name });
    const secret = await secretTo(platform, person);
    const own = await declare(platform, kind, person, { name });
    expect(own.uid).not.toBe(strangers.uid);
    expect(await secretTo(platform, person)).not.toBe(secret);
    const { body } = await platform.call(`POST /${kind}/undo`, { body: { token: secret } });
    expect(body.payload).toEqual({ status: "stopped" });
    expect((await subscriptionOf(platform, person)).cancelled_at).not.toBeNull();
  });

  it.each(KINDS)("of %s that repeat one are named when it is undone", async (kind) => {
    const { platform, person } = await subscribed();
    const from = newAddress();
    await declare(platform, kind, person, { from });
    const secret = await secretTo(platform, person);
    await declare(platform, kind, person, { from });
    expect(await noticesOf(platform)).toHaveLength(2);
    const { body } = await platform.call(`POST /${kind}/undo`, { body: { token: secret } });
    expect(body.payload).toEqual({ status: "undone" });
    await platform.runDueJobs();
    const text = await textTo(platform, person);
    expect(text.match(/annulée\s: reçue le 20\snov\.\s2026/g)).toHaveLength(2);
    await expectContractNamed(platform, person, text);
  });

  it("are no repetition after an hour", async () => {
    const { platform, person } = await subscribed();
    const from = newAddress();
    const first = await declare(platform, "withdrawals", person, { from });
    platform.clock.advance(60 * MINUTE_MS);
    const second = await declare(platform, "withdrawals", person, { from });
    expect(second.uid).not.toBe(first.uid);
    const open = (await noticesOf(platform)).filter(({ undo_hash }) => undo_hash);
    expect(open).toHaveLength(2);
  });

  it("charge nothing while a withdrawal is open", async () => {
    const { platform, person } = await subscribed();
    await passDays(platform, 6);
    await declare(platform, "cancellations", person);
    const cancellation = await secretTo(platform, person);
    await passDays(platform, 2);
    await declare(platform, "withdrawals", person);
    const withdrawal = await secretTo(platform, person);
    const body = { token: cancellation };
    const preview = await platform.call("POST /cancellations/undo/preview", { body });
    expect(preview.body.payload).toEqual({ status: "stopped" });
    for (let time = 0; time < 2; time++) {
      const undone = await platform.call("POST /cancellations/undo", { body });
      expect(undone.body.payload).toEqual({ status: "stopped" });
    }
    await platform.runDueJobs();
    expect(await textTo(platform, person)).toMatch(/reste toutefois arrêté/);
    await passDays(platform, 2);
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
    const revived = await platform.call("POST /withdrawals/undo/preview", {
      body: { token: withdrawal },
    });
    expect(revived.body.payload).toMatchObject({ status: "undone", offer: { amountNow: 990 } });
    const undone = await undoAsShown(platform, withdrawal, "withdrawals");
    expect(undone.body.payload).toEqual({ status: "undone", isCharged: true });
    await platform.runDueJobs();
    expect((await ledgerOf(platform, person.email)).slice(1).join()).toMatch(/charge 990 success/);
  });

  it("are settled by one mail that names them all", async () => {
    const { platform, person } = await subscribed();
    for (let index = 0; index < 30; index++) await declare(platform, "withdrawals", person);
    const mailsNow = async (isSent = true) =>
      Number(
        (
          await platform.database
            .selectFrom("mail")
            .select((e) => e.fn.countAll().as("count"))
            .where("recipient", "=", person.email)
            .where("key", "like", "notice:%")
            .where("sent_at", isSent ? "is not" : "is", null)
            .executeTakeFirstOrThrow()
        ).count,
      );
    const before = await mailsNow();
    const body = { name: "Ada Byron", email: person.email };
    await platform.call("POST /withdrawals", { body, token: person.token });
    await platform.runDueJobs();
    expect(await mailsNow()).toBe(before + 1);
    // The receipts of the others keep their places in the mailbox.
    expect(await mailsNow(false)).toBe(20);
    const { text } = await platform.database
      .selectFrom("contract_mail")
      .select("text")
      .where("kind", "=", "withdrawal-receipt")
      .executeTakeFirstOrThrow();
    const notices = await noticesOf(platform);
    expect(text.match(/réglée avec elle\s: reçue le 20\snov\.\s2026/g)).toHaveLength(30);
    expect(notices.every(({ settled_at }) => settled_at)).toBe(true);
  });

  it("keep the profile until each mailed limit", async () => {
    const { platform, person } = await subscribed();
    await declare(platform, "cancellations", person);
    await passDays(platform, 6);
    await declare(platform, "cancellations", person);
    const secret = await secretTo(platform, person);
    await passDays(platform, 6.9);
    expect((await back(platform, person)).token).toBeTruthy();
    const { status } = await platform.call("POST /cancellations/undo", {
      body: { token: secret },
    });
    expect(status).toBe(200);
  });

  it("for a later day are told that one stops it before", async () => {
    const { platform, person } = await subscribed();
    await declare(platform, "cancellations", person);
    const first = await secretTo(platform, person);
    await declare(platform, "cancellations", person, { date: "2027-12-15" });
    const text = await textTo(platform, person);
    expect(text).not.toContain("il se renouvelle comme avant");
    expect(text).toMatch(/Fin de l’accès\s: 27\snov\.\s2026/);
    expect(text).toMatch(/prend fin le 27\sdéc\.\s2027/);
    const plannedEndDateTime = "2027-12-27T10:00:00.000Z";
    const body = { token: first };
    const preview = await platform.call("POST /cancellations/undo/preview", { body });
    expect(preview.body.payload).toMatchObject({ status: "undone", plannedEndDateTime });
    for (let time = 1; time <= 2; time++) {
      const undone = await platform.call("POST /cancellations/undo", { body });
      expect(undone.body.payload).toEqual({ status: "undone", plannedEndDateTime });
    }
    await platform.runDueJobs();
    expect(await textTo(platform, person)).toMatch(/se poursuit jusqu’au 27\sdéc\.\s2027/);
  });

  it.each(KINDS)("of %s after another promise no continuation", async (kind) => {
    const { platform, person } = await subscribed();
    await declare(platform, "cancellations", person);
    await declare(platform, kind, person);
    const text = await textTo(platform, person);
    expect(text).not.toContain("se poursuit alors");
    expect(text).toMatch(/reste toutefois arrêté/);
  });

  it.each([true, false])("of a stop name an open withdrawal: %s", async (isStopped) => {
    const { platform, person } = await subscribed();
    if (isStopped) {
      await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    }
    await declare(platform, "withdrawals", person);
    await declare(platform, "cancellations", person);
    const text = (await textTo(platform, person)).replace(/\s+/g, " ");
    const end = isStopped
      ? "L’accès prend fin, ou a pris fin, à la date"
      : "Vous gardez l’accès jusqu’à la date";
    expect(text).toContain(end);
    expect(text).toMatch(/Une rétractation de ce contrat, .* l’accès peut prendre fin avant/);
  });

  it("leave a stop on the account page that names an open withdrawal", async () => {
    const { platform, person } = await subscribed();
    const stopOf = async ({ email, token }: Person) => {
      await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
      await platform.runDueJobs();
      return (await mailAbout(platform, email, "stop")).text.replace(/\s+/g, " ");
    };
    await declare(platform, "cancellations", person);
    expect(await stopOf(person)).toContain("Jusque-là, rien ne change");
    const other = await subscriber(platform);
    await declare(platform, "withdrawals", other);
    const text = await stopOf(other);
    expect(text).toMatch(/Une rétractation de ce contrat, .* l’accès peut prendre fin avant/);
    expect(text).toContain("Si elle est annulée, rien ne change jusqu’à cette date");
    expect(text).not.toContain("Jusque-là, rien ne change");
  });

  it("undone together name the wished days of cancellations", async () => {
    const { platform, person } = await subscribed();
    await declare(platform, "cancellations", person);
    await declare(platform, "cancellations", person, { date: "2027-12-15" });
    await declare(platform, "withdrawals", person);
    await undoUnsigned(platform, person);
    await platform.runDueJobs();
    const named = (await textTo(platform, person))
      .split("\n")
      .filter((line) => /annulée\s: reçue/.test(line));
    expect(named).toHaveLength(3);
    const wished = named.filter((line) => /, pour le/.test(line));
    expect(wished).toEqual([expect.stringMatching(/^Résiliation .*, pour le 15\sdéc\.\s2027$/)]);
  });

  it("taken back by one press are each named", async () => {
    const { platform, person } = await subscribed();
    await declare(platform, "withdrawals", person);
    await declare(platform, "cancellations", person);
    await undoUnsigned(platform, person);
    await platform.runDueJobs();
    const text = await textTo(platform, person);
    expect(text).toMatch(/Rétractation annulée\s: reçue le 20\snov\.\s2026/);
    expect(text).toMatch(/Résiliation annulée\s: reçue le 20\snov\.\s2026/);
    await expectContractNamed(platform, person, text);
  });
});
