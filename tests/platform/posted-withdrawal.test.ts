import { afterEach, expect, it, vi } from "vitest";
import { main as data } from "../../server/cli/data";
import { recordPostedWithdrawal } from "../../server/platform/notices/posted-withdrawal";
import { readArchive } from "../../server/platform/subscriptions/proof";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { runCommand } from "./command";
import { rolesOf } from "./funnel";
import {
  ledgerOf,
  mailsSentTo,
  mailsTo,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
} from "./life";

afterEach(() => vi.unstubAllEnvs());

const NOW = "2026-11-20T10:00:00.000Z";
const LAST_DAY = "2026-12-04";
/** The letter of the last day arrives later. */
const ARRIVAL = "2026-12-08T09:00:00.000Z";
const SUBJECT = "Accusé de réception de votre rétractation";

const record = ({ database: db, clock }: TestPlatform, reference: string, day: string) =>
  recordPostedWithdrawal({ db, clock }, reference, day);

async function receiptsOf(platform: TestPlatform, person: { email: string }) {
  const mails = mailsSentTo(platform, person);
  const receipts = mails.filter(({ headers }) => headers.get("subject") === SUBJECT);
  return receipts.map(({ text }) => text.replace(/\s+/g, " "));
}

onEachDatabase("a withdrawal by post or e-mail", (open) => {
  async function ordered(log?: Parameters<typeof open>[0]) {
    const platform = await open(log);
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    return { platform, person, reference };
  }

  it("ends the contract and refunds what was paid", async () => {
    const { platform, person, reference } = await ordered();
    expect(await record(platform, reference, "2026-11-20")).toEqual({ recipient: person.email });
    await platform.runDueJobs();
    await platform.runDueJobs();
    expect(await rolesOf(platform, person)).toEqual({});
    expect(await subscriptionOf(platform, person)).toMatchObject({ withdrawn_at: NOW });
    expect(await ledgerOf(platform, person.email)).toEqual([
      `${NOW} charge 100 success`,
      `${NOW} refund 100 success`,
    ]);
  });

  it("is nothing that a call can claim to be", async () => {
    const { platform, person, reference } = await ordered();
    const body = { name: "Ada", email: person.email, reference, date: "2026-11-20" };
    expect((await platform.call("POST /withdrawals", { body })).status).toBe(202);
    await platform.runDueJobs();
    expect((await mailsTo(platform, person.email)).at(-1)).toMatch(/ notice$/);
    expect(await subscriptionOf(platform, person)).toMatchObject({ withdrawn_at: null });
    expect(await record(platform, reference, "2026-11-20")).toEqual({ recipient: person.email });
  });

  it("counts by its day, however late it arrives", async () => {
    const { platform, person, reference } = await ordered();
    await passTo(platform, ARRIVAL);
    const charged = (await ledgerOf(platform, person.email)).length;
    await record(platform, reference, LAST_DAY);
    await platform.runDueJobs();
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ withdrawn_at: ARRIVAL });
    const refunds = (await ledgerOf(platform, person.email)).slice(charged);
    expect(refunds).toHaveLength(charged);
    expect(refunds.every((line) => line.startsWith(`${ARRIVAL} refund`))).toBe(true);
  });

  it("gets a receipt with its day and its way", async () => {
    const { platform, person, reference } = await ordered();
    await passTo(platform, ARRIVAL);
    await record(platform, reference, "2026-12-03");
    await platform.runDueJobs();
    await platform.runDueJobs();
    const [receipt, ...more] = await receiptsOf(platform, person);
    expect(more).toEqual([]);
    expect(receipt).toContain("déclarée le 3 déc. 2026, par la poste ou par e-mail.");
    expect(receipt).toContain("Déclarée le : 3 déc. 2026");
    expect(receipt).toContain("Enregistrée le : 8 déc. 2026 à 10:00");
    expect(receipt).toContain(`${reference}, commandé le 20 nov. 2026`);
    expect(receipt).not.toContain("Je vous notifie");
    const { notices } = await readArchive(platform.database, reference);
    expect(notices).toEqual([
      expect.objectContaining({ declaredDate: "2026-12-03", confirmedDateTime: ARRIVAL }),
    ]);
  });

  it("is carried out once, and then says so", async () => {
    const { platform, person, reference } = await ordered();
    await record(platform, reference, "2026-11-20");
    expect(await record(platform, reference, "2026-11-20")).toEqual({
      done: `The withdrawal of 2026-11-20 from ${reference} is recorded already`,
    });
    await platform.runDueJobs();
    await platform.runDueJobs();
    expect(await record(platform, reference, "2026-11-20")).toEqual({
      done: `The contract ${reference} was withdrawn from before, on 2026-11-20`,
    });
    await passDays(platform, 2);
    expect(await receiptsOf(platform, person)).toHaveLength(1);
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
  });

  it("of no day within the period is refused", async () => {
    const { platform, person, reference } = await ordered();
    await passTo(platform, ARRIVAL);
    expect(await record(platform, reference, "2026-12-05")).toEqual({
      refusal: `Too late: the last day to withdraw from ${reference} was ${LAST_DAY}`,
    });
    expect(await record(platform, reference, "2026-11-19")).toEqual({
      refusal: `Not declared on 2026-11-19: ${reference} was ordered on 2026-11-20`,
    });
    expect(await record(platform, reference, "2026-12-09")).toEqual({
      refusal: "Not declared yet: 2026-12-09 is after today, 2026-12-08",
    });
    expect(await record(platform, "nobody", LAST_DAY)).toEqual({
      refusal: "There is no contract nobody",
    });
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ withdrawn_at: null });
  });

  it("reaches the contract of a deleted profile", async () => {
    const { platform, person, reference } = await ordered();
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passTo(platform, ARRIVAL);
    expect(await record(platform, reference, LAST_DAY)).toEqual({ recipient: person.email });
    await platform.runDueJobs();
    await platform.runDueJobs();
    expect(await receiptsOf(platform, person)).toHaveLength(1);
    expect((await mailsTo(platform, person.email)).at(-1)).toBe(`${ARRIVAL} refund`);
  });

  it("settles an open one of the page with it", async () => {
    const { platform, person, reference } = await ordered();
    await platform.call("POST /withdrawals", { body: { name: "Ada", email: person.email } });
    await platform.runDueJobs();
    await record(platform, reference, "2026-11-20");
    await platform.runDueJobs();
    await passDays(platform, 9);
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
    const { notices } = await readArchive(platform.database, reference);
    expect(notices.map(({ settledDateTime }) => settledDateTime)).toEqual([NOW, NOW]);
  });

  it("leaves a line without personal data", async () => {
    const lines: unknown[] = [];
    const log = { warn() {}, error() {}, info: (...line: unknown[]) => void lines.push(line) };
    const { platform, person, reference } = await ordered({ log });
    await record(platform, reference, "2026-11-20");
    await platform.runDueJobs();
    expect(lines).toContainEqual([
      { notice: expect.any(String), contract: reference, declared: "2026-11-20" },
      "withdrawal by post or e-mail was carried out",
    ]);
    expect(JSON.stringify(lines)).not.toContain(person.email);
  });

  it("is entered by a command, for the site's clock", async () => {
    const { platform, person, reference } = await ordered();
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    const offset = Date.parse(NOW) - Date.now();
    const value = JSON.stringify({ offset, target: offset });
    const { database } = platform;
    await database.insertInto("setting").values({ name: "sandbox.clock", value }).execute();
    const run = (declared: string) =>
      runCommand(data, ["withdraw", reference, "--declared", declared]);
    expect(await run("2026-11-19")).toMatchObject({
      code: 1,
      error: [expect.stringContaining("was ordered on 2026-11-20")],
    });
    const out = [expect.stringContaining(`mails the receipt to ${person.email}`)];
    expect(await run("2026-11-20")).toMatchObject({ code: 0, out });
    expect(await run("2026-11-20")).toMatchObject({
      code: 0,
      out: [expect.stringContaining("is recorded already")],
    });
    platform.clock.advance(60_000);
    await platform.runDueJobs();
    expect((await subscriptionOf(platform, person)).withdrawn_at).not.toBeNull();
  });
});
