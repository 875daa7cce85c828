import { identifierKey } from "../accounts/identifier";
import { lockActiveAccount } from "../database/account-lock";
import { okOrNotFound, ok } from "../http/answers";
import { requireOwner } from "../http/owner";
import type { Handlers, Principal } from "../http/types";
import { limit, limitAddress } from "../limits/limit";
import { NOTICES, NOTICES_OF_OWNER, NOTICE_PREVIEWS } from "../limits/rules";
import { subjectOf, widerNetworkOf } from "../../../app/contract/client-address";
import type { CancellationPreview } from "../../../app/contract/notices";
import { checkOrigin } from "../mail/site";
import { rehearse } from "../database/rehearsal";
import { inTransaction } from "../database/transaction";
import { receiveCancellation } from "./cancellation";
import { readOwnSubscription } from "./announced-changes";
import { countDebitsUntil } from "../subscriptions/contract-periods";
import { findSubscription } from "../database/subscription-row";
import { findContract, namesNoneOf } from "./contract";
import { enqueueProcessing, receiptOf, recordNotice, type Given } from "./receive";
import { findNotice, type Notice } from "./store";
import { concernsOrder } from "./undecided-order";
import { undoNotice, undoUnsignedNotices } from "./undo";
import { previewUndoing, previewUndoingUnsigned } from "./undo-preview";
import { confirmWithdrawal, receiveWithdrawal } from "./withdrawal";
import { applyReceived } from "./processing";
import { deleteSignedInAccount } from "../subscriptions/leaving";
import type { PaymentContext, SubscriptionContext } from "../subscriptions/context";

export function noticeHandlers(context: PaymentContext): Handlers {
  return {
    deleteUser: async ({ params, principal, origin }) => {
      requireOwner(params.uid, principal);
      await deleteSignedInAccount(context, principal, origin, (notice) =>
        applyReceived(context, notice),
      );
      return { status: 202 };
    },
    getSubscription: async ({ principal }) =>
      okOrNotFound(await readOwnSubscription(context, principal.uid)),
    notifyCancellation: async ({ body, ...call }) =>
      accepted(await receiveNotice(context, { ...body, kind: "cancellation" }, call)),
    previewCancellation: async ({ body, ...call }) =>
      okOrNotFound(await previewCancellation(context, { ...body, kind: "cancellation" }, call)),
    notifyWithdrawal: async ({ body, ...call }) =>
      accepted(await receiveNotice(context, { ...body, kind: "withdrawal" }, call)),
    previewUndoCancellation: async ({ body }) =>
      ok(await previewUndoing(context, "cancellation", body.token)),
    undoCancellation: async ({ body }) => ok(await undoNotice(context, "cancellation", body)),
    previewUndoWithdrawal: async ({ body }) =>
      ok(await previewUndoing(context, "withdrawal", body.token)),
    undoWithdrawal: async ({ body }) => ok(await undoNotice(context, "withdrawal", body)),
    previewUndoUnsignedNotices: async ({ principal }) =>
      ok(await previewUndoingUnsigned(context, principal)),
    undoUnsignedNotices: async ({ body, principal }) =>
      ok(await undoUnsignedNotices(context, principal, body)),
    confirmWithdrawal: async ({ body }) => ok(await confirmWithdrawal(context, body.token)),
  };
}

/** The sender of a notice, as far as known. */
type Sender = { principal: Principal | null; origin: string; clientAddress: string | null };

/** @throws Refusal 429; 400 when the site is called at an origin that is not trusted */
async function receiveNotice(context: SubscriptionContext, given: Given, sender: Sender) {
  const { clientAddress } = sender;
  return inTransaction(context, async (context) => {
    const principal = await lockPrincipal(context, sender);
    const owner = await findOwner(context, given, principal);
    if (!owner || given.kind === "cancellation") await checkOrigin(context, sender);
    await (owner
      ? limit(context.db, context.clock, NOTICES_OF_OWNER, owner.uid)
      : limitAddress(context.db, context.clock, NOTICES, clientAddress));
    const { notice, answered } = await recordSent(context, given, { ...sender, principal, owner });
    if (owner && !(await concernsOrder(context, notice))) {
      const applied = await applyNotice(context, notice, owner);
      // One that has an effect of its own, and its own mail, repeats nothing any more.
      const isRepeat = (await findNotice(context.db, notice.uid)).repeats_uid !== null;
      return receiptOf(context, applied, { awaitsConfirmation: false, isRepeat });
    }
    await enqueueProcessing(context, notice);
    const awaitsConfirmation = given.kind === "withdrawal" && !owner;
    const isRepeat = notice.repeats_uid !== null;
    return receiptOf(context, answered, { awaitsConfirmation, isRepeat });
  });
}

