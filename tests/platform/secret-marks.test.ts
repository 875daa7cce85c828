import { expect, it } from "vitest";
import { onEachDatabase, type OpenPlatform } from "../support/platform";
import { passDays } from "./life";

const [OLD, NEW] = ["the old secret, long enough", "the new secret, long enough"];

/** Starts on one database with the secrets of each start; tells which of them warned. */
async function starter(open: OpenPlatform) {
  const first = await open({ secrets: [OLD] });
  const { place, clock } = first;
  const start = async (...secrets: string[]) => {
    const told: string[] = [];
    const warn = (_: object, message: string) => void told.push(message);
    const log = { info() {}, error() {}, warn };
    const platform = await open({ ...place, clock, secrets, log });
    await platform.close();
    return told.some((message) => message.startsWith("SESSION_SECRET has changed"));
  };
  return { first, start };
}

onEachDatabase("a start with", (open) => {
  it("the same secret causes no warning", async () => {
    const { start } = await starter(open);
    expect([await start(OLD), await start(OLD)]).toEqual([false, false]);
  });

  it("another secret alone causes a warning each time", async () => {
    const { start } = await starter(open);
    expect([await start(NEW), await start(NEW)]).toEqual([true, true]);
    expect([await start(NEW, OLD), await start(OLD, NEW)]).toEqual([false, false]);
  });

  it("a new secret before the old causes no warning", async () => {
    const { first, start } = await starter(open);
    expect([await start(NEW, OLD), await start(NEW)]).toEqual([false, true]);
    await passDays(first, 31);
    expect(await start(NEW)).toBe(false);
  });

  it("any secret stores no secret in the database", async () => {
    const { first, start } = await starter(open);
    await start(NEW, OLD);
    const rows = await first.database.selectFrom("setting").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/secret, long enough/);
  });
});

onEachDatabase("a default formula", (open) => {
  it("that is sold without a token lets the platform start", async () => {
    await expect(open({ defaultFormula: "vip-mensuel" })).resolves.toBeDefined();
  });

  it("that does not exist stops the start", async () => {
    await expect(open({ defaultFormula: "nope" })).rejects.toThrow(
      /^DEFAULT_FORMULA: there is no formula nope; give one that there is: vip-mensuel$/,
    );
  });

  it("that is retired stops the start", async () => {
    const { database, place } = await open();
    const retired_at = new Date(0).toISOString();
    await database.updateTable("formula").set({ retired_at }).execute();
    await expect(open({ ...place, defaultFormula: "vip-mensuel" })).rejects.toThrow(
      /^DEFAULT_FORMULA: vip-mensuel is not sold any more/,
    );
  });

  it("that is sold with a token only stops the start", async () => {
    await expect(open({ defaultFormula: "vip-cashback" })).rejects.toThrow(
      /^vip-cashback is DEFAULT_FORMULA, sold without a token: it cannot carry a credit; .*: vip-mensuel$/,
    );
  });
});
