import { expect, it } from "vitest";
import { startSite } from "../support/site";

const WARNING = "SITE_URL is not set";

it.each([
  [{ MAIL_URL: "smtp://127.0.0.1:9" }, true],
  [{ MAIL_URL: "smtp://127.0.0.1:9", SITE_URL: "https://cap.example" }, false],
  [{}, false],
])("a start with %j warns that links lead nowhere: %s", async (variables, warns) => {
  const site = await startSite(variables);
  const lines = site.output().split("\n");
  await site.remove();
  expect(lines.filter((line) => line.includes(WARNING))).toHaveLength(warns ? 1 : 0);
});
