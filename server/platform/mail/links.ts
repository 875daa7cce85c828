import type { Site } from "./letters";

/** Pages of the site that mails lead to; the site's own table is app/paths.ts. */
export const links = {
  account: ({ url }: Site) => `${url}/account`,
  subscription: ({ url }: Site) => `${url}/account/subscription`,
  registration: ({ url }: Site) => `${url}/registration`,
  contact: ({ url }: Site) => `${url}/contact`,
  payment: ({ url }: Site) => `${url}/registration/payment`,
  passwordReset: ({ url }: Site) => `${url}/reset-password`,
  passwordUpdate: ({ url }: Site, token: string) => `${url}/reset-password/update?token=${token}`,
  undoCancellation: ({ url }: Site, token: string) => `${url}/cancel-contract/undo?token=${token}`,
  confirmWithdrawal: ({ url }: Site, token: string) => `${url}/withdrawal/confirm?token=${token}`,
};
