import { sql } from "kysely";
import type { z } from "zod/v4";
import type { contractProof, Offer, TermsAcceptance } from "../../../app/contract/subscriptions";
import { identifierKey } from "../accounts/identifier";
import type { Database, Tables } from "../database/tables";
import { orderText } from "../../../app/i18n/order-words.server";
import { withoutLimits } from "../mail/format";
import type { Letter } from "../mail/letters";
import { describeOffer } from "../offers/description";
import type { Clock } from "../ports/clock";
import { readCredit } from "./credit-prospects";
import { archivedEmail } from "../mail/contract-mail";
import { selectNewestFirst, type SubscriptionRow } from "../database/subscription-row";
import type { Payment } from "../money/payments";
import { contractOfNotice, selectNoticesAbout } from "./pending-notices";
import { findAcceptance } from "./terms-acceptance";
import { describeTerms } from "./terms-in-force";

/**
 * Stores the proof of a contract in the transaction that opens it: who ordered what, in which words and
 * under which terms. The row has no reference to the profile, because it is kept longer.
 */
export async function recordProof(
  db: Database,
  subscription: SubscriptionRow,
  payment: Payment,
  offer: Offer,
) {
  const account = await db
    .selectFrom("account")
    .select(["identifier", "terms_digest", "terms_accepted_at"])
    .where("uid", "=", subscription.account_uid)
    .executeTakeFirstOrThrow();
  const acceptance = await findAcceptance(db, payment);
  await db
    .insertInto("contract_proof")
    .values({
      subscription_uid: subscription.uid,
      email: account.identifier,
      name: payment.payer_name,
      ordered_at: subscription.started_at,
      terms_digest: payment.terms_digest,
      registered_at: account.terms_accepted_at,
      registered_terms: account.terms_digest,
      terms_accepted_at: acceptance?.dateTime ?? null,
      terms_accepted_by: acceptance?.by ?? null,
      terms_named: payment.terms_named,
      // The words are stored as they were shown, because a later release may change them.
      offer: offer.description ?? describeOffer(offer),
      conditions: offer.conditions ?? orderText(offer),
      button: payment.order_button,
    })
    .execute();
}

/**
 * The proof of a person's contract: of their newest one, or of that with the reference. Null for a contract
 * from before proofs were stored.
 */
export async function readOwnProof(
  { db, clock }: { db: Database; clock: Clock },
  accountUid: string,
  reference?: string,
): Promise<z.infer<typeof contractProof> | null> {
  const contracts = await selectNewestFirst(db, accountUid).selectAll().execute();
  const contract = contracts.find(({ uid }) => reference === undefined || uid === reference);
  const proof = contract && (await findProof(db, contract.uid));
  if (!proof) return null;
  const credit = await readCredit({ db, clock }, contract);
  return {
    reference: contract.uid,
    orderedDateTime: proof.ordered_at,
    terms: proof.terms_digest,
    ...describeAcceptance(proof),
    offer: proof.offer,
    conditions: proof.conditions,
    button: proof.button,
    confirmation: await findConfirmation(db, contract.uid),
    ...(credit && { credit }),
    others: await readOthers(db, contracts, contract),
    ...(await describeTerms(db, contract, clock.now())),
  };
}

/**
 * The mail that confirms a contract: the first one, or what repeated it to a corrected e-mail, as the first mailbox
 * may be a stranger's. One that arrived counts before one that waits, and that before one that was given up.
 */
async function findConfirmation(db: Database, contract: string) {
  const mails = await db
    .selectFrom("contract_mail")
    .select(["kind", "subject", "text", "export_text", "created_at", "sent_at", "given_up_at"])
    .where("subscription_uid", "=", contract)
    .where("kind", "in", ["welcome", "email-changed"] satisfies Letter["kind"][])
    .orderBy("created_at", "desc")
    .orderBy("uid", "desc")
    .execute();
  const first = mails.find(({ kind }) => kind === "welcome");
  // A correction repeats what had left the outbox by then; what waited goes to the new e-mail by itself.
  const left = first && (first.sent_at ?? first.given_up_at);
  const confirming = mails.filter(
    (mail) => mail === first || (left && mail.kind !== "welcome" && mail.created_at >= left),
  );
  const found =
    confirming.find(({ sent_at }) => sent_at !== null) ??
    confirming.find(({ given_up_at }) => given_up_at === null) ??
    confirming[0];
  if (!found) return null;
  return {
    subject: found.subject,
    text: withoutLimits(found.export_text ?? found.text),
    createdDateTime: found.created_at,
    sentDateTime: found.sent_at,
    givenUpDateTime: found.given_up_at,
  };
}

