import { expect, it } from "vitest";
import * as rules from "../../server/platform/limits/rules";
import { scopesOf } from "../../server/platform/limits/limit";
import { onEachDatabase } from "../support/platform";
import { newAddress, PASSWORD, signIn } from "./funnel";
import { newMail, openAnswered, receive } from "./inbound";
import { subscriber } from "./life";
import { write } from "./threads";

/** Rules that count an account's uid, a contract's or the address of a connection: nobody types these. */
const COUNTS_NOTHING_TYPED = [
  rules.CARD_DECLINES,
  rules.CARD_DECLINES_OF_ACCOUNT,
  rules.PAYMENT_PAGES_OF_ACCOUNT,
  rules.PAYMENT_PAGES_OF_ADDRESS,
  rules.PAYMENT_READS_OF_ACCOUNT,
  rules.PAYMENT_READS_OF_ADDRESS,
  rules.PAYMENT_READS_OF_ALL,
  rules.PAYMENT_READS_OF_NETWORK,
  rules.WRONG_CURRENT_PASSWORDS,
  rules.PASSWORD_CHANGES,
  rules.NOTICES_OF_OWNER,
  rules.NOTICE_PREVIEWS,
  rules.METADATA_WRITES,
  rules.EXPORTS_OF_MINUTE,
  rules.EXPORTS,
  rules.CONSENTS,
];

onEachDatabase("what a limit counts", (open) => {
  it("is stored without any typed e-mail", async () => {
    const answered = await openAnswered(open);
    const { platform, contact } = answered;
    const headers = { "x-client-address": newAddress() };
    const post = (path: string, body: object) => platform.call(`POST ${path}`, { headers, body });
    const { email, uid, token } = await subscriber(platform);
    await platform.call(`POST /users/${uid}/email`, {
      token,
      headers,
      body: { email: "autre@exemple.fr", currentPassword: PASSWORD },
    });
    await signIn(platform, email);
    await signIn(platform, email, "au hasard");
    await signIn(platform, "inconnue@exemple.fr", "au hasard");
    await post("/reset-password/request", { identifier: email });
    await post("/support/contact/auth-token/refresh", { email: contact.email });
    await post("/cancellations", { name: "Ada", email: "inconnue@exemple.fr" });
    const { email: staying } = await subscriber(platform);
    await post("/cancellations", { name: "Ada", email: staying, date: "2027-03-01" });
    await post("/withdrawals", { name: "Ada", email });
    await platform.runDueJobs();
    await write(platform, contact, "Et la suite ?");
    await receive(platform, newMail("Merci !"));
    await receive(platform, newMail("Merci !", { From: "inconnue@exemple.fr" }));
    const events = await platform.database
      .selectFrom("limited_event")
      .select(["scope", "subject"])
      .execute();
    const counted = Object.values(rules).filter((rule) => !COUNTS_NOTHING_TYPED.includes(rule));
    const isLeft = (rule: rules.LimitRule) =>
      !events.some(({ scope }) => scopesOf(rule).includes(scope));
    expect(counted.filter(isLeft), "a new limit: let the test count an event of it").toEqual([]);
    expect(events.filter(({ subject }) => subject.includes("@"))).toEqual([]);
  });
});
