import ts from "typescript";
import { expect, it } from "vitest";
import { parse, sourcesBelow } from "./sources";

/** What writes a row of money without a line: why it moves none, or who logs it. */
const ELSEWHERE: Record<string, string> = {
  "accounts/change-contract-email.ts changeFormer": "no state",
  "accounts/deletion.ts eraseAffiliations": "no state",
  "accounts/deletion.ts eraseCards": "no state",
  "accounts/deletion.ts keepPayers": "no state",
  "subscriptions/credit-payment.ts markCreditPaid":
    "a command: the job that tells its person logs it",
  "subscriptions/credit-payment.ts reviewPaidCredit": "whether it is owed, not that it is paid",
  "subscriptions/credits.ts awaitCreditAgain": "whether it is owed, not that it is paid",
  "subscriptions/credits.ts correctReason": "whether it is owed, not that it is paid",
  "subscriptions/credits.ts recordCredit": "whether it is owed, not that it is paid",
  "subscriptions/credits.ts resetCreditDelay": "whether it is owed, not that it is paid",
  "subscriptions/credits.ts reviewVoidCredit": "whether it is owed, not that it is paid",
  "subscriptions/credits.ts scheduleDue": "whether it is owed, not that it is paid",
  "subscriptions/credits.ts settleCredit": "whether it is owed, not that it is paid",
  "subscriptions/credits.ts voidCredit": "whether it is owed, not that it is paid",
  "subscriptions/paid-period.ts recordPeriod": "no state",
  "subscriptions/paid-period.ts updatePeriodStart": "no state",
  "money/payer-email.ts forgetPaidBack": "no state",
  "money/payments.ts insertPayment": "no money moves before it is settled",
  "money/payments.ts updateUnsettledPayment": "settlePayment logs what it settles with it",
  "money/receipt-seller.ts fillSellers": "no state",
  "money/refunds.ts beginOrderedRefund": "an order: the job that makes it logs it",
  "subscriptions/removed-card.ts noteAtUndecided": "no state",
  "subscriptions/renewal.ts insertRenewal": "no money moves before it is settled",
  "subscriptions/repaid.ts settle": "a command: the job that tells its person logs it",
  "subscriptions/settlement.ts clearCardOfErased": "no state",
  "subscriptions/unannounced.ts recordUnannounced": "no state",
};

const WRITE = /\b(?:insertInto|updateTable)\(\s*"(?:payment|refund|payment_claim|credit)"\s*\)/;

it("each change of a state of money is logged", () => {
  const silent = sourcesBelow("server/platform")
    .filter((file) => !/\/(?:migrations|backup|payments\/sandbox)\//.test(file))
    .flatMap((file) =>
      parse(file).statements.flatMap((statement) => {
        const text = statement.getText();
        if (!WRITE.test(text) || /\blogMovement\(|\blogCharge\(/.test(text)) return [];
        const name = ts.isFunctionDeclaration(statement)
          ? statement.name?.text
          : /const (\w+)/.exec(text)?.[1];
        return [`${file.replace("server/platform/", "")} ${name}`];
      }),
    );
  expect(silent.sort()).toEqual(Object.keys(ELSEWHERE).sort());
});
