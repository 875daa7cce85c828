import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import words from "../../app/locales/fr/preferences.json";
import { CONSENT_VERSION } from "~/session/preferences.server";

/** Digest of the words to which each version of the banner asks for consent. */
const VERSIONS: Record<number, string> = { 1: "e04a46553855", 2: "34fc816c76f8" };

it("other words of the banner have another version, so that everybody is asked again", () => {
  const { banner, accept, refuse } = words;
  const asked = JSON.stringify([banner.text, accept, refuse]);
  const digest = createHash("sha256").update(asked).digest("hex").slice(0, 12);
  expect(VERSIONS[CONSENT_VERSION]).toBe(digest);
  expect(Math.max(...Object.keys(VERSIONS).map(Number))).toBe(CONSENT_VERSION);
});
