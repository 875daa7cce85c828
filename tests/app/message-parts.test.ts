import fc from "fast-check";
import { expect, it } from "vitest";
import { MAX_LINKS, partsOf } from "~/support/parts.server";

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
  "a@b.fr ",
  "a@b ",
  "http://a.fr ",
  "\n",
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

const linksOf = (message: string) => partsOf(message).filter(({ href }) => href);

it("any message has twenty links at most", () => {
  fc.assert(
    fc.property(messages, (message) => {
      expect(linksOf(message).length).toBeLessThanOrEqual(MAX_LINKS);
    }),
    { numRuns: 200 },
  );
  expect(linksOf("a@b.fr ".repeat(1_428))).toHaveLength(MAX_LINKS);
});

it("few addresses are links wherever they stand", () => {
  const addresses = fc.array(
    fc.constantFrom("https://a.fr/b?c=(d)", "ada@exemple.fr", "http://exemple.fr:8080/#a"),
    { minLength: 1, maxLength: MAX_LINKS },
  );
  const between = fc.constantFrom(" ", "\n", ", ", " (", " : mot, ", "\u00a0", "\u202f! ");
  fc.assert(
    fc.property(addresses, between, (some, blank) => {
      expect(linksOf(some.join(blank)).map(({ text }) => text)).toEqual(some);
    }),
  );
});
