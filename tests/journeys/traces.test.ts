import { afterAll, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { startCollector } from "../support/collector";
import { linkIn, waitForMail } from "../support/mailed";
import { CARDS, PASSWORD } from "../support/people";
import { openJourneys } from "./journeys";
import { fillOrder, ORDER, press, reachBank, signIn } from "./steps";

const collector = await startCollector();
afterAll(() => collector.close());

const { site, reader } = openJourneys({
  env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_BSP_SCHEDULE_DELAY: "100" },
});

/** The texts as they are, and as an address or JSON holds them. */
const spelt = (text: string) => [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)];

it("what a collector gets of a visitor's journey names nobody and holds no secret", async () => {
  const page = await reader({ javaScriptEnabled: false });
  const email = await reachBank(page);
  await page.goto(paths.registrationPayment());
  await fillOrder(page, CARDS.success);
  await press(page, ORDER);
  await page.waitForURL(serverPaths.registrationResult("success"));
  await page.goto(`${paths.articles()}?q=lovelace`);

  await page.goto(paths.resetPassword());
  await page.locator("[name=email]").fill(email);
  await press(page, "Recevoir le lien");
  const mail = await waitForMail(site(), email, "nouveau mot de passe");
  const link = linkIn(mail, serverPaths.resetPasswordUpdate());
  await page.goto(link);
  await page.context().clearCookies();
  await page.goto(paths.login());
  await signIn(page, email);
  await page.waitForURL(paths.account());

  const [secret = ""] = new URL(link, site().origin).searchParams.values();
  expect(secret.length).toBeGreaterThan(10);
  const cookies = (await page.context().cookies()).map(({ value }) => value);
  expect(cookies.length).toBeGreaterThan(0);
  const card = CARDS.success.replaceAll(" ", "");
  const name = email.split("@")[0] ?? "";
  await site().stop();

  const names = collector.spans().map((span) => span.name);
  expect(names).toEqual(
    expect.arrayContaining([
      "POST /registration/payment",
      "POST /login",
      "GET /reset-password/update",
      "job mail.send",
    ]),
  );
  const text = collector.text();
  const kept = [email, name, secret, PASSWORD, ...cookies, CARDS.success, card];
  const told = [...kept, "lovelace", "d’Arc-Martin", "Martin", "127.0.0.1", "Chrome"].flatMap(
    spelt,
  );
  expect(told.filter((one) => text.includes(one))).toEqual([]);
});