/** The proofs of a person's other contracts, newest first: each may still owe a credit. */
async function readOthers(db: Database, contracts: SubscriptionRow[], shown: SubscriptionRow) {
  if (contracts.length === 1) return [];
  const rows = await db
    .selectFrom("contract_proof")
    .select(["subscription_uid as reference", "ordered_at as orderedDateTime", "offer"])
    .where(
      "subscription_uid",
      "in",
      contracts.map(({ uid }) => uid),
    )
    .where("subscription_uid", "!=", shown.uid)
    .execute();
  return contracts.flatMap(({ uid }) => rows.find(({ reference }) => reference === uid) ?? []);
}

function describeAcceptance({
  terms_accepted_at: dateTime,
  terms_accepted_by: by,
  terms_named: named,
}: Tables["contract_proof"]): { termsAcceptance?: TermsAcceptance } {
  if (dateTime === null || by === null) return {};
  const namedWithOrder = named === null ? {} : { namedWithOrder: named === 1 };
  return { termsAcceptance: { by, dateTime, ...namedWithOrder } };
}

const findProof = (db: Database, subscriptionUid: string) =>
  db
    .selectFrom("contract_proof")
    .selectAll()
    .where("subscription_uid", "=", subscriptionUid)
    .executeTakeFirst();

/** The proofs and mails of all contracts of a person, for the export. */
export async function readProofs(db: Database, accountUid: string) {
  const contracts = await db
    .selectFrom("subscription")
    .select("uid")
    .where("account_uid", "=", accountUid)
    .execute();
  return readProofsOf(
    db,
    contracts.map(({ uid }) => uid),
  );
}

/**
 * What the archive holds of contracts, by their person's e-mail or by the reference of one of them: the
 * proof, the mails and the notices. The profile may be gone (consumer code, article L213-1).
 * @param options `isWhole`: with what others typed, which proves what was sent but is not for the person
 */
export async function readArchive(db: Database, wanted: string, { isWhole = false } = {}) {
  const references = await findArchived(db, wanted);
  const { contractProofs, contractMails } = await readProofsOf(db, references, { isWhole });
  const notices = await readNoticesOf(db, references);
  return { contractProofs, contractMails, notices };
}

/**
 * The e-mail is compared like an identifier; databases lower ASCII letters alone. Whoever reads a mailbox that was
 * corrected may be somebody else, and does not find the contract.
 */
async function findArchived(db: Database, wanted: string): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select subscription_uid as uid from contract_proof
      where subscription_uid = ${wanted} or ${archivedEmail} = ${wanted}
        or lower(${archivedEmail}) = ${identifierKey(wanted)}
    union select subscription_uid from contract_mail where subscription_uid = ${wanted}
    union select subscription_uid from contract_notice where subscription_uid = ${wanted}`.execute(
    db,
  );
  return rows.map(({ uid }) => uid);
}

async function readNoticesOf(db: Database, references: readonly string[]) {
  if (references.length === 0) return [];
  const rows = await db
    .selectFrom("contract_notice")
    .selectAll()
    .select(contractOfNotice.as("contract"))
    .where("uid", "in", selectNoticesAbout(db, references))
    .orderBy("received_at")
    .orderBy("uid")
    .execute();
  return rows.map((row) => ({
    reference: row.contract,
    receipt: row.uid,
    kind: row.kind,
    receivedDateTime: row.received_at,
    [row.kind === "withdrawal" ? "declaredDate" : "wishedDate"]: row.wished_date,
    undoneDateTime: row.undone_at,
    confirmedDateTime: row.confirmed_at,
    settledDateTime: row.settled_at,
  }));
}

async function readProofsOf(db: Database, contracts: readonly string[], { isWhole = false } = {}) {
  if (contracts.length === 0) return { contractProofs: [], contractMails: [] };
  const proofs = await db
    .selectFrom("contract_proof")
    .selectAll()
    .where("subscription_uid", "in", contracts)
    .orderBy("ordered_at")
    .execute();
  const mails = await db
    .selectFrom("contract_mail")
    .selectAll()
    .where("subscription_uid", "in", contracts)
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  return {
    contractProofs: proofs.map((row) => ({
      reference: row.subscription_uid,
      email: row.email,
      correctedEmail: row.corrected_email,
      name: row.name,
      orderedDateTime: row.ordered_at,
      terms: row.terms_digest,
      ...describeAcceptance(row),
      registeredDateTime: row.registered_at,
      registeredTerms: row.registered_terms,
      offer: row.offer,
      conditions: row.conditions,
      button: row.button,
    })),
    contractMails: mails.map((row) => ({
      reference: row.subscription_uid,
      kind: row.kind,
      createdDateTime: row.created_at,
      sentDateTime: row.sent_at,
      givenUpDateTime: row.given_up_at,
      subject: row.subject,
      text: withoutLimits(isWhole ? row.text : (row.export_text ?? row.text)),
    })),
  };
}
