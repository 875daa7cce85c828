import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readOwnSubscription } from "../../server/platform/notices/announced-changes";
import { rolesOf } from "../../server/platform/subscriptions/roles";
import { graceAfter } from "~/contract/periods";
import { addDuration } from "~/contract/calendar";
import { dayOf } from "~/contract/day";
import { readMail } from "../support/mail-parts";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { subscriptionContext } from "./context";
import { newAddress, paymentLink, type Person } from "./funnel";
import { back, DAY_MS, ledgerOf, subscriber, undoAsShown } from "./life";
import { dueJobs, runOnly } from "./standstill";

/** What happens to the contract before the process stops for a while. */
const action = fc.oneof(
  fc.constant({ kind: "none" as const }),
  fc.constant({ kind: "visit" as const }),
  fc.constant({ kind: "undo" as const }),
  fc.constant({ kind: "unsubscribe" as const }),
  fc.constant({ kind: "withdraw" as const }),
  fc.record({ kind: fc.constant("cancel" as const), inDays: fc.integer({ min: 0, max: 12 }) }),
  // Planned for a day about the end of the period after the running one.
  fc.record({ kind: fc.constant("plan" as const), days: fc.integer({ min: -1, max: 3 }) }),
  fc.record({ kind: fc.constant("card" as const), pays: fc.boolean() }),
);

const step = fc.record({
  /** In hours: jobs run at their moments; or up to so many hours before the next debit. */
  running: fc.record({ hours: fc.integer({ min: 0, max: 120 }), isBeforeDebit: fc.boolean() }),
  before: action,
  /** A notice that is received in the second in which the process stops. */
  last: fc.constantFrom("none", "cancel", "withdraw"),
  /** In hours: nothing runs. */
  standstill: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 60 }),
    fc.integer({ min: 60, max: 400 }),
  ),
  /** What the person does before the first job has run again. */
  after: action,
  /** Which of the due jobs comes next. */
  order: fc.infiniteStream(fc.nat({ max: 99 })),
});

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

