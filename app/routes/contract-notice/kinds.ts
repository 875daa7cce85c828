import { paths } from "~/paths";

/**
 * Cancellation and withdrawal share one flow: form, recap, receipt. These data are the differences.
 */
export const kinds = {
  cancellation: {
    namespace: "cancellation",
    path: paths.cancelContract(),
    /** Each receipt has an address of its own, which a reload finds again. */
    receiptPath: (sent: string) => paths.cancelContract({ sent }),
    intent: "notify",
    call: "notifyCancellation",
    fields: ["name", "email", "reference", "date"],
  },
  withdrawal: {
    namespace: "withdrawal",
    path: paths.withdrawal(),
    receiptPath: (sent: string) => paths.withdrawal({ sent }),
    intent: "confirm",
    call: "notifyWithdrawal",
    fields: ["name", "email", "reference"],
  },
} as const;

export type KindName = keyof typeof kinds;

export const kindNameOf = (path: string): KindName =>
  path === paths.withdrawal() ? "withdrawal" : "cancellation";
