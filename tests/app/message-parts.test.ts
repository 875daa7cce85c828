import fc from "fast-check";
import { expect, it } from "vitest";
import { partsOf } from "~/support/parts.server";

/** Characters that link finders treat specially. */
const units = fc.constantFrom(
  "http://",
  "https://a.fr/",
  "www.",
  "mailto:",
  "//",
  "a@",
  "@",
  "a.",
  ".",
  "a.com.",
  "xn--a.",
  "http://a:b@",
  "http://a.fr/'[{(",
  "http://[",
  "***",
  "---",
  "_",
  "a",
  "e\u0301",
  "\u0301",
  "😀",
);
const messages = fc
  .tuple(
    fc.constantFrom("", "http://", "a@", "mailto:a@"),
    fc.array(units, { minLength: 1, maxLength: 3 }),
  )
  .map(([start, some]) => (start + some.join("").repeat(10_000)).slice(0, 10_000));

it("any message keeps all its characters", () => {
  fc.assert(
    fc.property(messages, (message) => {
      const parts = partsOf(message);
      expect(parts.map(({ text }) => text).join("")).toBe(message);
      for (const { href } of parts) expect(href ?? "http:").toMatch(/^(?:https?:|mailto:)/);
    }),
    { numRuns: 200 },
  );
});
