import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readMail } from "../support/mail-parts";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import {
  newAddress,
  newPage,
  newPerson,
  paymentLink,
  post,
  rolesOf,
  signIn,
  type Person,
} from "./funnel";
import {
  addFormula,
  back,
  DAY_MS,
  ledgerOf,
  loseCard,
  mailsTo,
  newestMail,
  passTo,
  subscriber,
  subscriptionOf,
  undoAsShown,
} from "./life";
import { runFirst } from "./standstill";

const NEXT = "2026-12-27T10:00:00.000Z";

/** By a stranger; gives the secret of the mailed link. */
async function cancel(platform: TestPlatform, { email }: Person, date?: string) {
  const body = { name: "Zoé Kowalska", email, ...(date && { date }) };
  const headers = { "x-client-address": newAddress() };
  await platform.call("POST /cancellations", { body, headers });
  await platform.runDueJobs();
  const { text } = await newestMail(platform, email);
  return /undo\?token=(\S+)/.exec(text)?.[1] ?? "";
}

async function undo(platform: TestPlatform, token: string) {
  const { body } = await undoAsShown(platform, token);
  await platform.runDueJobs();
  return body.payload.status;
}

const kindsTo = async (platform: TestPlatform, { email }: Person) =>
  (await mailsTo(platform, email)).map((line) => line.split(" ")[1]);

/** Subjects of what went out, also to who is deleted since. */
function sentTo({ place }: TestPlatform, { email }: Person) {
  const folder = join(place.dataDir, "outbox");
  const mails = readdirSync(folder).map((file) => readMail(readFileSync(join(folder, file))));
  const toThem = mails.filter(({ headers }) => headers.get("to")?.includes(email));
  return toThem.map(({ headers }) => headers.get("subject") ?? "").sort();
}

const isVip = async (platform: TestPlatform, person: Person) =>
  (await rolesOf(platform, await back(platform, person))).vip === true;

const answerTo = async (platform: TestPlatform, person: Person) => {
  const { token } = await back(platform, person);
  return (await platform.call("GET /subscriptions", { token })).body.payload;
};

onEachDatabase("a planned stop during downtime", (open) => {
  /** Nothing ran from the evening before the wished day, which is the day of a debit. */
  async function planned(date: string, until: string) {
    const platform = await open();
    const person = await subscriber(platform);
    await cancel(platform, person, date);
    await passTo(platform, "2026-12-26T14:00:00.000Z");
    platform.clock.advance(Date.parse(until) - platform.clock.now().getTime());
    return { platform, person };
  }

  const late = () => planned("2026-12-27", "2026-12-27T13:00:00.000Z");
  const STOPPED = { cancelled_at: "2026-12-26T23:00:00.000Z", ended_at: NEXT };

  it.each([["subscription.renew"], ["notice.stop"]])("ends as announced after %s", async (kind) => {
    const { platform, person } = await late();
    await runFirst(platform, kind);
    expect(await subscriptionOf(platform, person)).toMatchObject(STOPPED);
    await passTo(platform, "2026-12-27T20:00:00.000Z");
    expect(await subscriptionOf(platform, person)).toMatchObject(STOPPED);
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
    expect((await kindsTo(platform, person)).slice(4)).toEqual(["receipt", "ended"]);
  });

  it("has ended for its owner before any job", async () => {
    const { platform, person } = await late();
    expect(await isVip(platform, person)).toBe(false);
    const told = { cancelledDateTime: STOPPED.cancelled_at, endedDateTime: NEXT };
    expect(await answerTo(platform, person)).toMatchObject(told);
    expect(await answerTo(platform, person)).not.toHaveProperty("plannedEndDateTime");
    expect((await paymentLink(platform, await back(platform, person))).status).toBe(409);
    expect(await subscriptionOf(platform, person)).toMatchObject(STOPPED);
  });

  it.each([["subscription.renew"], ["notice.stop"]])(
    "of the day after a debit pays up to its end, %s first",
    async (kind) => {
      const { platform, person } = await planned("2026-12-28", "2026-12-28T13:00:00.000Z");
      await runFirst(platform, kind);
      await passTo(platform, "2026-12-28T14:00:00.000Z");
      expect(await subscriptionOf(platform, person)).toMatchObject({
        cancelled_at: "2026-12-27T23:00:00.000Z",
        expires_at: "2027-01-27T10:00:00.000Z",
        ended_at: null,
      });
      await passTo(platform, "2027-01-27T10:00:00.000Z");
      expect(await ledgerOf(platform, person.email)).toHaveLength(3);
      expect(await isVip(platform, person)).toBe(false);
    },
  );

  it.each([["subscription.end"], ["notice.stop"]])(
    "counts before an end that came after it, %s first",
    async (kind) => {
      const platform = await open();
      const person = await subscriber(platform);
      await loseCard(platform, person);
      await cancel(platform, person, "2026-11-30");
      await passTo(platform, "2026-11-28T12:00:00.000Z");
      platform.clock.advance(9 * DAY_MS);
      await runFirst(platform, kind);
      await platform.runDueJobs();
      expect(await subscriptionOf(platform, person)).toMatchObject({
        cancelled_at: "2026-11-29T23:00:00.000Z",
        ended_at: "2026-12-04T10:00:00.000Z",
      });
    },
  );
});