onEachDatabase("a subscription through downtime", (open) => {
  it("keeps its announcements in any order of late jobs", async () => {
    const platform = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
        // What is left of the life before is nobody's business here.
        await platform.database.deleteFrom("job").execute();
        const life = await begin(platform);
        for (const { running, before, last, standstill, after, order } of steps) {
          await life.pass(running, order);
          await life.act(before);
          await life.catchUp(order);
          if (last !== "none") await life.send(last);
          await life.stand(standstill);
          // What is sent after it would be read before what was left unread.
          if (last === "none") await life.act(after);
          await life.catchUp(order);
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});

async function begin(platform: TestPlatform) {
  const { database, clock } = platform;
  const person = await subscriber(platform);
  /** Cause of each mail that was ever written; those to a deleted profile vanish. */
  const letters = new Set<string>();
  /** End of access that the person was told, of a contract that was stopped or is to be. */
  let announced: string | null = null;
  let charges = 1;
  /** Set while a notice is received that allows no further charge unless it is undone. */
  let isStoppedByNotice = false;

  const now = () => clock.now().toISOString();
  const told = (kind: string) => [...letters].filter((key) => key.startsWith(`${kind}:`)).length;
  const readContract = () =>
    database
      .selectFrom("subscription")
      .selectAll()
      .where("account_uid", "=", person.uid)
      .executeTakeFirstOrThrow();

  async function isGone() {
    const account = database.selectFrom("account").select("status").where("uid", "=", person.uid);
    return (await account.executeTakeFirst())?.status === "deleted";
  }

  /** What holds at each moment, whatever has run. */
  async function check() {
    const ours = database.selectFrom("mail").where("recipient", "=", person.email);
    const mails = await ours.select("key").execute();
    for (const { key } of mails) letters.add(key ?? "");
    const contract = await readContract();
    const payments = await database
      .selectFrom("payment")
      .selectAll()
      .where("account_uid", "=", person.uid)
      .execute();
    const paid = payments.filter(({ covers_until }) => covers_until !== null);
    const paidUntil =
      paid
        .map(({ covers_until }) => covers_until ?? "")
        .sort()
        .at(-1) ?? "";
    const ledger = await ledgerOf(platform, person.email);
    const charged = ledger.filter((line) => / charge \d+ success/.test(line));

    // Never after the announced end; what is paid before it may move it.
    if (charged.length > charges) {
      expect(isStoppedByNotice, `charged at ${now()} after a notice`).toBe(false);
      charges = charged.length;
      if (announced) expect(now() < announced, `charged at ${now()}, end ${announced}`).toBe(true);
      if (announced && announced < paidUntil) announced = paidUntil;
    }
    // Never twice for a period.
    const starts = paid.map(({ covers_from }) => covers_from ?? "").sort();
    const ends = paid.map(({ covers_until }) => covers_until ?? "").sort();
    starts.slice(1).forEach((start, index) => expect(start >= (ends[index] ?? "")).toBe(true));
    expect(charged.length).toBe(paid.length);

    // Access is paid for, or in the grace that begins with the first try.
    const { vip = false } = await rolesOf(database, person.uid, clock.now());
    if (vip && now() >= paidUntil) {
      const tried = payments
        .filter(({ kind, period_start }) => kind === "renewal" && period_start === paidUntil)
        .map(({ created_at }) => created_at)
        .sort()[0];
      const late = addDuration(new Date(paidUntil), 1, "day").toISOString();
      const from = tried === undefined || tried <= late ? paidUntil : tried;
      const isWaiting = tried === undefined && contract.cancelled_at === null;
      const grace = graceAfter(new Date(from), addDuration).toISOString();
      const until = contract.cancelled_at ? (contract.grace_until ?? paidUntil) : grace;
      expect(isWaiting || now() < until, `access at ${now()}, paid until ${paidUntil}`).toBe(true);
    }
    if (announced && now() >= announced) expect(vip, `access after ${announced}`).toBe(false);
    // Each change is told.
    expect(told("receipt")).toBe(paid.length);
    if (contract.ended_at) expect(told("ended"), `end at ${now()}`).toBeGreaterThan(0);
  }

  /** What holds once all that is due has run. */
  async function checkCaughtUp() {
    const contract = await readContract();
    const { cancelled_at, ended_at, expires_at, anchor_at, period_start } = contract;
    const { vip = false } = await rolesOf(database, person.uid, clock.now());
    if (!vip) expect(ended_at, `no access at ${now()}, and not ended`).not.toBeNull();
    const reminder = addDuration(new Date(expires_at), -3, "day").toISOString();
    const isTrial = period_start === null && anchor_at === expires_at && expires_at > now();
    const isStopped = cancelled_at !== null || ended_at !== null || announced !== null;
    if (isTrial && !isStopped && reminder <= now()) {
      expect(told("trial-ending"), `reminder at ${now()}`).toBe(1);
    }
    if (contract.withdrawn_at) {
      const receipts = [...letters].filter((key) => key.endsWith(":withdrawal-receipt"));
      expect(receipts.length).toBeGreaterThan(0);
      const { length } = (await ledgerOf(platform, person.email)).filter((line) =>
        / refund \d+ success/.test(line),
      );
      expect(told("refund")).toBe(length);
    }
  }

  /** The page that the person sees says when it ends. */
  async function readAnnounced() {
    const answer = await readOwnSubscription(subscriptionContext(platform), person.uid);
    const end = answer?.endedDateTime ?? answer?.graceDateTime ?? answer?.expirationDateTime;
    const isStopped = answer?.cancelledDateTime ?? answer?.endedDateTime;
    announced = answer?.plannedEndDateTime ?? (isStopped && end) ?? null;
  }

  const named = { name: "Zoé Kowalska", email: person.email };

  /** A notice that is not read before the standstill. */
  async function send(kind: "cancel" | "withdraw") {
    if (await isGone()) return;
    const headers = { "x-client-address": newAddress() };
    const answer = await readOwnSubscription(subscriptionContext(platform), person.uid);
    const isTaken = kind === "cancel" || answer?.withdrawableUntilDateTime !== undefined;
    const line = kind === "cancel" ? "POST /cancellations" : "POST /withdrawals";
    const { status } = await platform.call(line, { headers, body: named });
    expect(status).toBe(202);
    isStoppedByNotice ||= isTaken;
  }

  async function act(what: Action) {
    if (await isGone()) return;
    const headers = { "x-client-address": newAddress() };
    switch (what.kind) {
      case "none":
        return;
      case "visit": {
        const { vip = false } = await rolesOf(database, person.uid, clock.now());
        const { status } = await paymentLink(platform, await back(platform, person));
        if (vip && (await readContract()).renewal_attempts === 0) expect(status).toBe(409);
        break;
      }
      case "undo":
        await undoLast(platform, person);
        isStoppedByNotice = false;
        break;
      case "unsubscribe": {
        const { token } = await back(platform, person);
        await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
        break;
      }
      case "withdraw":
        await platform.call("POST /withdrawals", { headers, body: named });
        break;
      case "cancel": {
        const date = dayOf(new Date(clock.now().getTime() + what.inDays * DAY_MS));
        await platform.call("POST /cancellations", { headers, body: { ...named, date } });
        break;
      }
      case "plan": {
        const contract = await readContract();
        const next = addDuration(new Date(contract.expires_at), 1, "month");
        const date = dayOf(addDuration(next, what.days, "day"));
        await platform.call("POST /cancellations", { headers, body: { ...named, date } });
        break;
      }
      case "card":
        await database
          .updateTable("bank_card")
          .set({ next_charge: what.pays ? "success" : "declined" })
          .execute();
    }
    // What somebody sends is read within seconds.
    await runOnly(platform, ({ kind }) => kind === "notice.process" || kind === "mail.send");
    await readAnnounced();
    await check();
  }

  async function catchUp(order: Iterator<number>) {
    for (;;) {
      const due = await dueJobs(platform);
      if (due.length === 0) break;
      const chosen = due[order.next().value % due.length];
      await runOnly(platform, ({ uid }) => uid === chosen?.uid);
      await check();
    }
    await checkCaughtUp();
    await readAnnounced();
  }

  async function pass(
    { hours, isBeforeDebit }: { hours: number; isBeforeDebit: boolean },
    order: Iterator<number>,
  ) {
    const { expires_at } = await readContract();
    const start = clock.now().getTime();
    const until = isBeforeDebit
      ? Math.max(start, Date.parse(expires_at) - hours * 3_600_000)
      : start + hours * 3_600_000;
    for (;;) {
      const next = await nextJobAt(platform, until);
      clock.advance(Math.max(0, (next ?? until) - clock.now().getTime()));
      await catchUp(order);
      if (next === null) break;
    }
  }

  async function stand(hours: number) {
    clock.advance(hours * 3_600_000);
    await check();
  }

  return { act, send, catchUp, pass, stand };
}

async function nextJobAt({ database, clock }: TestPlatform, until: number): Promise<number | null> {
  const job = await database
    .selectFrom("job")
    .select("run_at")
    .where("done_at", "is", null)
    .where("run_at", ">", clock.now().toISOString())
    .orderBy("run_at")
    .executeTakeFirst();
  const at = job && Date.parse(job.run_at);
  return at !== undefined && at < until ? at : null;
}

/** The owner follows the link in the newest mail that has one. */
async function undoLast(platform: TestPlatform, { email }: Person) {
  const mails = await platform.database
    .selectFrom("mail")
    .select("uid")
    .where("recipient", "=", email)
    .where("key", "like", "notice:%")
    .orderBy("created_at", "desc")
    .execute();
  for (const { uid } of mails) {
    const file = join(platform.place.dataDir, "outbox", `${uid}.eml`);
    const text = existsSync(file) ? readMail(readFileSync(file)).text : "";
    const link = /(cancel-contract\/undo|withdrawal\/confirm)\?token=(\S+)/.exec(text);
    if (!link) continue;
    const resource = link[1]?.startsWith("cancel") ? "cancellations" : "withdrawals";
    await undoAsShown(platform, link[2] ?? "", resource);
    return;
  }
}
