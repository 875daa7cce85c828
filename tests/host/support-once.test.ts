import { expect, it } from "vitest";
import { onEachSite } from "../load/engines";
import { rush } from "../load/support-once";

/** The whole crowd comes by `npm run load -- support-once`. */
onEachSite("a few people who write while the site is killed", (variables) => {
  it("find each reply once, in order", async () => {
    const { figures, offenders, expected } = await rush({
      people: 12,
      kills: 1,
      variables: await variables(),
    });
    expect(offenders).toEqual([]);
    expect(figures).toMatchObject({ kills: 1, replies: expected });
  });
});
