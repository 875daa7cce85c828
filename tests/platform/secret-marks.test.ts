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
  it("the same secret warns of nothing", async () => {
    const { start } = await starter(open);
    expect([await start(OLD), await start(OLD)]).toEqual([false, false]);
  });

  it("another secret alone warns each time", async () => {
    const { start } = await starter(open);
    expect([await start(NEW), await start(NEW)]).toEqual([true, true]);
    expect([await start(NEW, OLD), await start(OLD, NEW)]).toEqual([false, false]);
  });

  it("a new secret before the old warns of nothing, nor a month later without it", async () => {
    const { first, start } = await starter(open);
    expect([await start(NEW, OLD), await start(NEW)]).toEqual([false, true]);
    await passDays(first, 31);
    expect(await start(NEW)).toBe(false);
  });

  it("either secret keeps it out of the database", async () => {
    const { first, start } = await starter(open);
    await start(NEW, OLD);
    const rows = await first.database.selectFrom("setting").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/secret, long enough/);
  });
});

onEachDatabase("a default formula", (open) => {
  it("that there is starts", async () => {
    await expect(open({ defaultFormula: "vip-cashback" })).resolves.toBeDefined();
  });

  it("that there is not stops the start in one sentence", async () => {
    await expect(open({ defaultFormula: "nope" })).rejects.toThrow(
      /^DEFAULT_FORMULA: there is no formula nope; give one .*vip-cashback, vip-mensuel$/,
    );
  });
});
