import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { main as payments } from "../../server/cli/payments";
import { main as people } from "../../server/cli/people";
import { startMailServer } from "../support/mail-server";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { runCommand } from "./command";
import { newCoach } from "./desk";
import { CARDS, newPerson, payWith } from "./funnel";
import { placesOf, subscriber } from "./life";
import { dispute, openSubscribed, tell } from "./reversals";
import { ask } from "./threads";

afterEach(() => vi.unstubAllEnvs());

/** Runs a command on the platform's database and at its time. */
async function runAt(
  { place, clock }: TestPlatform,
  main: (argv: string[]) => Promise<number>,
  ...argv: string[]
) {
  vi.stubEnv("DATABASE_URL", place.databaseUrl ?? "");
  vi.stubEnv("DATA_DIR", place.dataDir);
  vi.useFakeTimers({ toFake: ["Date"], now: clock.now() });
  try {
    return await runCommand(main, argv);
  } finally {
    vi.useRealTimers();
  }
}

const show = async (platform: TestPlatform, email: string) => {
  const { code, out, error } = await runAt(platform, people, "show", email);
  expect([code, error]).toEqual([0, []]);
  return JSON.parse(out.join(""));
};

onEachDatabase("the record of a person", (open) => {
  it("names account, contract, payments and refunds", async () => {
    const platform = await open();
    const { uid, email, token } = await subscriber(platform);
    const [payment] = await platform.database.selectFrom("payment").selectAll().execute();
    const order = ["refund", payment?.uid ?? "", "--amount", "30", "--reason", "Geste"];
    await runAt(platform, payments, ...order, "--by", "Zoé");
    await platform.runDueJobs();
    const body = { title: "Une question", message: "Mon secret" };
    await platform.call("POST /support/coaching/tickets", { token, body });
    const record = await show(platform, ` ${email.toUpperCase()} `);
    const at = "2026-11-20T10:00:00.000Z";
    expect(record).toMatchObject({
      account: { uid, email, status: "active", roles: ["vip"], createdAt: at, lastSignInAt: at },
      contracts: [
        {
          formula: "VIP mensuel",
          amount: 990,
          startedAt: at,
          paidUntil: "2026-11-27T10:00:00.000Z",
          cancelledAt: null,
          endedAt: null,
          hasCard: true,
        },
      ],
      openNotices: [],
      payments: [
        {
          payment: payment?.uid,
          contract: record.contracts[0].reference,
          bankReference: expect.any(String),
          receipt: expect.stringMatching(/^[0-9A-F-]{14}$/),
          amount: 100,
          status: "success",
          refunds: [
            {
              at,
              amount: 30,
              status: "success",
              madeBy: "operator",
              by: "Zoé",
              reason: "Geste",
            },
          ],
          claims: [],
        },
      ],
      openTickets: { contact: 0, coaching: 1 },
    });
  });

  it("holds no secret, no card and no message", async () => {
    const platform = await open();
    const { email, token } = await subscriber(platform);
    const body = { title: "Mon titre", message: "Mon message" };
    await platform.call("POST /support/coaching/tickets", { token, body });
    const [payment] = await platform.database.selectFrom("payment").selectAll().execute();
    const [account] = await platform.database.selectFrom("account").selectAll().execute();
    const text = JSON.stringify(await show(platform, email));
    const secrets = [
      payment?.card_reference,
      payment?.card_hint,
      payment?.intent_digest,
      account?.password_hash,
      "Mon titre",
      "Mon message",
    ];
    for (const secret of secrets) {
      expect(secret).toBeTruthy();
      expect(text).not.toContain(secret);
    }
  });

  it("tells what became of each mail", async () => {
    let refused: string | null = null;
    const server = await startMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(
          address === refused
            ? Object.assign(new Error(`5.1.1 <${address}>: Unknown`), { responseCode: 550 })
            : null,
        ),
    });
    onTestFinished(() => server.close());
    const platform = await open({ mailUrl: server.url });
    const ada = await subscriber(platform);
    await subscriber(platform);
    await platform.runDueJobs();
    refused = ada.email;
    await platform.call("POST /reset-password/request", { body: { identifier: ada.email } });
    await platform.runDueJobs();
    const { contracts, mails } = await show(platform, ada.email);
    const at = "2026-11-20T10:00:00.000Z";
    const contract = contracts[0].reference;
    const sent = {
      contract,
      writtenAt: at,
      state: "sent",
      sentAt: at,
      givenUpAt: null,
      reason: null,
    };
    const reason = "The mail server refused this mail (RCPT TO 550 5.1.1)";
    const reset = { kind: "password-reset", contract: null, writtenAt: at, sentAt: null, reason };
    expect(mails).toEqual([
      { kind: "welcome", ...sent },
      { kind: "receipt", ...sent },
      { ...reset, state: "waiting", givenUpAt: null },
    ]);
    platform.clock.advance(20 * 60_000);
    await platform.runDueJobs();
    expect((await show(platform, ada.email)).mails.at(-1)).toEqual({
      ...reset,
      state: "given up",
      givenUpAt: "2026-11-20T10:20:00.000Z",
    });
  });

  it("is of that person alone", async () => {
    const platform = await open();
    const ada = await subscriber(platform);
    const bob = await newPerson(platform);
    await payWith(platform, bob, CARDS.declined);
    const record = await show(platform, bob.email);
    expect(record).toMatchObject({
      account: { roles: [] },
      contracts: [],
      payments: [{ status: "failure", code: "declined" }],
    });
    expect(JSON.stringify(record)).not.toContain(ada.uid);
    expect(record.payments).toHaveLength(1);
  });

  it("names open declarations without what was typed", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    const typed = { name: "Zoé Kowalska", email };
    await platform.call("POST /cancellations", { body: typed });
    await platform.runDueJobs();
    const record = await show(platform, email);
    expect(record.openNotices).toMatchObject([
      { kind: "cancellation", isSignedIn: false, receivedAt: "2026-11-20T10:00:00.000Z" },
    ]);
    expect(JSON.stringify(record)).not.toContain("Kowalska");
    await platform.database
      .updateTable("contract_notice")
      .set({ undone_at: "2026-11-20T10:00:00.000Z" })
      .execute();
    expect((await show(platform, email)).openNotices).toEqual([]);
  });

  it("names disputes, the role of a coach and open requests", async () => {
    const shop = await openSubscribed(open);
    const claim = dispute(shop, shop.first);
    await tell(shop, "charge.dispute.created", claim);
    const { platform, person } = shop;
    await ask(platform, { email: person.email });
    expect(await show(platform, person.email)).toMatchObject({
      payments: [{ dispute: "open", claims: [{ kind: "dispute", amount: 100, status: "open" }] }],
      openTickets: { contact: 1, coaching: 0 },
    });
    const coach = await newCoach(platform);
    expect((await show(platform, coach.email)).account.roles).toEqual(["coach"]);
  });

  it("is read without leaving anything behind", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    const before = await placesOf(platform, email);
    await show(platform, email);
    expect(await placesOf(platform, email)).toEqual(before);
  });

  it.each([
    [["show", "personne@exemple.fr"], "There is no account of personne@exemple.fr (see --help)"],
    [["show", "personne"], "Not an e-mail: personne"],
    [["show"], "Expected: show <email> (see --help)"],
    [["list"], "Expected: show <email> (see --help)"],
    [["show", "a@b.fr", "c"], "Expected: show <email> (see --help)"],
  ])("is refused for %j in one line", async (argv, line) => {
    const platform = await open();
    const { code, out, error } = await runAt(platform, people, ...argv);
    expect([code, out, error]).toEqual([1, [], [line]]);
  });
});

it("the commands explain themselves when asked for help", async () => {
  for (const main of [people, payments]) {
    expect(await runCommand(main, ["--help"])).toMatchObject({ code: 0, error: [] });
  }
});
