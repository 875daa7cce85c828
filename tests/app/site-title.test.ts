import { afterAll, expect, it, vi } from "vitest";
import forms from "~/locales/fr/forms.json";

vi.stubEnv("SITE_TITLE", "Étoile du Nord");
afterAll(() => vi.unstubAllEnvs());

const { encodeCatalogues, translate } = await import("~/i18n/i18n.server");

it("stands in the texts of the server", () => {
  expect(translate("coaching", "consent.label")).toContain("J’accepte que Étoile du Nord traite");
});

it("stands in no text that comes as a file", () => {
  expect(JSON.stringify(forms)).not.toMatch(/siteTitle|Cap Céleste/);
});

it("stands in the texts that the browser gets", () => {
  const texts = encodeCatalogues(["coaching", "login"]);
  expect(texts).toContain("J’accepte que Étoile du Nord traite");
  expect(texts).not.toMatch(/siteTitle|Cap Céleste/);
});
