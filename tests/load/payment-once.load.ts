import { expect, it } from "vitest";
import { onEachSite } from "./engines";
import { rush } from "./payment-once";

onEachSite("a crowd that pays while the site is killed thrice", (variables) => {
  it("is charged once each and has access", async () => {
    const visitors = 200;
    const { figures, offenders } = await rush({ visitors, kills: 3, variables: await variables() });
    expect(offenders).toEqual([]);
    expect(figures).toMatchObject({ kills: 3, charges: visitors });
  });
});
