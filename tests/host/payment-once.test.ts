import { expect, it } from "vitest";
import { onEachSite } from "../load/engines";
import { rush } from "../load/payment-once";

const PATIENCE = { timeout: 150_000 };

/** `npm run load -- payment-once` is the same with more people. */
onEachSite("visitors who pay while the site is killed", (variables) => {
  it("are charged once each and have access", PATIENCE, async () => {
    const crowd = { visitors: 24, kills: 1, quick: true, variables: await variables() };
    const { figures, offenders } = await rush(crowd);
    expect(offenders).toEqual([]);
    expect(figures).toMatchObject({ kills: 1, charges: 24 });
  });
});
