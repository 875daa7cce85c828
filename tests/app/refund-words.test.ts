import { describe, expect, it } from "vitest";
import { isWithdrawn } from "../../app/api/contract-payments.server";
import { subscription, type ListedPayment } from "../../app/contract/subscriptions";
import { refundMadeWords } from "../../app/i18n/refund-words.server";

const ENDED = {
  amount: 990,
  trialAmount: null,
  credits: null,
  startedDateTime: "2026-10-01T08:00:00.000Z",
  expirationDateTime: "2026-11-01T08:00:00.000Z",
  cancelledDateTime: "2026-10-03T08:00:00.000Z",
  endedDateTime: "2026-11-01T08:00:00.000Z",
};

const PAYMENT: ListedPayment = {
  uid: "payment",
  receipt: "0000-0000-0001",
  date: "2026-10-01T08:00:00.000Z",
  amount: 990,
  kind: "first",
  state: "paid",
  refunds: [],
};

describe("the refund of a withdrawal", () => {
  it("is told only of a contract whose API says that it was withdrawn from", () => {
    const withdrawnDateTime = "2026-10-03T08:00:00.000Z";
    expect(isWithdrawn(subscription.parse(ENDED))).toBe(false);
    expect(isWithdrawn(subscription.parse({ ...ENDED, withdrawnDateTime }))).toBe(true);
  });

  it("that was given up is told as owed", () => {
    expect(refundMadeWords([PAYMENT])).toMatch(/^9,90\s€ ne vous ont pas encore été rendus/);
  });

  it("is promised for no day while a bank decides on a disputed payment", () => {
    const refunds = [{ amount: 990, date: "2026-10-03T08:00:00.000Z", isPending: true as const }];
    const words = refundMadeWords([{ ...PAYMENT, state: "disputed", refunds }]);
    expect(words).toContain("contesté auprès de la banque");
    expect(words).not.toContain("quelques jours");
  });
});
