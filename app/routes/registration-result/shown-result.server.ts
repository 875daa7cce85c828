import type { LastPaymentState } from "~/api/payment.server";
import { fieldOfCode } from "~/forms/card-codes";
import { faultText } from "~/forms/read.server";
import { failedPaymentText, isUnrefused } from "~/i18n/failed-payment.server";
import { translate } from "~/i18n/i18n.server";

export type ShownResult =
  | { kind: "success" }
  /** The opening of a free trial: nothing was paid. */
  | { kind: "free" }
  | { kind: "none" }
  | { kind: "unread" }
  /** Nothing was refused, or it was paid too late: the text says which. */
  | { kind: "left" | "late"; text: string }
  /** The text says which part of the card to correct, where one helps. */
  | { kind: "failure"; text: string };

export const titleKeys = {
  success: "success.title",
  free: "success.free.title",
  none: "none.title",
  unread: "unread.title",
  left: "left.title",
  late: "late.title",
  failure: "failure.title",
} as const satisfies Record<ShownResult["kind"], string>;

/** The result that is shown. It depends on the API's state of the payment, not on the URL. */
export function toShownResult(asked: "success" | "failure", state: LastPaymentState): ShownResult {
  if (state.kind === "success") return { kind: state.isFree ? "free" : "success" };
  if (state.kind === "unpaid")
    return asked === "success"
      ? { kind: "none" }
      : { kind: "left", text: failedPaymentText("cancelled") };
  if (state.kind === "failed") return { kind: "unread" };
  if (state.kind === "late") return { kind: "late", text: failedPaymentText("late") };
  if (state.kind !== "failure") return { kind: "none" };
  const { code } = state;
  const field = code ? fieldOfCode(code) : null;
  const text = field
    ? translate("payment", "failure.field", { fault: faultText([field], "bank") })
    : failedPaymentText(code);
  return { kind: isUnrefused(code) ? "left" : "failure", text };
}
