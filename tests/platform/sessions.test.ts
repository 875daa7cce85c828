import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newAddress, newPerson, signIn, type Person } from "./funnel";
import { back, DAY_MS, passDays } from "./life";

const MINUTE_MS = 60_000;

onEachDatabase("a session", (open) => {
  const list = (platform: TestPlatform, { uid, token }: Person, query = "") =>
    platform.call(`GET /users/${uid}/sessions` + query, { token });

  const end = (platform: TestPlatform, { uid, token }: Person, session: string) =>
    platform.call(`DELETE /users/${uid}/sessions/${session}`, { token });

  const endAll = (platform: TestPlatform, { uid, token }: Person) =>
    platform.call(`DELETE /users/${uid}/sessions`, { token });

  const read = async (platform: TestPlatform, { uid, token }: Person) =>
    (await platform.call(`GET /users/${uid}`, { token })).status;

  const rows = ({ database }: TestPlatform) =>
    database.selectFrom("account_session").selectAll().execute();

  it("shows its time, its device and whether it asks", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    platform.clock.advance(MINUTE_MS);
    const agent = `Firefox/150 ${"x".repeat(400)}`;
    const { token } = await signIn(platform, person.email, undefined, { agent });
    const { status, body } = await list(platform, { ...person, token });
    expect(status).toBe(200);
    const at = (moment: string) => ({ createdDateTime: moment, lastSeenDateTime: moment });
    expect(body).toEqual({
      payload: [
        {
          uid: expect.any(String),
          ...at("2026-11-20T10:01:00.000Z"),
          device: agent.slice(0, 300),
          current: true,
        },
        {
          uid: expect.any(String),
          ...at("2026-11-20T10:00:00.000Z"),
          device: null,
          current: false,
        },
      ],
      page: { hasNextPage: false, endCursor: null },
    });
  });

  it("is listed newest first, page after page", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    for (let time = 0; time < 4; time++) {
      if (time % 2) platform.clock.advance(1000);
      await signIn(platform, person.email);
    }
    const first = (await list(platform, person, "?length=3")).body;
    const rest = (await list(platform, person, `?length=3&after=${first.page.endCursor}`)).body;
    const all = (await list(platform, person)).body;
    expect(all.payload).toHaveLength(5);
    expect([...first.payload, ...rest.payload]).toEqual(all.payload);
    expect([first.page.hasNextPage, rest.page.hasNextPage]).toEqual([true, false]);
    const moments = all.payload.map((one: { createdDateTime: string }) => one.createdDateTime);
    expect(moments).toEqual([...moments].sort().reverse());
    expect((await list(platform, person, "?after=abc")).status).toBe(400);
  });

  it("keeps no address, and no secret", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    await signIn(platform, email, undefined, { address: "203.0.113.77" });
    const addresses = await platform.database.selectFrom("account_address").selectAll().execute();
    expect(addresses).toHaveLength(1);
    expect(JSON.stringify([addresses, await rows(platform)])).not.toContain("203.0.113");
  });

  it("is marked as seen every few minutes only", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    platform.clock.advance(4 * MINUTE_MS);
    await read(platform, person);
    expect(await rows(platform)).toMatchObject([{ last_seen_at: "2026-11-20T10:00:00.000Z" }]);
    platform.clock.advance(MINUTE_MS);
    await Promise.all([read(platform, person), read(platform, person)]);
    expect(await rows(platform)).toMatchObject([{ last_seen_at: "2026-11-20T10:05:00.000Z" }]);
  });

  it("ends alone, and its token at once", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const other = await back(platform, person);
    const { payload } = (await list(platform, person)).body;
    const { uid } = payload.find(({ current }: { current: boolean }) => !current);
    expect((await end(platform, person, uid)).status).toBe(204);
    expect([await read(platform, other), await read(platform, person)]).toEqual([401, 200]);
    expect((await list(platform, person)).body.payload).toMatchObject([{ current: true }]);
    expect((await end(platform, person, uid)).status).toBe(404);
  });

  it("ends when its owner signs out", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const other = await back(platform, person);
    expect((await end(platform, person, "current")).status).toBe(204);
    expect([await read(platform, person), await read(platform, other)]).toEqual([401, 200]);
    const again = await platform.reopen();
    expect(await read(again, person)).toBe(401);
  });

  it("ends with all other sessions of its account", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const other = await back(platform, person);
    const stranger = await newPerson(platform);
    expect((await endAll(platform, person)).status).toBe(204);
    expect([await read(platform, person), await read(platform, other)]).toEqual([401, 401]);
    expect(await read(platform, stranger)).toBe(200);
  });

  it("is neither seen nor ended by others", async () => {
    const platform = await open();
    const [ada, bob] = [await newPerson(platform), await newPerson(platform)];
    const { payload } = (await list(platform, ada)).body;
    const asBob = { ...ada, token: bob.token };
    const answers = [
      await list(platform, asBob),
      await endAll(platform, asBob),
      await end(platform, asBob, "current"),
      await end(platform, bob, payload[0].uid),
      await end(platform, bob, "unknown"),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(404));
    expect(await read(platform, ada)).toBe(200);
  });

  it("is one of fifty: the oldest ends", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const stranger = await newPerson(platform);
    const next = () => signIn(platform, person.email, undefined, { address: newAddress() });
    const second = await next();
    for (let time = 0; time < 48; time++) await next();
    expect(await read(platform, person)).toBe(200);
    await next();
    expect(await read(platform, person)).toBe(401);
    expect(await read(platform, { ...person, token: second.token })).toBe(200);
    expect(await read(platform, stranger)).toBe(200);
  });

  it("is one of fifty with simultaneous sign-ins too", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const crowd = Array.from({ length: 55 }, () =>
      signIn(platform, person.email, undefined, { address: newAddress() }),
    );
    const answers = await Promise.all(crowd);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const stillOpen = (await rows(platform)).filter(({ ended_at }) => ended_at === null);
    expect(stillOpen).toHaveLength(50);
  });

  it("is deleted the day after it ended", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await end(platform, await back(platform, person), "current");
    expect(await rows(platform)).toHaveLength(2);
    await passDays(platform, 1);
    expect(await rows(platform)).toMatchObject([{ ended_at: null }]);
  });

  it("is deleted once its token has long expired", async () => {
    const platform = await open();
    const [idle, active] = [await newPerson(platform), await newPerson(platform)];
    let { token } = active;
    for (let day = 0; day < 16; day++) {
      await passDays(platform, 1);
      const { headers } = await platform.call(`GET /users/${active.uid}`, { token });
      token = headers.get("next-token") ?? token;
      const { payload } = (await list(platform, { ...active, token })).body;
      expect(payload).toHaveLength(1);
    }
    expect(await rows(platform)).toMatchObject([{ account_uid: active.uid }]);
    expect(await read(platform, idle)).toBe(401);
  });

  it("leaves no row and no clean-up job", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    await signIn(platform, email, undefined, { address: "203.0.113.77" });
    await passDays(platform, 92);
    expect(await rows(platform)).toEqual([]);
    expect(await platform.database.selectFrom("account_address").selectAll().execute()).toEqual([]);
    platform.clock.advance(DAY_MS);
    expect(await platform.runDueJobs()).toBe(0);
  });
});
