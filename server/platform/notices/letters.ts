import type { Letter, Notice as Facts, Site } from "../mail/letters";
import { sendMail } from "../mail/outbox";
import { siteOf } from "../mail/site";
import type { Life } from "./world";
import type { Subscription } from "../subscriptions/life/store";
import type { Notice } from "./store";

/** What became of a notice. */
export type Outcome = {
  /** The notice that holds: this one, or an open one that covers it. */
  holding: Notice;
  /** Letter box that was told, if any. */
  mailedTo: string | null;
};

type Compose = (site: Site, facts: Facts) => Letter;

/**
 * Answers to the contract's own address, whatever address the notice gives; where the profile is
 * deleted, to the one that was typed: it is the same.
 */
export async function answer(
  life: Life,
  notice: Notice,
  subscription: Subscription,
  compose: Compose,
): Promise<Outcome> {
  const account = await life.db
    .selectFrom("account")
    .select("identifier")
    .where("uid", "=", subscription.account_uid)
    .where("status", "!=", "deleted")
    .executeTakeFirst();
  const to = account?.identifier ?? notice.email;
  return send(life, notice, to, compose, subscription.origin);
}

/** Answers to the address that was typed: nothing was found there. */
export async function answerStranger(
  life: Life,
  notice: Notice,
  compose: Compose,
): Promise<Outcome> {
  return send(life, notice, notice.email, compose, null);
}

async function send(
  life: Life,
  notice: Notice,
  to: string,
  compose: Compose,
  origin: string | null,
): Promise<Outcome> {
  // Of who deleted the profile while it waited nothing is known any more.
  if (!to) return keepQuiet(notice);
  const letter = compose(await siteOf(life, origin, notice.origin), factsOf(notice));
  await sendMail(life.db, life.clock, { key: `notice:${notice.uid}:${letter.kind}`, to, letter });
  return { holding: notice, mailedTo: to };
}

/** Nothing new: the person has been told. */
export const keepQuiet = (holding: Notice): Outcome => ({ holding, mailedTo: null });

const factsOf = ({ name, email, reference, wished_date, received_at }: Notice): Facts => ({
  ...{ name, email, reference, wishedDate: wished_date, receivedAt: received_at },
});
