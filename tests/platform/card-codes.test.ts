import { expect, it } from "vitest";
import { BANK_CODES } from "~/contract/bank-codes";
import cards from "../../server/platform/payments/sandbox/cards.json";
import { onEachDatabase } from "../support/platform";
import { payByCard, payments, subscriptions } from "./card-form";
import { lastPayment, movements, newPerson } from "./funnel";

const coded = cards.filter((card) => card.code);

it("each code has a card in the sandbox bank", () => {
  expect(coded.map(({ code }) => code).sort()).toEqual(Object.keys(BANK_CODES).sort());
});

onEachDatabase("a provider's code", (open) => {
  it("is returned when its card is refused", async () => {
    const platform = await open();
    for (const { number, code } of coded) {
      // An account is refused after twenty cards.
      const person = await newPerson(platform);
      const { status, body } = await payByCard(platform, person, { card: number });
      expect([status, body]).toEqual([
        400,
        { payload: { status: "Failure", error: { message: "Refused by the provider", code } } },
      ]);
      expect(await lastPayment(platform, person)).toMatchObject({ error: { code } });
    }
    expect(await payments(platform)).toHaveLength(coded.length);
    expect((await movements(platform)).every(({ status }) => status === "declined")).toBe(true);
    expect(await subscriptions(platform)).toEqual([]);
  });
});
