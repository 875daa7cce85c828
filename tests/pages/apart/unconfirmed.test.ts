import { expect, it } from "vitest";
import { closeEmbeddedPlatform, embeddedPlatform } from "../../../server/embedded";
import { confirmOrigin } from "../../../server/platform/mail/origins";
import { openPages, SITE } from "../../support/pages";
import { newEmail, registrationFields } from "../../support/people";
import { ticketFields } from "../threads";

// Without SITE_URL the host of the request is not trusted.
const { visitor } = openPages({ SITE_URL: "" });

const mailings = (email: string) =>
  [
    ["/reset-password", { email }],
    ["/contact/link", { email }],
    ["/contact/new-ticket", ticketFields({ email })],
    ["/cancel-contract", { name: "Ada Byron", email, intent: "notify" }],
    ["/withdrawal", { name: "Ada Byron", email, intent: "confirm" }],
  ] as const;

it("a page says why it mails no secret", async () => {
  const known = newEmail();
  expect((await visitor().post("/registration", registrationFields(known))).status).toBe(303);
  for (const email of [known, newEmail()]) {
    for (const [path, fields] of mailings(email)) {
      const { status, dom } = await visitor().post(path, { ...fields });
      expect([status, path]).toEqual([400, path]);
      expect(dom.querySelector("main")?.text).toContain("n’a pas confirmé cette adresse du site");
      expect(dom.querySelector("[name=email]")?.getAttribute("value")).toBe(email);
    }
  }
});

it("the page works once the owner confirmed the address", async () => {
  const platform = await embeddedPlatform();
  await confirmOrigin(platform.database, SITE, new Date());
  for (const [path, fields] of mailings(newEmail())) {
    expect([(await visitor().post(path, { ...fields })).status, path]).toEqual([303, path]);
  }
  await closeEmbeddedPlatform();
});
