import { isLeft, type PaymentState } from "~/api/payment.server";
import { fieldOfCode } from "~/forms/card-codes";
import { faultText } from "~/forms/read.server";

export type ShownResult =
  | { kind: "success" }
  /** The opening of a free trial: nothing was paid. */
  | { kind: "free" }
  | { kind: "none" }
  | { kind: "unread" }
  | { kind: "left" }
  | { kind: "late" }
  | { kind: "failure"; code?: string; reason: "declined" | "coded" }
  /** The text says which part of the card to correct. */
  | { kind: "failure"; reason: "field"; fault: string };

export const titleKeys = {
  success: "success.title",
  free: "success.free.title",
  none: "none.title",
  unread: "unread.title",
  left: "left.title",
  late: "late.title",
  failure: "failure.title",
} as const satisfies Record<ShownResult["kind"], string>;

const DECLINED = "declined";
/** The result that is shown. It depends on the API's state of the payment, not on the URL. */
export function toShownResult(asked: "success" | "failure", state: PaymentState): ShownResult {
  if (state.kind === "success") return { kind: state.isFree ? "free" : "success" };
  if (state.kind === "unpaid") return { kind: asked === "success" ? "none" : "left" };
  if (state.kind === "failed") return { kind: "unread" };
  if (state.kind === "late") return { kind: "late" };
  if (state.kind !== "failure") return { kind: "none" };
  const { code } = state;
  if (!code || code === DECLINED) return { kind: "failure", reason: "declined" };
  const field = fieldOfCode(code);
  if (field) return { kind: "failure", reason: "field", fault: faultText([field], "bank") };
  return isLeft(code) ? { kind: "left" } : { kind: "failure", reason: "coded", code };
}
