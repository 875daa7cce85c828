import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import {
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

const DUE = "2026-11-27T10:00:00.000Z";

onEachDatabase("undoing a notice by its link", (open) => {
  type Kind = "cancellations" | "withdrawals";

  /** A stranger's notice at a moment; `secret` of the mailed link. */
  async function noticed(kind: Kind, at: string, until: string) {
    const platform = await open();
    const person = await subscriber(platform);
    await passTo(platform, at);
    const body = { name: "Zoé Kowalska", email: person.email };
    await platform.call(`POST /${kind}`, { body });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    const secret = /\?token=(\S+)/.exec(text)?.[1] ?? "";
    await passTo(platform, until);
    return { platform, person, secret, kind };
  }

  const preview = (platform: TestPlatform, kind: Kind, token: string) =>
    platform.call(`POST /${kind}/undo/preview`, { body: { token } });

  const undo = (platform: TestPlatform, kind: Kind, body: object) =>
    platform.call(`POST /${kind}/undo`, { body });

  /** Both kinds, used after the paid period is over. */
  const CANCELLED: [Kind, string, string] = [
    "cancellations",
    "2026-11-27T09:00:00.000Z",
    "2026-11-30T09:00:00.000Z",
  ];
  const AFTER_THE_PERIOD: [Kind, string, string][] = [
    CANCELLED,
    ["withdrawals", "2026-11-22T10:00:00.000Z", "2026-11-28T09:00:00.000Z"],
  ];

  it.each(["cancellations", "withdrawals"] as const)(
    "of %s leaves the contract stopped once its owner stopped it, signed in",
    async (kind) => {
      const day = "2026-11-22T10:00:00.000Z";
      const { platform, person, secret } = await noticed(kind, day, "2026-11-22T11:00:00.000Z");
      const { token } = person;
      const stop = () => platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
      const { status, body } = await stop();
      expect([status, body.payload]).toEqual([202, { status: "in process", endsAt: DUE }]);
      expect((await stop()).status).toBe(409);
      await platform.runDueJobs();
      const told = (await mailsTo(platform, person.email)).filter((line) => line.endsWith(" stop"));
      expect(told).toHaveLength(1);
      const undone = await undo(platform, kind, { token: secret });
      expect(undone.body.payload).toEqual({ status: "stopped" });
      await passTo(platform, "2026-11-30T10:00:00.000Z");
      expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: DUE });
      expect(await ledgerOf(platform, person.email)).toHaveLength(1);
    },
  );

  it("finds no second stop of an owner who declared theirs signed in", async () => {
    const platform = await open();
    const { email, token } = await subscriber(platform);
    await platform.call("POST /cancellations", { token, body: { name: "Ada Byron", email } });
    await platform.runDueJobs();
    const again = await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    expect(again.status).toBe(409);
    expect((await mailsTo(platform, email)).join()).not.toContain(" stop");
  });

  it.each(AFTER_THE_PERIOD)("of %s charges nothing without the shown offer", async (...when) => {
    const { platform, person, secret, kind } = await noticed(...when);
    const before = [
      await subscriptionOf(platform, person),
      await mailsTo(platform, person.email),
      await ledgerOf(platform, person.email),
    ];
    for (const offer of [undefined, "vip-mensuel|1|||1-month|||"]) {
      const { status, body } = await undo(platform, kind, { token: secret, offer });
      expect([status, body.violations[0].property]).toEqual([400, "offer"]);
    }
    await platform.runDueJobs();
    expect([
      await subscriptionOf(platform, person),
      await mailsTo(platform, person.email),
      await ledgerOf(platform, person.email),
    ]).toEqual(before);
  });

  it.each(AFTER_THE_PERIOD)("of %s charges what was shown and mails it", async (...when) => {
    const { platform, person, secret, kind } = await noticed(...when);
    const { payload } = (await preview(platform, kind, secret)).body;
    const end = payload.offer.nextDebit.date;
    expect(payload).toMatchObject({ status: "undone", offer: { amountNow: 990, trial: null } });
    const pressed = { token: secret, offer: payload.offer.statement };
    for (const isCharged of [true, false]) {
      const { body } = await undo(platform, kind, pressed);
      expect(body.payload).toEqual({ status: "undone", isCharged });
    }
    const text = await mailOf(platform, "undone:");
    expect(text).toMatch(/9,90\s€ sont débités aujourd’hui/);
    expect(text).toMatch(when[0] === "cancellations" ? /30\sdéc\.\s2026/ : /28\sdéc\.\s2026/);
    await platform.runDueJobs();
    expect((await ledgerOf(platform, person.email)).slice(1)).toEqual([
      `${when[2]} charge 990 success`,
    ]);
    expect(await subscriptionOf(platform, person)).toMatchObject({ expires_at: end });
  });

  it.each<Kind>(["cancellations", "withdrawals"])(
    "of %s within the paid period names the debit's day",
    async (kind) => {
      const day = "2026-11-22T10:00:00.000Z";
      const { platform, person, secret } = await noticed(kind, day, day);
      expect((await preview(platform, kind, secret)).body.payload).toEqual({
        status: "undone",
        nextDebit: { date: DUE, amount: 990 },
        ...(kind === "withdrawals" && { refundDateTime: "2026-11-29T10:00:00.000Z" }),
      });
      expect((await undo(platform, kind, { token: secret })).body.payload).toEqual({
        status: "undone",
      });
      const text = await mailOf(platform, "undone:");
      expect(text).toMatch(/9,90\s€ le 27\snov\.\s2026/);
      await passTo(platform, DUE);
      await platform.runDueJobs();
      expect((await ledgerOf(platform, person.email)).slice(1)).toEqual([
        `${DUE} charge 990 success`,
      ]);
    },
  );

  it("charges at once, and names no debit after the end that another one plans", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const declared = { name: "Zoé Kowalska", email: person.email };
    await platform.call("POST /cancellations", { body: { ...declared, date: "2026-12-10" } });
    await passTo(platform, "2026-11-27T09:00:00.000Z");
    await platform.call("POST /cancellations", { body: declared });
    await platform.runDueJobs();
    const { text: mailed } = await newestMail(platform, person.email);
    const secret = /\?token=(\S+)/.exec(mailed)?.[1] ?? "";
    await passTo(platform, "2026-11-28T09:00:00.000Z");
    const { payload } = (await preview(platform, "cancellations", secret)).body;
    const { plannedEndDateTime: end, offer } = payload;
    expect(offer).toMatchObject({ amountNow: 990, nextDebit: null, endsAt: end });
    await undo(platform, "cancellations", { token: secret, offer: offer.statement });
    const text = await mailOf(platform, "undone:");
    expect(text).toMatch(/9,90\s€ sont débités aujourd’hui de votre carte, puis plus rien/);
    expect(text).not.toContain("Prochain prélèvement");
    await passTo(platform, "2027-01-10T10:00:00.000Z");
    expect((await ledgerOf(platform, person.email)).slice(1)).toHaveLength(1);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: end });
  });

  it("is previewed any number of times without a change", async () => {
    const { platform, person, secret, kind } = await noticed(...CANCELLED);
    const before = await subscriptionOf(platform, person);
    for (let time = 0; time < 3; time++) {
      expect((await preview(platform, kind, secret)).status).toBe(200);
    }
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toEqual(before);
    expect((await mailsTo(platform, person.email)).join()).not.toContain("undone");
    expect((await undoAsShown(platform, secret)).body.payload).toEqual({
      status: "undone",
      isCharged: true,
    });
  });

  it("is shown again when pressed on another day", async () => {
    const { platform, secret, kind } = await noticed(...CANCELLED);
    const shown = (await preview(platform, kind, secret)).body.payload.offer.statement;
    await passTo(platform, "2026-12-01T09:00:00.000Z");
    expect((await undo(platform, kind, { token: secret, offer: shown })).status).toBe(400);
    expect((await undoAsShown(platform, secret)).status).toBe(200);
  });

  it("names the next try of an unpaid period", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passTo(platform, "2026-11-28T12:00:00.000Z");
    await platform.call("POST /cancellations", { body: { name: "Zoé", email: person.email } });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    const secret = /\?token=(\S+)/.exec(text)?.[1] ?? "";
    const { nextDebit } = (await preview(platform, "cancellations", secret)).body.payload;
    expect(nextDebit).toEqual({ date: "2026-11-30T10:00:00.000Z", amount: 990 });
    expect((await undo(platform, "cancellations", { token: secret })).status).toBe(200);
    await passTo(platform, "2026-11-30T11:00:00.000Z");
    expect((await ledgerOf(platform, person.email)).at(-1)).toBe(
      "2026-11-30T10:00:00.000Z charge 990 declined",
    );
  });

  it("without a card names the last day to pay", async () => {
    const day = "2026-11-22T10:00:00.000Z";
    const { platform, person, secret, kind } = await noticed("cancellations", day, day);
    await platform.database.updateTable("subscription").set({ card_reference: null }).execute();
    expect((await preview(platform, kind, secret)).body.payload).toEqual({
      status: "undone",
      payUntilDateTime: "2026-12-04T10:00:00.000Z",
    });
    expect((await undo(platform, kind, { token: secret })).status).toBe(200);
    expect(await mailOf(platform, "undone:")).toMatch(/au plus tard le 4\sdéc\.\s2026/);
    await passTo(platform, "2026-12-20T10:00:00.000Z");
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
  });

  it.each(["", "unknown"])("has no preview for the link %j", async (token) => {
    const platform = await open();
    for (const kind of ["cancellations", "withdrawals"] as const) {
      const { status, body } = await preview(platform, kind, token);
      expect([status, body.violations[0].property]).toEqual([400, "token"]);
    }
  });

  it("is previewed as ended when the money went back", async () => {
    const day = "2026-11-22T10:00:00.000Z";
    const { platform, secret, kind } = await noticed("withdrawals", day, day);
    await platform.call("POST /withdrawals/confirm", { body: { token: secret } });
    expect((await preview(platform, kind, secret)).body.payload).toEqual({
      status: "ended",
      closed: "withdrawn",
    });
  });

  const DAY = "2026-11-22T10:00:00.000Z";
  const withdrawSignedIn = ({ platform, person }: Awaited<ReturnType<typeof noticed>>) =>
    platform.call("POST /withdrawals", {
      body: { name: "Ada Byron", email: person.email },
      token: person.token,
    });

  it.each<Kind>(["cancellations", "withdrawals"])(
    "of %s is previewed as closed by what became of it",
    async (kind) => {
      const { platform, secret } = await noticed(kind, DAY, DAY);
      const closed = async () => (await preview(platform, kind, secret)).body.payload.closed;
      expect(await closed()).toBeUndefined();
      await undo(platform, kind, { token: secret });
      expect(await closed()).toBe("undone");
      platform.clock.advance(30 * DAY_MS);
      expect(await closed()).toBe("undone");
    },
  );

  it.each<Kind>(["cancellations", "withdrawals"])(
    "of %s is previewed as closed by its owner's withdrawal",
    async (kind) => {
      const one = await noticed(kind, DAY, DAY);
      await withdrawSignedIn(one);
      expect((await preview(one.platform, kind, one.secret)).body.payload).toEqual({
        status: "ended",
        closed: "withdrawn",
      });
    },
  );

  it.each<Kind>(["cancellations", "withdrawals"])(
    "of %s is previewed as closed by its time",
    async (kind) => {
      const { platform, secret } = await noticed(kind, DAY, DAY);
      platform.clock.advance(7 * DAY_MS - 1);
      expect((await preview(platform, kind, secret)).body.payload.closed).toBeUndefined();
      platform.clock.advance(1);
      expect((await preview(platform, kind, secret)).body.payload.closed).toBe("expired");
    },
  );

  it.each<Kind>(["cancellations", "withdrawals"])(
    "of %s once more after its owner's withdrawal answers ended",
    async (kind) => {
      const one = await noticed(kind, DAY, DAY);
      const { platform, secret } = one;
      expect((await undo(platform, kind, { token: secret })).body.payload.status).toBe("undone");
      await withdrawSignedIn(one);
      const again = await undo(platform, kind, { token: secret });
      expect(again.body.payload).toEqual({ status: "ended" });
      expect((await preview(platform, kind, secret)).body.payload).toEqual({
        status: "ended",
        closed: "withdrawn",
      });
    },
  );

  it.each<Kind>(["cancellations", "withdrawals"])(
    "of %s is previewed sixty times an hour, and carried out all the same",
    async (kind) => {
      const { platform, secret } = await noticed(kind, DAY, DAY);
      for (let time = 0; time < 60; time++) {
        expect((await preview(platform, kind, secret)).status).toBe(200);
      }
      const refused = await preview(platform, kind, secret);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
      expect((await undo(platform, kind, { token: secret })).body.payload.status).toBe("undone");
      // What became of a notice is read only.
      expect((await preview(platform, kind, secret)).body.payload.closed).toBe("undone");
    },
  );

  async function mailOf({ database }: TestPlatform, key: string) {
    const mail = await database
      .selectFrom("mail")
      .select("text")
      .where("key", "like", `${key}%`)
      .executeTakeFirstOrThrow();
    return mail.text;
  }
});