onEachDatabase("the reminder before the first full debit", (open) => {
  it.each(["subscription.trial-notice", "subscription.renew"])(
    "precedes it after a standstill, %s first",
    async (kind) => {
      const platform = await open();
      const person = await subscriber(platform);
      platform.clock.advance(9 * DAY_MS);
      await runFirst(platform, kind);
      await platform.runDueJobs();
      expect(await kindsTo(platform, person)).toContain("trial-ending");
      expect((await newestMail(platform, person.email)).text).toMatch(/2\sdéc\.\s2026/);
      expect(await ledgerOf(platform, person.email)).toHaveLength(1);
      expect(await isVip(platform, person)).toBe(true);
      await passTo(platform, "2026-12-02T09:59:00.000Z");
      expect(await ledgerOf(platform, person.email)).toHaveLength(1);
      await passTo(platform, "2026-12-02T10:01:00.000Z");
      expect(await ledgerOf(platform, person.email)).toHaveLength(2);
      const reminders = (await kindsTo(platform, person)).filter((told) => told === "trial-ending");
      expect(reminders).toHaveLength(1);
    },
  );

  it("leaves the time to stop after a standstill", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    platform.clock.advance(9 * DAY_MS);
    await platform.runDueJobs();
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    expect(await isVip(platform, person)).toBe(true);
    await passTo(platform, "2026-12-20T10:00:00.000Z");
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
  });
});

onEachDatabase("an announcement due during a stop", (open) => {
  it("of a trial's end is mailed once the stop is undone", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passTo(platform, "2026-11-23T22:00:00.000Z");
    const secret = await cancel(platform, person);
    await passTo(platform, "2026-11-25T10:00:00.000Z");
    expect(await undo(platform, secret)).toBe("undone");
    expect(await kindsTo(platform, person)).toContain("trial-ending");
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    const told = (await kindsTo(platform, person)).filter((kind) => kind === "trial-ending");
    expect(told).toHaveLength(1);
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
  });

  it("is not mailed twice after an undone stop", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passTo(platform, "2026-11-25T10:00:00.000Z");
    expect(await undo(platform, await cancel(platform, person))).toBe("undone");
    await passTo(platform, "2026-11-26T10:00:00.000Z");
    const told = (await kindsTo(platform, person)).filter((kind) => kind === "trial-ending");
    expect(told).toHaveLength(1);
  });

  it.each([
    ["a renewal", "renewal-notice", undefined, "2027-03-18", "2027-03-24"],
    ["a renewal, to be stopped", "renewal-notice", "2027-04-10", "2027-01-10", "2027-03-24"],
    ["a card that expires", "card-expiring", undefined, "2027-05-04", "2027-05-08"],
  ])("of %s is mailed once the stop is undone", async (_, kind, date, from, until) => {
    const platform = await open();
    const formula = await addFormula(platform, [3, "month"]);
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person, { formula }), { expiry: "04/27" });
    await passTo(platform, `${from}T10:00:00.000Z`);
    const secret = await cancel(platform, person, date);
    await passTo(platform, `${until}T10:00:00.000Z`);
    expect(await undo(platform, secret)).toBe("undone");
    await passTo(platform, "2027-05-19T10:00:00.000Z");
    const told = (await mailsTo(platform, person.email)).filter((line) => line.endsWith(kind));
    expect(told.at(-1)).toBe(`${until}T10:00:00.000Z ${kind}`);
  });
});

