import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../server/platform/database/connection";
import { isDatabaseUnavailable } from "../../server/platform/database/unavailable";
import { onEachDatabase, silent } from "../support/platform";
import { newPerson } from "./funnel";

const MINUTE_MS = 60_000;

const failed = (message: string, code?: string) => Object.assign(new Error(message), { code });

describe("a database that cannot be used", () => {
  it.each([
    failed("connect ECONNREFUSED 127.0.0.1:5432", "ECONNREFUSED"),
    failed("Connection terminated unexpectedly"),
    failed("Client has encountered a connection error and is not queryable"),
    failed("timeout exceeded when trying to connect"),
    failed("terminating connection due to administrator command", "57P01"),
    failed("sorry, too many clients already", "53300"),
    failed("deadlock detected", "40P01"),
    failed("database is locked", "SQLITE_BUSY"),
    failed("database or disk is full", "SQLITE_FULL"),
    failed("driver has already been destroyed"),
  ])("is unreachable after the error %s", (error) =>
    expect(isDatabaseUnavailable(error)).toBe(true),
  );

  it.each([
    failed("invalid byte sequence for encoding", "22021"),
    failed("duplicate key value violates unique constraint", "23505"),
    failed("no such table: ticket", "SQLITE_ERROR"),
    failed("UNIQUE constraint failed", "SQLITE_CONSTRAINT_UNIQUE"),
    new TypeError("undefined is not a function"),
    "a text",
  ])("is still reachable after the error %s", (error) =>
    expect(isDatabaseUnavailable(error)).toBe(false),
  );
});

onEachDatabase("a database", (open) => {
  it("that is closed is unreachable and says why", async () => {
    const platform = await open();
    expect(await platform.fault()).toBeNull();
    await platform.close();
    const asked = platform.database.selectFrom("setting").selectAll().execute();
    await expect(asked.catch(isDatabaseUnavailable)).resolves.toBe(true);
    expect(await platform.fault()).toMatch(/^The database does not answer: .{5}/);
  });

  it("that is closed has all calls answered 503, in one line of the log", async () => {
    const told: unknown[] = [];
    const platform = await open({ log: { ...silent, error: (...line) => void told.push(line) } });
    await platform.close();
    const { status, headers, body } = await platform.call("GET /content/articles");
    await platform.call("GET /content/tags");
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect(body).toEqual({ message: "The database does not answer" });
    expect(told).toMatchObject([
      [
        { call: "GET /content/articles", reason: expect.any(String) },
        "the database does not answer",
      ],
    ]);
  });

  it("that is closed has the bank's page answered 503, too", async () => {
    const platform = await open();
    await platform.close();
    const { status, headers } = await platform.call("GET /sandbox/pay/anything");
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
  });

  it("that another process writes to answers reads meanwhile, and the write afterwards", async () => {
    const platform = await open();
    const { uid, token } = await newPerson(platform);
    const other = await openDatabase(platform.place);
    // Another visit is due to be recorded.
    platform.clock.advance(10 * MINUTE_MS);
    let answered: number | undefined;
    const body = { profile: { favorites: ["a"] } };
    const written = await other.transaction().execute(async (db) => {
      await db.updateTable("account").set({ status: "active" }).where("uid", "=", uid).execute();
      const answer = platform
        .call(`PUT /users/${uid}/metadata`, { token, body })
        .then(({ status }) => (answered = status));
      for (let count = 0; count < 50; count++) {
        // The token is verified in another thread.
        await setImmediate();
        expect((await platform.call("GET /content/tags")).status).toBe(200);
        expect((await platform.call(`GET /users/${uid}`, { token })).status).toBe(200);
        expect(await platform.fault()).toBeNull();
      }
      expect(answered).toBeUndefined();
      // In an object, or the transaction would wait for it.
      return { answer };
    });
    expect(await written.answer).toBe(200);
    await other.destroy();
  });
});
