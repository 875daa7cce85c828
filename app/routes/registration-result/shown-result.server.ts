import type { PaymentState } from "~/api/payment.server";

export type Shown =
  | { kind: "success" }
  | { kind: "none" }
  | { kind: "failure"; code?: string; reason: "declined" | "coded" | "generic" };

export const titles: Record<Shown["kind"], string> = {
  success: "success.title",
  none: "none.title",
  failure: "failure.title",
};

const DECLINED = "declined";
/** Nobody was refused anything: the page was left. */
const LEFT = ["cancelled", "expired"];

/** The address asks for a page; what is shown on it is what the API knows. */
export function shownResult(asked: "success" | "failure", state: PaymentState): Shown {
  if (state.kind === "success") return { kind: "success" };
  if (state.kind !== "failure") {
    return asked === "success" ? { kind: "none" } : { kind: "failure", reason: "generic" };
  }
  const { code } = state;
  if (!code || code === DECLINED) return { kind: "failure", reason: "declined" };
  return LEFT.includes(code)
    ? { kind: "failure", reason: "generic" }
    : { kind: "failure", reason: "coded", code };
}
