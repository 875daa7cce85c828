import type { Context } from "../database/context";
import type { Database } from "../database/tables";
import type { EarlierMail } from "../mail/letters";
import { links } from "../mail/links";
import { sendMail } from "../mail/outbox";
import { findSite } from "../mail/site";
import { newUid } from "../ports/ids";
import { selectNewestFirst, type Subscription } from "../subscriptions/lookup";
import { voidLinks } from "../subscriptions/notice-links";

/** Why an e-mail cannot be changed just now. */
export const PENDING = "A declaration of that person is being processed: try again in a minute";

export type EmailContext = Omit<Context, "log">;

/**
 * Lets what follows from an account's contracts go to a corrected e-mail, with new links for declarations that can
 * be undone.
 * @returns what the earlier mailbox was written, to be written again
 */
export async function correctContracts(
  within: EmailContext,
  accountUid: string,
  to: string,
): Promise<EarlierMail[]> {
  const { db } = within;
  await correctProofs(db, accountUid, to);
  await moveContractMails(db, accountUid, to);
  const voided = await voidLinks(within, accountUid);
  const newest = await selectNewestFirst(db, accountUid).selectAll().executeTakeFirst();
  return newest ? findWritten(db, newest, voided) : [];
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
 * began. A mailbox that does not exist has got none of it.
 * @param replaced keys of mails that are written anew, with links that work
 */
async function findWritten(
  db: Database,
  contract: Subscription,
  replaced: readonly string[],
): Promise<EarlierMail[]> {
  // With those that were set aside when they were replaced before.
  const anew = db
    .selectFrom("mail")
    .select("uid")
    .where((e) =>
      e.or(replaced.flatMap((key) => [e("key", "=", key), e("key", "like", `${key}:%`)])),
    );
  const since = contract.period_start ?? contract.started_at;
  const written = await db
    .selectFrom("contract_mail")
    .select(["subject", "text", "sent_at"])
    .where("subscription_uid", "=", contract.uid)
    .where((e) => e.or([e("sent_at", "is not", null), e("given_up_at", "is not", null)]))
    .where((e) => e.or([e("kind", "=", "welcome"), e("created_at", ">=", since)]))
    .$if(replaced.length > 0, (written) => written.where("uid", "not in", anew))
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  return written.map(({ subject, text, sent_at: sentAt }) => ({ subject, text, sentAt }));
}

type Told = {
  /** The mailbox before. */
  former: string;
  to: string;
  origin: string | null;
  earlier: readonly EarlierMail[];
  /** The account is erased. */
  isOfContract: boolean;
};

/** Neither letter names the other e-mail: the earlier mailbox may be a stranger's. */
export async function tellBoth(
  context: EmailContext,
  { former, to, origin, earlier, isOfContract }: Told,
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
  await sendMail(db, clock, { key, to, letter: { ...letter, isFormer: false, earlier, url } });
}
