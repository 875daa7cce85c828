import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { startMailServer } from "../support/mail-server";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { freePort } from "../support/port";
import { newAddress, newPerson, type Person } from "./funnel";
import {
  DAY_MS,
  ledgerOf,
  mailsSentTo,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
} from "./life";
import { dueJobs, runOnly } from "./standstill";

const TO_CONFIRM = "Accusé de réception de votre rétractation";
const CANCELLED = "Accusé de réception de votre résiliation";
const DELETED = "Votre profil est supprimé";

type Named = { email: string; reference?: string };

/** By somebody who is not signed in. */
async function send(platform: TestPlatform, kind: "cancellations" | "withdrawals", named: Named) {
  const headers = { "x-client-address": newAddress() };
  const body = { name: "Zoé Kowalska", ...named };
  const { status } = await platform.call(`POST /${kind}`, { headers, body });
  expect(status).toBe(202);
}

async function deleteAccount(platform: TestPlatform, { uid, token }: Person) {
  expect((await platform.call(`DELETE /users/${uid}`, { token })).status).toBe(202);
}

const subjectsTo = (platform: TestPlatform, person: { email: string }) =>
  mailsSentTo(platform, person).map(({ headers }) => headers.get("subject") ?? "");

const refundsOf = ({ database }: TestPlatform, { uid }: Person) =>
  database
    .selectFrom("refund")
    .innerJoin("payment", "payment.uid", "refund.payment_uid")
    .select(["refund.status", "refund.created_at"])
    .where("payment.account_uid", "=", uid)
    .execute();

/** Lets the notices of somebody fail whenever they are applied. */
const breakNotices = ({ database }: TestPlatform, { email }: Person) =>
  database
    .updateTable("contract_notice")
    .set({ repeats_uid: "unknown" })
    .where("email", "=", email)
    .execute();

const mendNotices = ({ database }: TestPlatform) =>
  database.updateTable("contract_notice").set({ repeats_uid: null }).execute();

onEachDatabase("a notice received before a deletion", (open) => {
  it("that withdraws gets its receipt and its refund", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await send(platform, "withdrawals", person);
    await deleteAccount(platform, person);
    await platform.runDueJobs();
    const mails = mailsSentTo(platform, person);
    expect(subjectsTo(platform, person)).toEqual(expect.arrayContaining([TO_CONFIRM, DELETED]));
    const goodbye = mails.find(({ headers }) => headers.get("subject") === DELETED);
    expect(goodbye?.text).toContain("Une rétractation de ce contrat a été déclarée");
    await passDays(platform, 8);
    expect(await refundsOf(platform, person)).toEqual([
      { status: "success", created_at: "2026-11-27T10:00:00.000Z" },
    ]);
    const receipts = mailsSentTo(platform, person).filter(
      ({ headers }) => headers.get("subject") === TO_CONFIRM,
    );
    expect(receipts.filter(({ text }) => /Remboursement\s:\s1,00/.test(text))).toHaveLength(1);
  });

  it("that cancels gets its receipt", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await send(platform, "cancellations", person);
    await deleteAccount(platform, person);
    await platform.runDueJobs();
    expect(subjectsTo(platform, person)).toContain(CANCELLED);
    expect((await ledgerOf(platform, person.email)).length).toBe(1);
  });

  it("that names the contract alone takes effect", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await send(platform, "withdrawals", { email: "autre@exemple.fr", reference });
    await deleteAccount(platform, person);
    await passDays(platform, 8);
    expect(await refundsOf(platform, person)).toHaveLength(1);
  });

  it("is applied once, whatever meets it", async () => {
    const platform = await open();
    for (let time = 0; time < 6; time++) {
      const person = await subscriber(platform);
      await Promise.all([
        send(platform, "withdrawals", person),
        send(platform, "cancellations", person),
        deleteAccount(platform, person),
        platform.runDueJobs(),
        platform.runDueJobs(),
      ]);
      await platform.runDueJobs();
      const links = subjectsTo(platform, person).filter((subject) => subject === TO_CONFIRM);
      expect(links).toHaveLength(1);
      await passDays(platform, 8);
      expect(await refundsOf(platform, person)).toHaveLength(1);
    }
  });

  it("that fails is left to its job, which still finds the contract", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await send(platform, "withdrawals", person);
    await breakNotices(platform, person);
    await deleteAccount(platform, person);
    await mendNotices(platform);
    await passDays(platform, 8);
    expect(subjectsTo(platform, person)).toContain(TO_CONFIRM);
    expect(await refundsOf(platform, person)).toHaveLength(1);
  });

  it("outlives a deletion that waited for it in vain", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await passTo(platform, "2026-11-28T09:00:00.000Z");
    await send(platform, "withdrawals", person);
    await breakNotices(platform, person);
    await passTo(platform, "2026-12-01T10:00:00.000Z");
    const account = platform.database.selectFrom("account").select("status");
    expect(await account.where("uid", "=", person.uid).execute()).toEqual([{ status: "deleted" }]);
    await mendNotices(platform);
    await passDays(platform, 10);
    expect(subjectsTo(platform, person)).toContain(TO_CONFIRM);
    expect(await refundsOf(platform, person)).toHaveLength(1);
  });

  it("is answered before an unused account is erased", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await platform.database.deleteFrom("account_session").execute();
    await passDays(platform, 370 - 15);
    platform.clock.advance(15 * 24 * 3_600_000);
    await send(platform, "withdrawals", person);
    await runOnly(platform, ({ kind }) => kind === "retention.purge");
    await platform.runDueJobs();
    expect(subjectsTo(platform, person)).toContain(TO_CONFIRM);
    await passDays(platform, 1);
    const account = platform.database.selectFrom("account").select("status");
    expect(await account.where("uid", "=", person.uid).execute()).toEqual([]);
  });

  const received = fc.record({
    kind: fc.constantFrom("cancellations" as const, "withdrawals" as const),
    isByReference: fc.boolean(),
    /** In seconds, before the next one comes. */
    pause: fc.nat({ max: 120 }),
  });

  it("keeps its effect in any order of late jobs", async () => {
    const platform = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(received, { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 200 }),
        fc.infiniteStream(fc.nat({ max: 99 })),
        async (notices, hours, order) => {
          await platform.database.deleteFrom("job").execute();
          const person = await subscriber(platform);
          const { uid: reference } = await subscriptionOf(platform, person);
          for (const { kind, isByReference, pause } of notices) {
            const { email } = person;
            await send(platform, kind, { email, ...(isByReference && { reference }) });
            platform.clock.advance(pause * 1000);
          }
          platform.clock.advance(hours * 3_600_000);
          await deleteAccount(platform, person);
          for (;;) {
            const due = await dueJobs(platform);
            if (due.length === 0) break;
            const chosen = due[order.next().value % due.length];
            await runOnly(platform, ({ uid }) => uid === chosen?.uid);
          }
          await passDays(platform, 16);
          const isWithdrawn = notices.some(({ kind }) => kind === "withdrawals");
          const isCancelled = notices.some(({ kind }) => kind === "cancellations");
          const subjects = subjectsTo(platform, person);
          expect(subjects.includes(TO_CONFIRM)).toBe(isWithdrawn);
          expect(subjects.includes(CANCELLED)).toBe(isCancelled);
          expect(await refundsOf(platform, person)).toHaveLength(isWithdrawn ? 1 : 0);
        },
      ),
      { numRuns: 12, endOnFailure: true },
    );
  });
});