onEachDatabase("a debit delayed by downtime", (open) => {
  async function untried(days = 9) {
    const platform = await open();
    const person = await subscriber(platform);
    await passTo(platform, "2026-11-27T09:00:00.000Z");
    platform.clock.advance(days * DAY_MS);
    return { platform, person };
  }

  it("keeps access and blocks orders until its attempt", async () => {
    const { platform, person } = await untried();
    expect(await isVip(platform, person)).toBe(true);
    expect((await paymentLink(platform, await back(platform, person))).status).toBe(409);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: null });
    await platform.runDueJobs();
    expect((await kindsTo(platform, person)).join()).not.toContain("ended");
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
    expect(await isVip(platform, person)).toBe(true);
  });

  it("has its full grace once it is declined", async () => {
    const { platform, person } = await untried();
    await loseCard(platform, person);
    await platform.runDueJobs();
    expect(await kindsTo(platform, person)).toContain("declined");
    await passTo(platform, "2026-12-13T08:59:59.000Z");
    expect(await isVip(platform, person)).toBe(true);
    await passTo(platform, "2026-12-13T09:00:00.000Z");
    expect(await isVip(platform, person)).toBe(false);
  });

  it("is not taken away by a stranger's notice", async () => {
    const { platform, person } = await untried();
    const body = { name: "Zoé Kowalska", email: person.email };
    await platform.call("POST /cancellations", { body });
    await runFirst(platform, "notice.process", "mail.send");
    expect(await isVip(platform, person)).toBe(true);
    const { text } = await newestMail(platform, person.email);
    const secret = /undo\?token=(\S+)/.exec(text)?.[1] ?? "";
    expect(await undo(platform, secret)).toBe("undone");
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
    expect(await isVip(platform, person)).toBe(true);
  });

  it("is not retried after the end", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passTo(platform, "2026-11-28T12:00:00.000Z");
    platform.clock.advance(9 * DAY_MS);
    await runFirst(platform, "subscription.renew");
    expect(await ledgerOf(platform, person.email)).toHaveLength(3);
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: "2026-12-04T10:00:00.000Z",
    });
  });
});

onEachDatabase("a profile ended by a stranger's withdrawal", (open) => {
  it.each([["account.delete"], ["notice.refund"]])(
    "is kept for refund and mails, %s first",
    async (kind) => {
      const platform = await open();
      const person = await subscriber(platform);
      await passTo(platform, "2026-11-22T10:00:00.000Z");
      const body = { name: "Zoé Kowalska", email: person.email };
      await platform.call("POST /withdrawals", { body });
      await passTo(platform, "2026-11-29T09:59:59.000Z");
      platform.clock.advance(1000);
      await runFirst(platform, kind);
      expect((await signIn(platform, person.email)).status).toBe(200);
      await passTo(platform, "2026-11-29T10:30:00.000Z");
      expect((await ledgerOf(platform, person.email))[1]).toContain("refund 100 success");
      const subjects = sentTo(platform, person).join();
      expect(subjects).toMatch(/Accusé de réception de votre rétractation.*Votre remboursement/);
      await passTo(platform, "2026-12-01T12:00:00.000Z");
      expect((await signIn(platform, person.email)).status).toBe(401);
    },
  );
});

