import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { lockAccount } from "../../server/platform/database/account-lock";
import { openDatabase } from "../../server/platform/database/connection";
import { lockName } from "../../server/platform/database/lock";
import { callTurns } from "../../server/platform/http/turns";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newPerson, type Person } from "./funnel";
import { newestMail, subscriber } from "./life";

/** More than there are connections to the database. */
const MANY = 12;

/** Those that wait are refused in time, while other tests run. */
const isOver = () => undefined;

type Send = () => Promise<{ status: number }>;

onEachDatabase("many calls at once", (open) => {
  /** Holds what calls of this account wait for, sends many, and then asks as somebody else. */
  async function sendMany(platform: TestPlatform, { uid }: Person, send: Send) {
    const other = await openDatabase(platform.place);
    const { answers } = await other.transaction().execute(async (db) => {
      await lockAccount(db, uid);
      await lockName(db, `limit.export.now:${uid}`);
      const answers = Promise.all(Array.from({ length: MANY }, send));
      for (let count = 0; count < 30; count++) {
        await setImmediate();
        expect((await platform.call("GET /content/tags")).status).toBe(200);
      }
      // In an object, or the transaction would wait for them.
      return { answers };
    });
    const statuses = (await answers).map(({ status }) => status);
    await other.destroy();
    return statuses;
  }

  const all = (status: number) => Array<number>(MANY).fill(status);

  it("that write for one account leave connections to others", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const { uid, token } = person;
    const body = { profile: { favorites: ["a"] } };
    const send = () => platform.call(`PUT /users/${uid}/metadata`, { token, body });
    expect(await sendMany(platform, person, send)).toEqual(all(200));
  });

  it("that read for one account leave connections to others", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const { uid, token } = person;
    const send = () => platform.call(`GET /users/${uid}/export`, { token });
    const statuses = await sendMany(platform, person, send);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(MANY - 2);
  });

  it("with one mailed link leave connections to others", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /cancellations", {
      body: { name: "Zoé Kowalska", email: person.email },
    });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    const body = { token: /\?token=(\S+)/.exec(text)?.[1] };
    const send = () => platform.call("POST /cancellations/undo/preview", { body });
    expect(await sendMany(platform, person, send)).toEqual(all(200));
  });
});

describe("calls that are not answered yet", () => {
  const never = () => new Promise<never>(() => {});
  const principal = { identifier: "ada@exemple.fr", roles: {}, sessionUid: "session" };

  it("of one account are refused beyond two hundred, and of others are not", async () => {
    const runInTurn = callTurns();
    const ada = { principal: { ...principal, uid: "ada" } };
    for (let count = 0; count < 200; count++) runInTurn("PUT", ada, never).catch(isOver);
    await expect(runInTurn("PUT", ada, never)).rejects.toMatchObject({
      status: 429,
      headers: { "retry-after": "2" },
      violations: [{ property: "queue" }],
    });
    const answer = () => Promise.resolve("answered");
    expect(await runInTurn("GET", ada, answer)).toBe("answered");
    const eve = { principal: { ...principal, uid: "eve" } };
    expect(await runInTurn("PUT", eve, answer)).toBe("answered");
  });

  it("of nobody in particular do not wait for each other", async () => {
    const runInTurn = callTurns();
    const answer = () => Promise.resolve("answered");
    for (const asked of [{ principal: null }, { principal: { ...principal, uid: "" } }]) {
      for (let count = 0; count < 20; count++) runInTurn("GET", asked, never).catch(isOver);
      expect(await runInTurn("GET", asked, answer)).toBe("answered");
    }
  });
});
