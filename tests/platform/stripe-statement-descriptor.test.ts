import fc from "fast-check";
import { expect, it } from "vitest";
import { descriptorSuffixOf } from "../../server/platform/payments/stripe/statement-descriptor";

it.each([
  ["Cap Céleste", "CAPCELESTE"],
  ["L'Astre <d'or>*", "LASTRE DOR"],
  ["Étoile", "ETOILE"],
  ["Maison Une Deux Trois", "MAISONUNED"],
])("the statement of %s reads %s", (name, suffix) => {
  expect(descriptorSuffixOf(name)).toEqual({ statement_descriptor_suffix: suffix });
});

it.each(["", "星座", "24 / 7", "***"])("a name without Latin letters (%s) adds nothing", (name) => {
  expect(descriptorSuffixOf(name)).toEqual({});
});

it("any name follows the rules of card statements", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (name) => {
      const { statement_descriptor_suffix: suffix } = descriptorSuffixOf(name);
      if (suffix === undefined) return;
      expect(suffix).toMatch(/^[A-Z0-9 .-]{1,10}$/);
      expect(suffix).toMatch(/[A-Z]/);
      expect(suffix).toBe(suffix.trim());
    }),
  );
});
