import type { Site } from "./letters";
import type { TrustedSite } from "./site";

/**
 * URLs of the site's pages in mails; app/paths.ts is the table of the site itself. Links with
 * secrets need a trusted site.
 */
export const links = {
  account: ({ url }: Site) => `${url}/account`,
  terms: ({ url }: Pick<Site, "url">, digest: string) => `${url}/terms-of-service/${digest}`,
  withdrawal: ({ url }: Site) => `${url}/withdrawal`,
  cancellation: ({ url }: Site) => `${url}/cancel-contract`,
  contract: ({ url }: Site, reference: string) => `${url}/account/contract?reference=${reference}`,
  subscription: ({ url }: Site) => `${url}/account/subscription`,
  registration: ({ url }: Site) => `${url}/registration`,
  addressRelease: ({ url }: Site, token: string) => `${url}/registration/release?token=${token}`,
  contact: ({ url }: Site) => `${url}/contact`,
  /**
   * The link leads through the sign-in, because only an account has a due payment: without one the payment page
   * sells a partner's offer. People who are signed in are redirected at once.
   */
  payment: ({ url }: Site) => `${url}/login?returnTo=%2Fregistration%2Fpayment`,
  passwordReset: ({ url }: Site) => `${url}/reset-password`,
  passwordUpdate: ({ url }: TrustedSite, token: string) =>
    `${url}/reset-password/update?token=${token}`,
  emailChange: ({ url }: TrustedSite, token: string) =>
    `${url}/account/email/confirm?token=${token}`,
  undoCancellation: ({ url }: TrustedSite, token: string) =>
    `${url}/cancel-contract/undo?token=${token}`,
  confirmWithdrawal: ({ url }: TrustedSite, token: string) =>
    `${url}/withdrawal/confirm?token=${token}`,
};
