import type { Letter, Site } from "../mail/letters";
import { sendMail } from "../mail/outbox";
import { siteOf } from "../mail/site";
import type { Life } from "./world";

type Bought = { account_uid: string; origin: string | null };

/** Writes to the person of a subscription, unless the profile is deleted; once for a key. */
export async function write(
  life: Life,
  bought: Bought,
  key: string,
  letterOf: (site: Site) => Letter,
): Promise<void> {
  const account = await life.db
    .selectFrom("account")
    .select("identifier")
    .where("uid", "=", bought.account_uid)
    .where("status", "!=", "deleted")
    .executeTakeFirst();
  if (!account) return;
  const letter = letterOf(await siteOf(life, bought.origin));
  await sendMail(life.db, life.clock, { key, to: account.identifier, letter });
}
