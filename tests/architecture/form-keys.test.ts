import { expect, it } from "vitest";
import { read, sourcesBelow } from "./sources";

const RANDOM = /\brandom(?:UUID|Bytes|Int)\b|\bgetRandomValues\b|\bMath\.random\b/;

/** A page is made once for many: what is random there would be the same for all of them. */
it("nothing on a page is random but the key of its form", () => {
  const random = sourcesBelow("app").filter((path) => RANDOM.test(read(path)));
  expect(random).toEqual([
    "app/config/session-secret.server.ts",
    // Of `remix-utils`, of which no form uses it.
    "app/forms/crypto-js.server.ts",
    "app/session/form-key.server.ts",
  ]);
});
