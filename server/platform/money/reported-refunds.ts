import { counts } from "../../counts";
import type { Context } from "../database/context";
import { afterCommit } from "../database/transaction";
import { newUid } from "../ports/ids";
import type { Reversals } from "../ports/payment-gateway";
import type { ProviderContext } from "./context";
import { logMovement } from "./money-log";
import type { Refund } from "./owed-refunds";
import type { Payment } from "./payments";
import { mailRefund } from "./refund-letters";
import { recordFailure, recordSuccess, reopenRefund, scheduleRefundChecks } from "./refunds";

/** Records the refunds that the provider reports: our own that have ended, and those that were made by hand there. */
export async function recordReportedRefunds(
  context: ProviderContext,
  payment: Payment,
  known: Refund[],
  { refunds }: Reversals,
) {
  for (const reported of refunds) {
    const own = known.find(({ uid }) => uid === reported.refundUid);
    if (!own) await recordManualRefund(context, payment, known, reported);
    else if (own.attempt !== reported.attempt) continue;
    else if (own.repaid_by !== null) reportRepaid(context, own, reported);
    else if (reported.status === "success" && isAwaited(own)) {
      await recordSuccess(context, payment, { ...own, amount: reported.amount });
    } else if (reported.status === "failure" && own.status !== "failure") {
      // A bank may return a successful refund days later.
      await recordFailure(context, own);
    }
  }
}

/** A refund that was given up while undecided may still be made. */
const isAwaited = ({ status }: Refund) => status === "pending" || status === "undecided";

/** A refund that was repaid by another way stays repaid, whatever the provider says of it. */
function reportRepaid(
  { log }: Pick<Context, "log">,
  { uid, payment_uid, amount }: Refund,
  { status }: Pick<Reversals["refunds"][number], "status">,
) {
  if (status !== "success") return;
  const fields = { payment: payment_uid, refund: uid, amount };
  log.error(fields, "refund was made after it was paid by another way: the person has it twice");
}

/** Records a refund made by hand at the provider and mails the person. */
async function recordManualRefund(
  context: ProviderContext,
  payment: Payment,
  known: Refund[],
  { reference, amount, status }: Reversals["refunds"][number],
) {
  const earlier = known.find((refund) => refund.reference === reference);
  if (earlier && (earlier.status === status || earlier.repaid_by !== null)) return;
  const date = context.clock.now().toISOString();
  const settled_at = status === "pending" ? null : date;
  const made = { payment_uid: payment.uid, reference, amount, made_by: "provider" as const };
  const recorded = await context.db
    .insertInto("refund")
    .values({ uid: newUid(), ...made, status, created_at: date, settled_at })
    .onConflict((conflict) =>
      conflict
        .column("reference")
        .where("reference", "is not", null)
        .doUpdateSet({ status, settled_at }),
    )
    .returning(["uid", "attempt"])
    .executeTakeFirstOrThrow();
  const moved = { uid: payment.uid, refund: recorded.uid, amount, outcome: status };
  logMovement(context, { movement: "refund", ...moved });
  if (status !== "pending") {
    afterCommit(context.db, () => counts.refunds.add({ outcome: status }));
  }
  const fields = { payment: payment.uid, reference, amount, status };
  // The person may still be owed the money, by another way.
  if (status === "failure") context.log.warn(fields, "a refund was sent back by the bank");
  else context.log.info(fields, "refund made at the provider");
  if (status === "success") {
    await scheduleRefundChecks(context, recorded);
    await mailRefund(context, payment, reference, { amount, date });
  }
  if (status === "failure") await reopenRefund(context, payment);
}
