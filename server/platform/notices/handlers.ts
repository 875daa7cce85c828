import { identifierKey } from "../accounts/identifier";
import { found, ok } from "../http/answers";
import type { Handlers, Reader } from "../http/types";
import { limit } from "../limits/limit";
import { NOTICES, NOTICES_OF_OWNER } from "../limits/rules";
import { subjectOf } from "../../../app/contract/client-address";
import { checkOrigin } from "../mail/site";
import { inTransaction } from "../subscriptions/world";
import { cancel } from "./cancellation";
import { ownSubscription } from "./announced";
import { findContract } from "./contract";
import { processLater, receiptOf, record, type Given } from "./receive";
import type { Notice } from "./store";
import { undoNotice } from "./undo";
import { confirmWithdrawal, receiveWithdrawal } from "./withdrawal";
import type { Life, World } from "./world";

export function noticeHandlers(world: World): Handlers {
  return {
    getSubscription: async ({ reader }) => found(await ownSubscription(world, reader.uid)),
    notifyCancellation: async ({ body, ...call }) =>
      accepted(await notify(world, { ...body, kind: "cancellation" }, call)),
    notifyWithdrawal: async ({ body, ...call }) =>
      accepted(await notify(world, { ...body, kind: "withdrawal" }, call)),
    undoCancellation: async ({ body }) => ok(await undoNotice(world, "cancellation", body.token)),
    undoWithdrawal: async ({ body }) => ok(await undoNotice(world, "withdrawal", body.token)),
    confirmWithdrawal: async ({ body }) => ok(await confirmWithdrawal(world, body.token)),
  };
}

/** Who sends a notice, as far as it is known. */
type Sender = { reader: Reader | null; origin: string; clientAddress: string | null };

/** @throws Refusal 429; 400 at an address of the site that nobody vouches for */
async function notify(world: World, given: Given, sender: Sender) {
  const { reader, origin, clientAddress } = sender;
  return inTransaction(world, async (life) => {
    const owner = await ownerAmong(life, given, reader);
    if (!owner || given.kind === "cancellation") await checkOrigin(life, origin);
    await (owner
      ? limit(life.db, life.clock, NOTICES_OF_OWNER, owner.uid)
      : limit(life.db, life.clock, NOTICES, subjectOf(clientAddress)));
    const sentBy = reader ? `account ${reader.uid}` : `address ${subjectOf(clientAddress)}`;
    const senderKey = life.subjects.of("notice", sentBy);
    const { notice, answered } = await record(life, { ...given, origin, senderKey });
    if (owner) return receiptOf(await takeEffect(life, notice, owner), false);
    await processLater(life, notice);
    return receiptOf(answered, given.kind === "withdrawal");
  });
}

/**
 * Who is signed in, where the contract that is named is theirs. Their e-mail alone proves nothing: a
 * reference names anybody's contract, and an e-mail that became free may be somebody else's now. Of
 * other e-mails no contract is looked up while the sender waits.
 */
async function ownerAmong(life: Life, given: Given, reader: Reader | null) {
  const { kind, email, reference = null } = given;
  const email_key = identifierKey(email);
  if (!reader || identifierKey(reader.identifier) !== email_key) return null;
  const received_at = life.clock.now().toISOString();
  const contract = await findContract(life, { kind, email_key, reference, received_at });
  return contract?.account_uid === reader.uid ? reader : null;
}

/** The owner hides nothing from themselves: at once, with the receipt of the notice that holds. */
const takeEffect = (life: Life, notice: Notice, { uid }: Reader) =>
  notice.kind === "cancellation" ? cancel(life, notice, uid) : receiveWithdrawal(life, notice, uid);

const accepted = <T>(payload: T) => ({ status: 202 as const, body: { payload } });
