import type { Subscription } from "../subscriptions/life/store";
import { lockSubscription } from "../subscriptions/life/store";
import type { Life } from "./world";
import { withdrawalDeadline } from "./deadline";
import type { Notice } from "./store";

/**
 * The contract a notice is about, held until the transaction ends: the newest one of the e-mail,
 * otherwise the one whose reference is given. The name proves nothing and is not asked of
 * subscribers: it is recorded, not compared.
 */
export async function lockContract(life: Life, notice: Notice): Promise<Subscription | undefined> {
  const contract = (await findContract(life, notice)) ?? (await findFormer(life, notice));
  return contract && lockSubscription(life.db, contract.uid);
}

/** Whether one may still withdraw from a contract by a notice of that moment. */
export const isWithdrawable = ({ started_at }: Subscription, { received_at }: Notice) =>
  withdrawalDeadline(new Date(started_at)) > new Date(received_at);

async function findContract(life: Life, { email_key, reference }: Notice) {
  const byEmail = await newest(life)
    .where("account.identifier_key", "=", email_key)
    .executeTakeFirst();
  if (byEmail || !reference) return byEmail;
  return newest(life).where("subscription.uid", "=", reference.trim()).executeTakeFirst();
}

/** Of who has deleted the profile meanwhile: the right to withdraw outlives it. */
async function findFormer({ db, subjects }: Life, notice: Notice) {
  if (notice.kind !== "withdrawal") return undefined;
  return db
    .selectFrom("subscription")
    .selectAll()
    .where("former_key", "in", subjects.all("former", notice.email_key))
    .orderBy("started_at", "desc")
    .executeTakeFirst();
}

const newest = ({ db }: Life) =>
  db
    .selectFrom("subscription")
    .innerJoin("account", "account.uid", "subscription.account_uid")
    .selectAll("subscription")
    .where("account.status", "!=", "deleted")
    .orderBy("subscription.started_at", "desc")
    .orderBy("subscription.uid", "desc");
