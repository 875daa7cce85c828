import { expect, it } from "vitest";
import { onEachSite } from "./engines";
import { rush } from "./support-once";

onEachSite("a hundred people who write while the site is killed twice", (variables) => {
  it("find each reply once, in order", async () => {
    const { figures, offenders, expected } = await rush({
      people: 100,
      kills: 2,
      variables: await variables(),
    });
    expect(offenders).toEqual([]);
    expect(figures).toMatchObject({ kills: 2, replies: expected });
  });
});
