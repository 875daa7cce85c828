import fc from "fast-check";
import { expect, it } from "vitest";
import { remembered } from "../../server/remembered";

it("a remembered function gives what the function gives", () => {
  const texts = fc.array(fc.oneof(fc.string(), fc.constantFrom("", "__proto__", "constructor")));
  fc.assert(
    fc.property(texts, (given) => {
      const upper = remembered((text) => text.toUpperCase());
      for (const text of [...given, ...given]) expect(upper(text)).toBe(text.toUpperCase());
    }),
  );
});

it("a text is computed once, a long one each time", () => {
  const computed: string[] = [];
  const size = remembered((text) => computed.push(text) && text.length);
  const long = "x".repeat(257);
  for (const text of ["a", "a", long, long]) size(text);
  expect(computed).toEqual(["a", long, long]);
});

it("no more than 500 texts are remembered", () => {
  const computed: string[] = [];
  const size = remembered((text) => computed.push(text) && text.length);
  for (let n = 0; n < 501; n++) size(String(n));
  computed.length = 0;
  size("500");
  size("0");
  expect(computed).toEqual(["0"]);
});
