import { sql } from "kysely";
import type { Letter, Notice as Facts, Site } from "../mail/letters";
import { sendMail } from "../mail/outbox";
import { siteOf } from "../mail/site";
import { write } from "../subscriptions/life/letters";
import type { Life } from "../subscriptions/life/world";
import type { Subscription } from "../subscriptions/life/store";
import type { Notice } from "./store";

/** Mails a day that notices by anybody bring to one address: no more, however often it is typed. */
const MAILS_A_DAY = 5;
const DAY_MS = 24 * 3_600_000;

type Compose = (site: Site, facts: Facts) => Letter;

/** Answers to the contract's own address, whatever address the notice gives. */
export async function answer(
  life: Life,
  notice: Notice,
  subscription: Subscription,
  compose: Compose,
) {
  if (await isTooMuch(life, notice)) return;
  const bought = { ...subscription, origin: subscription.origin ?? notice.origin };
  const letter = compose(await siteOf(life, bought.origin, notice.origin), factsOf(notice));
  await write(life, bought, keyOf(notice, letter), () => letter);
}

/** Answers to the address that was typed: nothing was found there. */
export async function answerStranger(life: Life, notice: Notice, compose: Compose) {
  if (await isTooMuch(life, notice)) return;
  const letter = compose(await siteOf(life, notice.origin), factsOf(notice));
  await sendMail(life.db, life.clock, { key: keyOf(notice, letter), to: notice.email, letter });
}

const keyOf = ({ uid }: Notice, { kind }: Letter) => `notice:${uid}:${kind}`;

const factsOf = ({ name, email, reference, wished_date, received_at }: Notice): Facts => ({
  ...{ name, email, reference, wishedDate: wished_date, receivedAt: received_at },
});

async function isTooMuch({ db }: Life, { uid, email, received_at }: Notice) {
  const { before } = await db
    .selectFrom("contract_notice")
    .select((e) => e.fn.countAll<number>().as("before"))
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .where("uid", "<=", uid)
    .where("received_at", ">", new Date(Date.parse(received_at) - DAY_MS).toISOString())
    .executeTakeFirstOrThrow();
  return before > MAILS_A_DAY;
}
