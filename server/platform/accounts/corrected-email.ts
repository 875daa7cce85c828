import type { Context } from "../database/context";
import type { Database } from "../database/tables";
import type { EarlierMail, Letter } from "../mail/letters";
import { links } from "../mail/links";
import { sendMail } from "../mail/outbox";
import { findSite } from "../mail/site";
import { newUid } from "../ports/ids";
import { selectNewestFirst, type SubscriptionRow } from "../database/subscription-row";
import { voidLinks } from "../subscriptions/notice-links";

/** Why an e-mail cannot be changed just now. */
export const PENDING = "A declaration of that person is being processed: try again in a minute";

export type EmailContext = Omit<Context, "log">;

/**
 * What is written again of a contract, null without one. `exported`: the same without what somebody else typed, for
 * the copy that its person may export; null where nobody typed anything.
 */
type Repeated = {
  contract: string;
  earlier: EarlierMail[];
  exported: EarlierMail[] | null;
} | null;

/**
 * Lets what follows from an account's contracts go to a corrected e-mail, with new links for declarations that can
 * be undone.
 * @returns what the earlier mailbox was written, to be written again
 */
export async function correctContracts(
  within: EmailContext,
  accountUid: string,
  to: string,
): Promise<Repeated> {
  const { db } = within;
  await correctProofs(db, accountUid, to);
  await moveContractMails(db, accountUid, to);
  const voided = await voidLinks(within, accountUid);
  const newest = await selectNewestFirst(db, accountUid).selectAll().executeTakeFirst();
  return newest ? findWritten(db, newest, voided) : null;
}

const selectContracts = (db: Database, accountUid: string) =>
  db.selectFrom("subscription").select("uid").where("account_uid", "=", accountUid);

/** A contract outlives the profile: what follows from it is for the person, too. */
async function correctProofs(db: Database, accountUid: string, email: string) {
  await db
    .updateTable("contract_proof")
    .set({ corrected_email: email })
    .where("subscription_uid", "in", selectContracts(db, accountUid))
    .execute();
}

/** Mails about the contract that did not go out yet are for the person, not for the mailbox. */
async function moveContractMails(db: Database, accountUid: string, recipient: string) {
  const own = db
    .selectFrom("contract_mail")
    .select("uid")
    .where("subscription_uid", "in", selectContracts(db, accountUid));
  await db
    .updateTable("mail")
    .set({ recipient })
    .where("uid", "in", own)
    .where("sent_at", "is", null)
    .where("given_up_at", "is", null)
    .execute();
}

/**
 * What was written to the mailbox of what matters: the confirmation of the contract, and all since its period
 * began. A mailbox that does not exist has got none of it. An earlier correction only repeats the others.
 * @param replaced keys of mails that are written anew, with links that work
 */
async function findWritten(
  db: Database,
  contract: SubscriptionRow,
  replaced: readonly string[],
): Promise<Repeated> {
  // The second condition finds those that an earlier correction replaced and set aside.
  const anew = db
    .selectFrom("mail")
    .select("uid")
    .where((e) =>
      e.or(replaced.flatMap((key) => [e("key", "=", key), e("key", "like", `${key}:%`)])),
    );
  const since = contract.period_start ?? contract.started_at;
  const written = await db
    .selectFrom("contract_mail")
    .select(["subject", "text", "export_text", "sent_at as sentAt"])
    .where("subscription_uid", "=", contract.uid)
    .where("kind", "!=", "email-changed" satisfies Letter["kind"])
    .where((e) => e.or([e("sent_at", "is not", null), e("given_up_at", "is not", null)]))
    .where((e) => e.or([e("kind", "=", "welcome"), e("created_at", ">=", since)]))
    .$if(replaced.length > 0, (written) => written.where("uid", "not in", anew))
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  const isTyped = written.some(({ export_text }) => export_text !== null);
  const exported = written.map(({ subject, text, export_text, sentAt }) => ({
    subject,
    text: export_text ?? text,
    sentAt,
  }));
  return {
    contract: contract.uid,
    earlier: written.map(({ subject, text, sentAt }) => ({ subject, text, sentAt })),
    exported: isTyped ? exported : null,
  };
}

type Told = {
  /** The mailbox before. */
  former: string;
  to: string;
  origin: string | null;
  repeated: Repeated;
  /** The account is erased. */
  isOfContract: boolean;
};

/**
 * Neither letter names the other e-mail: the earlier mailbox may be a stranger's. The archive of the contract keeps
 * the new one's, which confirms the contract where the first confirmation did not reach its person (L221-13).
 */
export async function mailBothMailboxes(
  context: EmailContext,
  { former, to, origin, repeated, isOfContract }: Told,
) {
  const { db, clock } = context;
  const site = await findSite(context, origin);
  const date = clock.now().toISOString();
  const key = `email-changed:${newUid()}`;
  const letter = { kind: "email-changed", site, date, isOfContract } as const;
  await sendMail(db, clock, {
    key: `${key}:former`,
    to: former,
    letter: { ...letter, isFormer: true, earlier: [], url: links.contact(site) },
  });
  const url = isOfContract ? links.contact(site) : links.account(site);
  const write = (earlier: readonly EarlierMail[]) =>
    ({ ...letter, isFormer: false, earlier, url }) as const;
  await sendMail(db, clock, {
    key,
    to,
    letter: write(repeated?.earlier ?? []),
    contract: repeated?.contract,
    ...(repeated?.exported && { exported: write(repeated.exported) }),
  });
}
