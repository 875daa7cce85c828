import fc from "fast-check";
import { expect, it } from "vitest";
import { dayOf } from "~/contract/day";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newAddress, newPerson, type Person } from "./funnel";
import {
  back,
  DAY_MS,
  ledgerOf,
  mailsSentTo,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
  undoAsShown,
} from "./life";
import { runFirst } from "./standstill";

const MINUTE_MS = 60_000;

/** The most open notices of strangers on one contract. */
const MOST_OPEN = 20;

type Kind = "cancellations" | "withdrawals";
type More = { name?: string; date?: string; from?: string; token?: string };

/** By somebody who is not signed in, and applied. */
async function declare(platform: TestPlatform, kind: Kind, person: Person, more: More = {}) {
  await send(platform, kind, person, more);
  await platform.runDueJobs();
}

async function send(platform: TestPlatform, kind: Kind, { email }: Person, more: More = {}) {
  const { name = "Une Inconnue", date, from = newAddress(), token } = more;
  platform.clock.advance(MINUTE_MS + 1);
  const answer = await platform.call(`POST /${kind}`, {
    body: { name, email, ...(date && { date }) },
    headers: { "x-client-address": from },
    ...(token && { token }),
  });
  expect(answer.status).toBe(202);
}

/** The secret of the mail that quotes this name. */
function secretOf(platform: TestPlatform, person: Person, name: string): string | undefined {
  const mails = mailsSentTo(platform, person).map(({ text }) => text);
  const linked = mails.filter((text) => new RegExp(`${name}\\b`).test(text));
  return linked.flatMap((text) => /\?token=(\S+)/.exec(text)?.[1] ?? []).at(-1);
}

const noticeOf = ({ database }: TestPlatform, name: string) =>
  database.selectFrom("contract_notice").selectAll().where("name", "=", name).executeTakeFirst();

