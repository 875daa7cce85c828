import { isLeft, type PaymentState } from "~/api/payment.server";
import { fieldOfCode } from "~/forms/card-codes";
import { wordsOf } from "~/forms/read.server";

export type Shown =
  | { kind: "success" }
  | { kind: "none" }
  | { kind: "unread" }
  | { kind: "left" }
  | { kind: "failure"; code?: string; reason: "declined" | "coded" }
  /** What to correct on the card, in words. */
  | { kind: "failure"; reason: "field"; fault: string };

export const titles = {
  success: "success.title",
  none: "none.title",
  unread: "unread.title",
  left: "left.title",
  failure: "failure.title",
} as const satisfies Record<Shown["kind"], string>;

const DECLINED = "declined";
/** The address asks for a page; what is shown on it is what the API knows. */
export function shownResult(asked: "success" | "failure", state: PaymentState): Shown {
  if (state.kind === "success") return { kind: "success" };
  if (state.kind === "unpaid") return { kind: asked === "success" ? "none" : "left" };
  if (state.kind === "failed") return { kind: "unread" };
  if (state.kind !== "failure") return { kind: "none" };
  const { code } = state;
  if (!code || code === DECLINED) return { kind: "failure", reason: "declined" };
  const field = fieldOfCode(code);
  if (field) return { kind: "failure", reason: "field", fault: wordsOf([field], "bank") };
  return isLeft(code) ? { kind: "left" } : { kind: "failure", reason: "coded", code };
}
