import { expect, it } from "vitest";
import { onEachSite } from "../load/engines";
import { rush } from "../load/payment-once";

/** The whole crowd comes by `npm run load -- payment-once`. */
onEachSite("a few who pay while the site is killed", (variables) => {
  it("are charged once each and have access", async () => {
    const visitors = 24;
    const { figures, offenders } = await rush({
      visitors,
      kills: 1,
      quick: true,
      variables: await variables(),
    });
    expect(offenders).toEqual([]);
    expect(figures).toMatchObject({ kills: 1, charges: visitors });
  });
});
