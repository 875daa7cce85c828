import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newKey, payByCard, payments } from "./card-form";
import { CARDS, movements, newAddress, newPage, newPerson, post, type Person } from "./funnel";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

onEachDatabase("ten declined cards from one address", (open) => {
  const decline = async (
    platform: TestPlatform,
    person: Person,
    address: string,
    times: number,
  ) => {
    for (let time = 0; time < times; time++) {
      const { status } = await payByCard(platform, person, { card: CARDS.declined, address });
      expect(status).toBe(400);
      platform.clock.advance(SECOND);
    }
  };

  it("block the eleventh and state the waiting time", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const address = newAddress();
    await decline(platform, person, address, 10);
    const key = newKey();
    const refused = await payByCard(platform, person, { address, key });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe(String(15 * 60 - 10));
    expect(refused.body).toEqual({ message: "Too many attempts; try again in 890 seconds" });
    expect(await payments(platform)).toHaveLength(10);
    platform.clock.advance(889 * SECOND);
    expect((await payByCard(platform, person, { address, key })).status).toBe(429);
    platform.clock.advance(SECOND);
    expect((await payByCard(platform, person, { address, key })).status).toBe(200);
  });

  it("block others at that address, not elsewhere", async () => {
    const platform = await open();
    const address = newAddress();
    await decline(platform, await newPerson(platform), address, 10);
    const other = await newPerson(platform);
    expect((await payByCard(platform, other, { address })).status).toBe(429);
    expect((await payByCard(platform, other)).status).toBe(200);
  });

  it("are still counted after a restart", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const address = newAddress();
    await decline(platform, person, address, 6);
    const again = await platform.reopen();
    await decline(again, person, address, 4);
    const later = await again.reopen();
    expect((await payByCard(later, person, { address })).status).toBe(429);
  });

  it("are counted by all processes together", async () => {
    const platform = await open();
    const other = await open({ ...platform.place, clock: platform.clock });
    const person = await newPerson(platform);
    const address = newAddress();
    for (let time = 0; time < 5; time++) {
      await decline(platform, person, address, 1);
      await decline(other, person, address, 1);
    }
    expect((await payByCard(platform, person, { address })).status).toBe(429);
    expect((await payByCard(other, person, { address })).status).toBe(429);
  });

  it("count together with those on the bank's page", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const address = newAddress();
    await decline(platform, person, address, 5);
    for (let time = 0; time < 5; time++) {
      const page = await newPage(platform, person);
      const cardNumber = time % 2 ? CARDS.challengeDeclined : CARDS.declined;
      await post(platform, page, { cardNumber }, address);
      if (time % 2) await post(platform, page, { intent: "confirm" }, address);
    }
    const page = await newPage(platform, person);
    const refused = await post(platform, page, {}, address);
    const html = await refused.text();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    expect(html).toContain("Trop de cartes refusées");
    expect(html).toMatch(/réessayez dans 15\sminutes/);
    expect((await movements(platform)).filter(({ status }) => status === "success")).toEqual([]);
    expect((await post(platform, page)).status).toBe(303);
  });

  it("from many addresses block the account everywhere", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    for (let time = 0; time < 20; time++) {
      if (time % 4) {
        const declined = { card: CARDS.declined, address: newAddress() };
        expect((await payByCard(platform, person, declined)).status).toBe(400);
      } else {
        const page = await newPage(platform, person);
        expect((await post(platform, page, { cardNumber: CARDS.declined })).status).toBe(303);
      }
    }
    const refused = await payByCard(platform, person);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "86400"]);
    const page = await newPage(platform, person);
    const atBank = await post(platform, page);
    expect(atBank.status).toBe(429);
    expect(await atBank.text()).toMatch(/réessayez dans 24\sheures/);
    expect((await payByCard(platform, await newPerson(platform))).status).toBe(200);
    platform.clock.advance(24 * 60 * MINUTE);
    expect((await payByCard(platform, person)).status).toBe(200);
  });

  it("do not block the answer for a known key", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const address = newAddress();
    const paying = { card: CARDS.declined, address, key: newKey() };
    await payByCard(platform, person, paying);
    await decline(platform, person, address, 9);
    expect((await payByCard(platform, person, { address })).status).toBe(429);
    expect((await payByCard(platform, person, paying)).status).toBe(400);
  });

  it("also limit simultaneous payments", async () => {
    const platform = await open();
    const people = await Promise.all(Array.from({ length: 14 }, () => newPerson(platform)));
    const address = newAddress();
    const answers = await Promise.all(
      people.map((person) => payByCard(platform, person, { card: CARDS.declined, address })),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });

  it("include charges that are declined later", async () => {
    const platform = await open();
    const address = newAddress();
    for (let time = 0; time < 10; time++) {
      const person = await newPerson(platform);
      await payByCard(platform, person, { card: CARDS.pendingDeclined, address });
    }
    const next = await newPerson(platform);
    const unharmed = await payByCard(platform, next, { card: CARDS.challenge, address });
    expect(unharmed.status).toBe(200);
    platform.clock.advance(5 * SECOND);
    await platform.runDueJobs();
    expect((await payByCard(platform, next, { address })).status).toBe(429);
  });

  it("share one count without an address", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    for (let time = 0; time < 10; time++) {
      await payByCard(platform, person, { card: CARDS.declined, address: null });
    }
    expect((await payByCard(platform, person, { address: "not an address" })).status).toBe(429);
  });

  it("count for the whole IPv6 network", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    for (let time = 0; time < 10; time++) {
      const address = `2001:db8:1:2::${time + 1}`;
      await payByCard(platform, person, { card: CARDS.declined, address });
    }
    const same = await payByCard(platform, person, { address: "2001:db8:1:3:a:b:c:d" });
    const other = await payByCard(platform, person, { address: "2001:db8:1:100::1" });
    expect([same.status, other.status]).toEqual([429, 200]);
  });

  it("leave no address in the database after a day", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await decline(platform, person, newAddress(), 3);
    await payByCard(platform, person, { card: CARDS.challenge });
    const events = () => platform.database.selectFrom("limited_event").select("scope").execute();
    platform.clock.advance(24 * 60 * MINUTE);
    await platform.runDueJobs();
    expect((await events()).map(({ scope }) => scope)).not.toContain("card.declined");
    platform.clock.advance(24 * 60 * MINUTE);
    await platform.runDueJobs();
    expect(await events()).toEqual([]);
  });
});
