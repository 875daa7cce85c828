import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { addFormula, mailsTo, newestMail, openAt, passTo, subscriber } from "./life";

onEachDatabase("a renewal's announcement", (open) => {
  const announced = async (platform: TestPlatform, email: string) =>
    (await mailsTo(platform, email)).filter((line) => line.endsWith("renewal-notice"));

  it.each([
    [
      [3, "month"],
      ["2027-02-15T09", "2027-05-15T08", "2027-08-15T08", "2027-11-15T09"],
    ],
    [
      [90, "day"],
      ["2027-02-15T09", "2027-05-14T08", "2027-08-12T08", "2027-11-10T09"],
    ],
    [[1, "year"], ["2027-11-15T09"]],
  ] as const)("comes two months ahead for periods of %s", async (period, expected) => {
    const platform = await openAt(open, "2027-01-15T09:00:00.000Z");
    const formula = await addFormula(platform, [...period]);
    const { email } = await subscriber(platform, { formula });
    await passTo(platform, "2027-11-20T09:00:00.000Z");
    expect(await announced(platform, email)).toEqual(
      expected.map((hour) => `${hour}:00:00.000Z renewal-notice`),
    );
  });

  it.each([[[1, "month"]], [[2, "month"]], [[12, "week"]]] as const)(
    "is not written for periods of %s",
    async (period) => {
      const platform = await open();
      const formula = await addFormula(platform, [...period]);
      const { email } = await subscriber(platform, { formula });
      await passTo(platform, "2027-06-20T10:00:00.000Z");
      expect(await announced(platform, email)).toEqual([]);
    },
  );

  it("is not written once the renewal is stopped", async () => {
    const platform = await open();
    const formula = await addFormula(platform, [1, "year"]);
    const { email, token } = await subscriber(platform, { formula });
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await passTo(platform, "2027-11-19T10:00:00.000Z");
    expect(await announced(platform, email)).toEqual([]);
  });

  it("says when, how much and how to stop", async () => {
    const platform = await open();
    const formula = await addFormula(platform, [1, "year"]);
    const { email } = await subscriber(platform, { formula });
    await passTo(platform, "2027-09-20T09:00:00.000Z");
    const { text } = await newestMail(platform, email);
    expect(text).toMatch(/20\snov(embre|\.)\s2027/);
    expect(text).toMatch(/25,00/);
    expect(text).toContain("https://cap.example/account/subscription");
  });
});
