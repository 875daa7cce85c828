import { expect, it } from "vitest";
import { crowd } from "../load/crowd";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newAddress } from "./funnel";

const HOUR_MS = 3_600_000;

onEachDatabase("a form that anybody may send", (open) => {
  const register = (platform: TestPlatform, address: string, identifier = newEmail()) =>
    platform.call("POST /registrations/register", {
      headers: { "x-client-address": address },
      body: { identifier, formula: "vip-mensuel" },
    });

  const notify = (platform: TestPlatform, address: string, line = "POST /cancellations") =>
    platform.call(line, {
      headers: { "x-client-address": address },
      body: { name: "Ada Byron", email: newEmail() },
    });

  let count = 0;
  const newEmail = () => `personne.${++count}@exemple.fr`;

  /** Many at once, but fewer than what waits too long for a connection to the database. */
  async function times<T>(length: number, send: () => Promise<T>): Promise<T[]> {
    const answers: T[] = [];
    await crowd([...Array(length).keys()], 40, async () => void answers.push(await send()));
    return answers;
  }

  it("creates 300 accounts an hour and address", async () => {
    const platform = await open();
    const address = newAddress();
    const answers = await times(302, () => register(platform, address));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(300);
    const again = await platform.reopen();
    const refused = await register(again, address);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    expect((await register(again, newAddress())).status).toBe(201);
    again.clock.advance(HOUR_MS);
    expect((await register(again, address)).status).toBe(201);
  });

  it("counts registrations with an e-mail in use", async () => {
    const platform = await open();
    const address = newAddress();
    await times(300, () => register(platform, address, "ada@exemple.fr"));
    expect((await register(platform, address)).status).toBe(429);
  });

  it("accepts thirty notices an hour and address", async () => {
    const platform = await open();
    const address = newAddress();
    const answers = [
      ...(await times(15, () => notify(platform, address))),
      ...(await times(15, () => notify(platform, address, "POST /withdrawals"))),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(202));
    const again = await platform.reopen();
    for (const line of ["POST /cancellations", "POST /withdrawals"]) {
      const refused = await notify(again, address, line);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    }
    const { length } = await again.database.selectFrom("contract_notice").selectAll().execute();
    expect(length).toBe(30);
    expect((await notify(again, newAddress())).status).toBe(202);
    again.clock.advance(HOUR_MS);
    expect((await notify(again, address)).status).toBe(202);
  });

  it("counts a network ten times as much as an address", async () => {
    const platform = await open();
    const ask = (address: string) =>
      platform.call("POST /reset-password/request", {
        headers: { "x-client-address": address },
        body: { identifier: "ada@exemple.fr" },
      });
    for (const network of ["2001:db8:a:NN00::1", "203.0.113.N"]) {
      let asked = 0;
      const next = () => ask(network.replace(/N+/, String(10 + Math.floor(asked++ / 20))));
      const answers = await times(202, next);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    }
    expect((await ask("2001:db8:b:1000::1")).status).toBe(202);
  });

  it("is stored even when no mail is sent", async () => {
    const platform = await open();
    for (let time = 0; time < 12; time++) {
      const { status, body } = await platform.call("POST /withdrawals", {
        headers: { "x-client-address": newAddress() },
        body: { name: "Ada Byron", email: "victime@exemple.fr" },
      });
      expect([status, Object.keys(body.payload)]).toEqual([202, expect.arrayContaining(["uid"])]);
    }
    await platform.runDueJobs();
    const notices = await platform.database.selectFrom("contract_notice").selectAll().execute();
    const mails = await platform.database.selectFrom("mail").selectAll().execute();
    expect([notices.length, mails.length]).toEqual([12, 10]);
  });
});
