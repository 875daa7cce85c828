import { expect, it } from "vitest";
import { crash } from "./crash";
import { onEachSite } from "./engines";

onEachSite("a crowd at a site that breaks in every way", (variables) => {
  it("loses nothing that was acknowledged, and has nothing twice", async () => {
    const { lost, doubled, errors } = await crash(await variables());
    expect({ lost, doubled, errors }).toEqual({ lost: [], doubled: [], errors: [] });
  });
});
