import { afterEach, expect, it } from "vitest";
import { startMailServer } from "../support/mail-server";
import type { ReceivedMail } from "../support/mail-parts";
import { onEachDatabase, type OpenPlatform, type TestPlatform } from "../support/platform";
import { freePort } from "../support/port";
import { rolesOf, type Person } from "./funnel";
import { back, DAY_MS, ledgerOf, passTo, subscriber, subscriptionOf, undoAsShown } from "./life";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A platform whose mail server can be away for some time. */
async function withMailServer(open: OpenPlatform) {
  const port = await freePort();
  const mails: string[] = [];
  const platform = await open({ mailUrl: `smtp://127.0.0.1:${port}` });
  const receive = (received: ReceivedMail[]) => {
    const day = platform.clock.now().toISOString().slice(0, 10);
    for (const { headers } of received) {
      mails.push(`${day} ${headers.get("subject")?.replaceAll("\u00a0", " ")}`);
    }
    return mails.length;
  };
  let server: Awaited<ReturnType<typeof startMailServer>> | null = null;
  const stop = async () => {
    await server?.close();
    server = null;
  };
  const start = async () => {
    server = await startMailServer({ port });
    server.mails.push = (...received) => receive(received);
  };
  cleanups.push(stop);
  await start();
  const reminders = () => mails.filter((line) => line.includes("essai se termine"));
  return { platform, reminders, start, stop };
}

const debits = async (platform: TestPlatform, { email }: Person) =>
  (await ledgerOf(platform, email)).slice(1).map((line) => line.slice(0, 10));

const isVip = async (platform: TestPlatform, person: Person) =>
  (await rolesOf(platform, await back(platform, person))).vip ?? false;

/** The trial ends on the 27th; its reminder is written on the 24th, while no mail goes out. */
const BEFORE_REMINDER = "2026-11-23T10:00:00.000Z";

onEachDatabase("a trial whose reminder does not go out", (open) => {
  it("is prolonged by the days of the reminder, and told the new day", async () => {
    const { platform, reminders, start, stop } = await withMailServer(open);
    const person = await subscriber(platform);
    await passTo(platform, BEFORE_REMINDER);
    await stop();
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual([]);
    expect(await isVip(platform, person)).toBe(true);
    await start();
    await passTo(platform, "2026-11-30T09:00:00.000Z");
    expect(reminders()).toEqual(["2026-11-28 Votre essai se termine le 30 nov. 2026"]);
    expect(await debits(platform, person)).toEqual([]);
    await passTo(platform, "2026-12-15T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual(["2026-11-30"]);
    expect(reminders()).toHaveLength(1);
  });

  it("is prolonged once, however long the outage", async () => {
    const { platform, reminders, stop } = await withMailServer(open);
    const person = await subscriber(platform);
    await passTo(platform, BEFORE_REMINDER);
    await stop();
    await passTo(platform, "2026-12-15T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual(["2026-11-30"]);
    expect(reminders()).toEqual([]);
  });

  it("is not prolonged again by a stop that is undone", async () => {
    const { platform, reminders, start, stop } = await withMailServer(open);
    const person = await subscriber(platform);
    await passTo(platform, BEFORE_REMINDER);
    await stop();
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    const { token, email } = await back(platform, person);
    await platform.call("POST /cancellations", { token, body: { name: "Zoé Kowalska", email } });
    await platform.runDueJobs();
    await undoAsShown(platform, await undoSecret(platform, email));
    await start();
    await passTo(platform, "2026-12-15T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual(["2026-11-30"]);
    expect(reminders()).toEqual(["2026-11-28 Votre essai se termine le 30 nov. 2026"]);
  });

  it("is prolonged once when the process stood still, too", async () => {
    const { platform, stop } = await withMailServer(open);
    const person = await subscriber(platform);
    await stop();
    await platform.runDueJobs();
    platform.clock.advance(8 * DAY_MS);
    await passTo(platform, "2026-12-15T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual(["2026-12-01"]);
  });

  it("is debited on its day when the end of its contract is planned", async () => {
    const { platform, stop } = await withMailServer(open);
    const person = await subscriber(platform);
    await passTo(platform, BEFORE_REMINDER);
    const { token, email } = await back(platform, person);
    const body = { name: "Zoé Kowalska", email, date: "2026-11-29" };
    await platform.call("POST /cancellations", { token, body });
    await platform.runDueJobs();
    await stop();
    await passTo(platform, "2026-12-15T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual(["2026-11-27"]);
    const { expires_at, cancelled_at } = await subscriptionOf(platform, person);
    expect([expires_at.slice(0, 10), cancelled_at?.slice(0, 10)]).toEqual([
      "2026-12-27",
      "2026-11-28",
    ]);
  });

  it("is prolonged when a stranger planned its end and no mail told it", async () => {
    const { platform, stop } = await withMailServer(open);
    const person = await subscriber(platform);
    await passTo(platform, BEFORE_REMINDER);
    await stop();
    const body = { name: "x", email: person.email, date: "2026-11-29" };
    await platform.call("POST /cancellations", { body });
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual([]);
    expect(await isVip(platform, person)).toBe(true);
  });

  it("is debited on its day when a mail told the end that a stranger planned", async () => {
    const { platform, stop } = await withMailServer(open);
    const person = await subscriber(platform);
    await passTo(platform, BEFORE_REMINDER);
    const body = { name: "x", email: person.email, date: "2026-11-29" };
    await platform.call("POST /cancellations", { body });
    await platform.runDueJobs();
    await stop();
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual(["2026-11-27"]);
  });

  it("ends when it was planned after a permanent refusal", async () => {
    const server = await startMailServer({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error("Unknown"), { responseCode: 550 })),
    });
    cleanups.push(() => server.close());
    const platform = await open({ mailUrl: server.url });
    const person = await subscriber(platform);
    await passTo(platform, "2026-12-15T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual(["2026-11-27"]);
  });
});

/** The secret of the link that undoes the newest cancellation, from the unsent mail. */
async function undoSecret({ database }: TestPlatform, email: string) {
  const mail = await database
    .selectFrom("mail")
    .select("text")
    .where("recipient", "=", email)
    .where("text", "like", "%undo?token=%")
    .orderBy("created_at", "desc")
    .executeTakeFirstOrThrow();
  return /undo\?token=([\w-]+)/.exec(mail.text)?.[1] ?? "";
}