/**
 * The newest contract of the signed-in sender as their cancellation would leave it; null where it is about
 * none of theirs. It is found by cancelling, so that preview and effect cannot differ.
 * @throws Refusal 429; 400 when the site is called at an origin that is not trusted
 */
async function previewCancellation(
  context: SubscriptionContext,
  given: Given,
  sender: Sender & { principal: Principal },
): Promise<CancellationPreview | null> {
  await limit(context.db, context.clock, NOTICE_PREVIEWS, sender.principal.uid);
  return rehearse(context, async (context) => {
    const principal = await lockPrincipal(context, sender);
    const owner = await findOwner(context, given, principal);
    if (!owner) return null;
    await checkOrigin(context, sender);
    const { notice } = await recordSent(context, given, { ...sender, principal, owner });
    if (await concernsOrder(context, notice)) return null;
    const { uid } = await applyNotice(context, notice, owner);
    const { subscription_uid } = await findNotice(context.db, uid);
    const left = await readOwnSubscription(context, owner.uid);
    const contract = await findSubscription(context.db, subscription_uid ?? "");
    if (!left || !contract || left.reference !== contract.uid) return null;
    const end = left.plannedEndDateTime;
    const debitCount = end ? countDebitsUntil(new Date(end), contract, context.calendar) : 0;
    return { ...left, debitCount };
  });
}

/** Signed in or not, a sender counts with its network unless the contract is its own: anybody can add accounts. */
function recordSent(
  context: SubscriptionContext,
  given: Given,
  { principal, owner, origin, clientAddress }: Sender & { owner: Principal | null },
) {
  const keyOf = (sentBy: string) => context.subjects.of("notice", sentBy);
  const address = subjectOf(clientAddress);
  const senderKey = keyOf(principal ? `account ${principal.uid}` : `address ${address}`);
  const networkKey = owner ? null : keyOf(`network ${widerNetworkOf(address)}`);
  const sent = { ...given, senderKey, networkKey, origin };
  return recordNotice(context, { ...sent, isSignedIn: principal !== null });
}

/** Locks the sender's account; a sender whose account was just deleted counts as not signed in. */
async function lockPrincipal({ db }: SubscriptionContext, { principal }: Sender) {
  return principal && (await lockActiveAccount(db, principal.uid)) ? principal : null;
}

/**
 * Returns the signed-in sender when the named contract is theirs, whatever e-mail they type with its
 * reference. The e-mail alone does not prove it: a reference may name another person's contract, and
 * an e-mail may have changed its owner. Only contracts of the account and of its e-mail are looked up
 * here, so that the response time tells nothing about others.
 */
async function findOwner(context: SubscriptionContext, given: Given, principal: Principal | null) {
  const { kind, email, reference = null } = given;
  const email_key = identifierKey(email);
  if (!principal) return null;
  if (identifierKey(principal.identifier) !== email_key) {
    const named = reference && (await findSubscription(context.db, reference.trim()));
    const isNamed = named && (kind === "withdrawal" || !named.ended_at);
    return isNamed && named.account_uid === principal.uid ? principal : null;
  }
  if (await namesNoneOf(context, given, principal.uid)) return null;
  const received_at = context.clock.now().toISOString();
  const query = { kind, email_key, reference, received_at };
  // Before the contract of a deleted account with this e-mail: the order is the newer one.
  if (await concernsOrder(context, query)) return principal;
  const found = await findContract(context, query, principal.uid);
  return found?.subscription.account_uid === principal.uid ? principal : null;
}

/** Applies the owner's notice at once and returns the notice that is in effect. */
const applyNotice = (context: SubscriptionContext, notice: Notice, { uid }: Principal) =>
  notice.kind === "cancellation"
    ? receiveCancellation(context, notice, uid)
    : receiveWithdrawal(context, notice, uid);

const accepted = <T>(payload: T) => ({ status: 202 as const, body: { payload } });
