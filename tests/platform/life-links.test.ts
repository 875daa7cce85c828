import { expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { links } from "../../server/platform/mail/links";
import { siteAt } from "../support/site-names";

it("mails lead where the site's pages are", () => {
  const site = { ...siteAt("https://cap.example"), isTrusted: true } as const;
  const secret = "Zm9v_-";
  expect([
    links.account(site),
    links.subscription(site),
    links.registration(site),
    links.payment(site),
    links.undoCancellation(site, secret),
    links.confirmWithdrawal(site, secret),
    links.addressRelease(site, secret),
    links.passwordReset(site),
    links.passwordUpdate(site, secret),
  ]).toEqual(
    [
      paths.account(),
      paths.accountSubscription(),
      paths.registration(),
      paths.login(paths.registrationPayment()),
      serverPaths.undoCancellation(secret),
      serverPaths.confirmWithdrawal(secret),
      serverPaths.registrationRelease(secret),
      paths.resetPassword(),
      serverPaths.resetPasswordUpdate(secret),
    ].map((path) => `https://cap.example${path}`),
  );
});