onEachDatabase("a covered notice", (open) => {
  async function subscribed() {
    const platform = await open();
    return { platform, person: await subscriber(platform) };
  }

  it.each(["cancellations", "withdrawals"] as const)(
    "of another sender is not held up by a crowd of %s",
    async (kind) => {
      const { platform, person } = await subscribed();
      const crowd = newAddress();
      for (let index = 0; index < MOST_OPEN + 15; index++) {
        // One address may send thirty an hour.
        platform.clock.advance(2 * MINUTE_MS);
        await declare(platform, kind, person, { name: `Inconnue${index}`, from: crowd });
      }
      await declare(platform, kind, person, { name: "Ada Byron" });
      const mailsOf = (name: RegExp) =>
        mailsSentTo(platform, person).filter(({ text }) => name.test(text));
      await passDays(platform, 3);
      expect(mailsOf(/Ada Byron/)).not.toEqual([]);
      await passDays(platform, 3);
      // One for each open notice, and the receipts of a sender that may wait.
      expect(mailsOf(/^(?:.*\n)*.*Inconnue\d+\b/).length).toBeLessThanOrEqual(MOST_OPEN + 3);
    },
  );

  it.each(["cancellations", "withdrawals"] as const)(
    "of another network is not held up by one network of a crowd of %s",
    async (kind) => {
      const { platform, person } = await subscribed();
      for (let n = 0; n < MOST_OPEN + 30; n++) {
        const from = `2001:db8:a:${n + 10}00::1`;
        await declare(platform, kind, person, { name: `Inconnue${n}`, from });
      }
      await declare(platform, kind, person, { name: "Ada Byron" });
      // One for each open notice, ten receipts of the network: hers is of the fourth day.
      await passDays(platform, 3);
      const mails = mailsSentTo(platform, person).filter(({ text }) => /Ada Byron/.test(text));
      expect(mails).not.toEqual([]);
    },
  );

  it.each([
    ["signed-in strangers", false],
    ["strangers who delete their accounts", true],
  ])("is not held up by one network of %s", async (_, areDeleted) => {
    const { platform, person } = await subscribed();
    for (let n = 0; n < MOST_OPEN; n++) await declare(platform, "cancellations", person);
    const from = "2001:db8:a::1";
    for (let n = 0; n < 12; n++) {
      const { uid, token } = await newPerson(platform);
      for (let sent = 0; sent < 3; sent++) {
        // One address may send thirty an hour.
        platform.clock.advance(MINUTE_MS);
        const name = `Inconnue${n}-${sent}`;
        await declare(platform, "cancellations", person, { name, from, token });
      }
      if (areDeleted) await platform.call(`DELETE /users/${uid}`, { token });
    }
    await declare(platform, "cancellations", person, { name: "Ada Byron" });
    // One for each open notice, ten receipts of the network: hers is of the fourth day.
    await passDays(platform, 3);
    const mails = mailsSentTo(platform, person).filter(({ text }) => /Ada Byron/.test(text));
    expect(mails).not.toEqual([]);
  });

  it("whose sender was forgotten during a standstill is that of nobody else", async () => {
    const { platform, person } = await subscribed();
    await passDays(platform, 8);
    const names = Array.from({ length: MOST_OPEN + 6 }, (_, index) => `Inconnue${index}`);
    for (const name of names) await send(platform, "cancellations", person, { name });
    platform.clock.advance(8 * DAY_MS);
    await runFirst(platform, "retention.purge");
    await platform.runDueJobs();
    await passDays(platform, 4);
    const unmailed = names.filter(
      (name) =>
        !mailsSentTo(platform, person).some(({ text }) => new RegExp(`${name}\\b`).test(text)),
    );
    expect(unmailed).toEqual([]);
  });

  const LATER = ["2026-12-10", "2029-06-01"];
  it.each(LATER)("that stops at once is covered by none for %s", async (date) => {
    const { platform, person } = await subscribed();
    for (let index = 0; index < MOST_OPEN; index++)
      await declare(platform, "cancellations", person, { date });
    await declare(platform, "cancellations", person, { name: "Charles" });
    await declare(platform, "cancellations", person, { date: "2028-06-01" });
    await declare(platform, "cancellations", person, { name: "Ada Byron" });
    const undone = await undoAsShown(platform, secretOf(platform, person, "Charles") ?? "");
    expect(undone.body.payload).toEqual({ status: "stopped" });
    await platform.runDueJobs();
    expect(secretOf(platform, person, "Ada Byron")).toBeDefined();
    await passDays(platform, 70);
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
  });

  it("leaves the end to the earliest notice in effect", async () => {
    const wishes = fc.array(fc.option(fc.integer({ min: 0, max: 200 }), { nil: null }), {
      minLength: MOST_OPEN + 4,
      maxLength: MOST_OPEN + 10,
    });
    await fc.assert(
      fc.asyncProperty(wishes, fc.infiniteStream(fc.nat()), async (days, order) => {
        const { platform, person } = await subscribed();
        const start = platform.clock.now().getTime();
        const declared = new Map<string, number>();
        for (const [index, day] of days.entries()) {
          const name = `Inconnue${index}`;
          const date = day === null ? undefined : dayOf(new Date(start + day * DAY_MS));
          await declare(platform, "cancellations", person, { name, ...(date && { date }) });
          declared.set(name, day ?? 0);
        }
        // The mails come ten a day and kind.
        await passDays(platform, 4.2);
        for (const [left] of [...declared].entries()) {
          const linked = [...declared.keys()].filter((name) => secretOf(platform, person, name));
          const name = linked[(order.next().value ?? left) % Math.max(1, linked.length)];
          if (!name) break;
          await undoAsShown(platform, secretOf(platform, person, name) ?? "");
          await platform.runDueJobs();
          expect((await noticeOf(platform, name))?.undone_at).not.toBeNull();
          declared.delete(name);
          expect(await endOf(platform, person)).toBe(
            await earliestOf(platform, person, [...declared.values()], start),
          );
        }
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });

  /** Day on which the contract ends, as its owner is told. */
  async function endOf(platform: TestPlatform, person: Person) {
    const { token } = await back(platform, person);
    const { payload } = (await platform.call("GET /subscriptions", { token })).body;
    const end = payload.cancelledDateTime ? payload.expirationDateTime : payload.plannedEndDateTime;
    return end === undefined ? null : end.slice(0, 10);
  }

  async function earliestOf(
    platform: TestPlatform,
    person: Person,
    days: readonly number[],
    start: number,
  ) {
    if (days.length === 0) return null;
    const earliest = start + Math.min(...days) * DAY_MS;
    const { expires_at } = await subscriptionOf(platform, person);
    let end = new Date(expires_at);
    while (end.getTime() <= earliest - DAY_MS / 2) {
      end = new Date(end);
      end.setUTCMonth(end.getUTCMonth() + 1);
    }
    return end.toISOString().slice(0, 10);
  }

  it("that takes a place gives its own mail's back", async () => {
    const { platform, person } = await subscribed();
    const names = Array.from({ length: MOST_OPEN + 10 }, (_, index) => `Inconnue${index}`);
    for (const name of names) await declare(platform, "cancellations", person, { name });
    const [first = ""] = names;
    await undoAsShown(platform, secretOf(platform, person, first) ?? "");
    // Ten mails a day: the third day's are those of the ten covered ones.
    await passDays(platform, 2.1);
    expect(secretOf(platform, person, `Inconnue${MOST_OPEN}`)).toBeDefined();
  });

  it("that wishes its own day of Paris comes before a later one", async () => {
    const { platform, person } = await subscribed();
    const planned = { date: "2026-12-10" };
    await declare(platform, "cancellations", person, { name: "Charles", ...planned });
    for (let index = 1; index < MOST_OPEN; index++)
      await declare(platform, "cancellations", person, planned);
    await passTo(platform, "2026-11-30T23:10:00.000Z");
    await declare(platform, "cancellations", person, { name: "Ada Byron", date: "2026-12-01" });
    await declare(platform, "cancellations", person, { name: "Zoé Kowalska" });
    await undoAsShown(platform, secretOf(platform, person, "Charles") ?? "");
    await platform.runDueJobs();
    const ada = await noticeOf(platform, "Ada Byron");
    expect(ada).toMatchObject({ repeats_uid: null, mailed_at: expect.any(String) });
    expect(await noticeOf(platform, "Zoé Kowalska")).toMatchObject({ repeats_uid: ada?.uid });
  });

  it("is no repetition that came too late", async () => {
    const { platform, person } = await subscribed();
    await passTo(platform, "2026-12-04T22:20:00.000Z");
    for (let index = 0; index < 10; index++)
      await declare(platform, "withdrawals", person, { name: `Inconnue${index}` });
    const own = { name: "Ada Byron", from: newAddress() };
    await declare(platform, "withdrawals", person, own);
    platform.clock.advance(45 * MINUTE_MS);
    await declare(platform, "withdrawals", person, own);
    await passDays(platform, 1.2);
    const names = ["Ada Byron"].concat(
      Array.from({ length: 10 }, (_, index) => `Inconnue${index}`),
    );
    for (const name of names)
      await undoAsShown(platform, secretOf(platform, person, name) ?? "", "withdrawals");
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
  });

  it("gets its receipt although another one was carried out", async () => {
    const { platform, person } = await subscribed();
    for (let index = 0; index < MOST_OPEN; index++) await declare(platform, "withdrawals", person);
    await declare(platform, "withdrawals", person, { name: "Ada Byron" });
    await platform.call("POST /withdrawals", {
      body: { name: "Signée", email: person.email },
      token: person.token,
    });
    await platform.runDueJobs();
    const quotes = (name: string) =>
      mailsSentTo(platform, person).filter(({ text }) => text.includes(name));
    expect(quotes("Ada Byron")).toEqual([]);
    await passDays(platform, 3);
    expect(quotes("Ada Byron")).toHaveLength(1);
    expect(quotes("Une Inconnue")).toHaveLength(MOST_OPEN);
    const [, ...late] = quotes("Une Inconnue").slice(10);
    for (const { text } of late) expect(text).not.toContain("token=");
  });
});

onEachDatabase("a notice", (open) => {
  it("is applied before the right of a deleted account ends", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await platform.runDueJobs();
    await passTo(platform, "2026-12-04T22:59:50.000Z");
    const body = { name: "Ada Byron", email: person.email };
    expect((await platform.call("POST /withdrawals", { body })).status).toBe(202);
    platform.clock.advance(2 * MINUTE_MS);
    await runFirst(platform, "account.forget-former");
    await platform.runDueJobs();
    await passDays(platform, 16);
    const moved = await platform.database.selectFrom("bank_movement").select("kind").execute();
    expect(moved.map(({ kind }) => kind).sort()).toEqual(["charge", "refund"]);
    const { former_key } = await platform.database
      .selectFrom("subscription")
      .select("former_key")
      .executeTakeFirstOrThrow();
    expect(former_key).toBeNull();
  });
});