onEachDatabase("a notice that a standstill kept from being applied", (open) => {
  /** Received in the second in which the process stopped, which runs again days later. */
  async function received(kind: "cancellations" | "withdrawals", at: string, until: string) {
    const errors: object[] = [];
    const log = { info() {}, warn() {}, error: (line: object) => void errors.push(line) };
    const platform = await open({ log });
    const person = await subscriber(platform);
    await passTo(platform, at);
    const body = { name: "Zoé Kowalska", email: person.email };
    await platform.call(`POST /${kind}`, { body });
    platform.clock.advance(Date.parse(until) - platform.clock.now().getTime());
    return { platform, person, errors };
  }

  const DUE = "2026-11-27T10:00:00.000Z";

  it.each([["subscription.renew"], ["notice.process"]])(
    "comes before the debit, %s first",
    async (kind) => {
      const received_at = "2026-11-26T10:00:00.000Z";
      const { platform, person } = await received("cancellations", received_at, NEXT);
      await runFirst(platform, kind);
      await platform.runDueJobs();
      await passTo(platform, "2026-12-27T12:00:00.000Z");
      expect(await ledgerOf(platform, person.email)).toHaveLength(1);
      expect(await subscriptionOf(platform, person)).toMatchObject({
        cancelled_at: received_at,
        ended_at: DUE,
      });
    },
  );

  it("comes before the debit when it names the contract alone", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    const body = { name: "Zoé Kowalska", email: "autre@exemple.fr", reference };
    await platform.call("POST /cancellations", { body });
    platform.clock.advance(9 * DAY_MS);
    await runFirst(platform, "subscription.renew");
    await passTo(platform, "2026-12-01T10:00:00.000Z");
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
  });

  it("about somebody else holds no debit", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passTo(platform, "2026-11-25T10:00:00.000Z");
    const body = { name: "Zoé Kowalska", email: "autre@exemple.fr" };
    await platform.call("POST /cancellations", { body });
    platform.clock.advance(9 * DAY_MS);
    await runFirst(platform, "subscription.renew");
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
  });

  it("that keeps failing holds the debit for a day", async () => {
    const stopped = await received("cancellations", "2026-11-26T10:00:00.000Z", DUE);
    const { platform, person, errors } = stopped;
    await breakNotice(platform);
    await passTo(platform, "2026-11-27T20:00:00.000Z");
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
    expect(await isVip(platform, person)).toBe(true);
    await passTo(platform, "2026-11-28T12:00:00.000Z");
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
    expect(errors).toContainEqual(
      expect.objectContaining({ job: "subscription.renew", attempts: 30 }),
    );
  });

  /** A profile whose deletion is due a day after its end, and a withdrawal that came just before. */
  async function leaving() {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await passTo(platform, "2026-11-28T09:00:00.000Z");
    const body = { name: "Zoé Kowalska", email: person.email };
    await platform.call("POST /withdrawals", { body });
    platform.clock.advance(DAY_MS);
    return { platform, person };
  }

  it.each([["account.delete"], ["notice.process"]])(
    "comes before the deletion of the profile, %s first",
    async (kind) => {
      const { platform, person } = await leaving();
      await runFirst(platform, kind);
      // Seven days after its mail, which went out after the standstill.
      await passTo(platform, "2026-12-06T12:00:00.000Z");
      expect((await ledgerOf(platform, person.email))[1]).toContain("refund 100 success");
      await passTo(platform, "2026-12-08T12:00:00.000Z");
      expect((await signIn(platform, person.email)).status).toBe(401);
    },
  );

  it("that fails for ever holds the deletion for two days at most", async () => {
    const { platform, person } = await leaving();
    await breakNotice(platform);
    await runFirst(platform, "account.delete");
    expect((await signIn(platform, person.email)).status).toBe(200);
    await passTo(platform, "2026-12-01T09:00:00.000Z");
    expect((await signIn(platform, person.email)).status).toBe(401);
  });
});

/** Lets the job of each notice fail whenever it runs. */
async function breakNotice({ database }: TestPlatform) {
  await database
    .updateTable("job")
    .set({ payload: JSON.stringify({ noticeUid: "unknown" }) })
    .where("kind", "=", "notice.process")
    .execute();
}
