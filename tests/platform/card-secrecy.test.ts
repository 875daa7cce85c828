import { expect, it } from "vitest";
import cards from "../../server/platform/payments/sandbox/cards.json";
import { createLog } from "../../server/log";
import { onEachDatabase } from "../support/platform";
import { everyValue, payByCard } from "./card-form";
import { newPerson, post } from "./funnel";

const CODE = "7391";
/** Not as a part of an identifier. */
const CODE_ALONE = new RegExp(`(?<![\\w-])${CODE}(?![\\w-])`);
const digitsOf = (text: string) => text.replace(/\D/g, "");

onEachDatabase("card data of the site's own form", (open) => {
  it("appears in no table, log or response", async () => {
    const lines: string[] = [];
    // Read before the log's last defence as well: there is to be nothing to mask.
    const written = createLog("debug", { write: (line) => void lines.push(line) });
    const both = (level: "info" | "warn" | "error") => (fields: object, message: string) => {
      lines.push(`${message} ${JSON.stringify(fields)} ${errorText(fields)}`);
      written[level](fields, message);
    };
    const log = { info: both("info"), warn: both("warn"), error: both("error") };
    const line = { unreachable: false, loseAnswers: false };
    const platform = await open({ log, sandbox: line });
    const answers: string[] = [];
    for (const { number } of cards) {
      const person = await newPerson(platform);
      const creditCard = { code: CODE };
      const answer = await payByCard(platform, person, { card: number, creditCard });
      answers.push(JSON.stringify([answer.body, [...answer.headers]]));
      const { redirect } = answer.body.payload ?? {};
      if (redirect) await post(platform, redirect, { intent: "confirm" });
    }
    const person = await newPerson(platform);
    const faulty = [
      { number: "4242424242424241", code: CODE },
      { month: "x", code: CODE },
      { code: `${CODE}9` },
    ];
    for (const creditCard of faulty) {
      answers.push(JSON.stringify((await payByCard(platform, person, { creditCard })).body));
    }
    line.loseAnswers = true;
    await payByCard(platform, person, { creditCard: { code: CODE } });
    platform.clock.advance(60_000);
    await platform.runDueJobs();
    const values = await everyValue(platform);
    expect(values.length).toBeGreaterThan(1000);
    expect(lines.length).toBeGreaterThan(0);
    const places = [...values, ...lines, ...answers];
    const numbers = [...cards.map(({ number }) => number), "4242424242424241"];
    const found = places.filter(
      (text) => numbers.some((number) => digitsOf(text).includes(number)) || CODE_ALONE.test(text),
    );
    expect(found).toEqual([]);
    expect(
      places.filter((text) => /"creditCard"|"(?:number|cvv)":|"code":"?\d{3,4}\b/.test(text)),
    ).toEqual([]);
  });
});

function errorText(fields: object): string {
  const error: unknown = "err" in fields ? fields.err : undefined;
  return error instanceof Error ? `${error.message} ${error.stack} ${String(error.cause)}` : "";
}