onEachDatabase("a mail that waits when its profile is deleted", (open) => {
  const HOUR_MS = 3_600_000;

  /** Somebody who withdrew and deleted their profile while no mail went out. */
  async function withdrawn(log = { info() {}, warn() {}, error(_: object) {} }) {
    const port = await freePort();
    const platform = await open({ mailUrl: `smtp://127.0.0.1:${port}`, log });
    const person = await subscriber(platform);
    const body = { name: "Zoé Kowalska", email: person.email };
    await platform.call("POST /withdrawals", { token: person.token, body });
    await platform.runDueJobs();
    expect(await refundsOf(platform, person)).toMatchObject([{ status: "success" }]);
    await deleteAccount(platform, person);
    const wait = async (ms: number) => {
      platform.clock.advance(ms);
      await platform.runDueJobs();
    };
    const waitDays = async (days: number) => {
      for (let day = 0; day < days; day++) await wait(DAY_MS);
    };
    const written = () => platform.database.selectFrom("mail").select("key").execute();
    return { person, port, wait, waitDays, written };
  }

  it("goes out when the server is back, and is erased then", async () => {
    const { person, port, wait, written } = await withdrawn();
    // Hour by hour, as the job looks whether a mail is over.
    for (let hour = 0; hour < 10 * 24; hour++) await wait(HOUR_MS);
    const server = await startMailServer({ port });
    onTestFinished(() => server.close());
    await wait(HOUR_MS);
    const subjects = server.mails.map(({ headers }) => headers.get("subject"));
    expect(subjects).toEqual(
      expect.arrayContaining([TO_CONFIRM, expect.stringMatching(/^Votre remboursement/), DELETED]),
    );
    expect(server.mails.every(({ recipients }) => recipients[0] === person.email)).toBe(true);
    await wait(HOUR_MS);
    expect(await written()).toEqual([]);
  });

  it("is given up after thirty days, told to the operator and erased", async () => {
    const given: object[] = [];
    const error = (fields: object) => void given.push(fields);
    const { waitDays, written } = await withdrawn({ info() {}, warn() {}, error });
    await waitDays(29);
    expect(await written()).not.toEqual([]);
    expect(given).not.toContainEqual(expect.objectContaining({ kind: "withdrawal-receipt" }));
    await waitDays(3);
    expect(await written()).toEqual([]);
    expect(given).toContainEqual(expect.objectContaining({ kind: "withdrawal-receipt" }));
  });
});
