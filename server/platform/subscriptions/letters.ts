import type { Letter, Site } from "../mail/letters";
import { sendMail } from "../mail/outbox";
import { findSite } from "../mail/site";
import type { SubscriptionContext } from "./context";

type Bought = { account_uid: string; origin: string | null };

/** Mails the owner of a subscription, unless the account is erased; once per key. */
export async function mailOwner(
  context: SubscriptionContext,
  bought: Bought,
  key: string,
  letterOf: (site: Site) => Letter,
): Promise<void> {
  const account = await context.db
    .selectFrom("account")
    .select("identifier")
    .where("uid", "=", bought.account_uid)
    .where("status", "!=", "deleted")
    .executeTakeFirst();
  if (!account) return;
  const letter = letterOf(await findSite(context, bought.origin));
  await sendMail(context.db, context.clock, { key, to: account.identifier, letter });
}
