import { claimNewEntries, isSeededWith } from "../database/seed-entries";
import type { Database } from "../database/tables";
import { OfferFault } from "./offer-fault";
import texts from "./texts.fr.json";

const FORMULAS = [
  {
    uid: "vip-mensuel",
    name: "VIP mensuel",
    amount: 990,
    trial_amount: 100,
    credit_amount: null,
    credit_debtor: null,
    credit_way: null,
    credit_delay_days: null,
    credit_delay_after: null,
    credit_conditions: null,
    trial_duration: 7,
    trial_duration_unit: "day",
    period_duration: 1,
    period_duration_unit: "month",
  },
  {
    uid: "vip-cashback",
    name: "VIP cashback",
    amount: 1490,
    trial_amount: 490,
    credit_amount: 2000,
    credit_debtor: texts.demoCredit.debtor,
    credit_way: texts.demoCredit.way,
    credit_delay_days: 30,
    credit_delay_after: "full-payment",
    credit_conditions: texts.demoCredit.conditions,
    trial_duration: 14,
    trial_duration_unit: "day",
    period_duration: 1,
    period_duration_unit: "month",
  },
];

const TRAFFIC_TOKENS = [
  { value: "demo-cashback", formula_uid: "vip-cashback", is_valid: 1 },
  { value: "demo-expire", formula_uid: "vip-cashback", is_valid: 0 },
] as const;

/**
 * What of the demonstration is still sold: formulas that their owner neither changed nor confirmed, or
 * whose credit a company that does not exist would pay, and tokens that anybody may read here.
 */
export async function findDemoOffers(db: Database) {
  const sold = await db
    .selectFrom("formula")
    .selectAll()
    .where("retired_at", "is", null)
    .orderBy("uid")
    .execute();
  const isSeeded = (row: Record<string, unknown>) =>
    FORMULAS.some((seed) => Object.entries(seed).every(([key, value]) => row[key] === value));
  const formulas = sold.filter(
    (row) => hasDemoDebtor(row) || (row.confirmed_at === null && isSeeded(row)),
  );
  const tokens = await db
    .selectFrom("traffic_token")
    .innerJoin("formula", "formula.uid", "traffic_token.formula_uid")
    .select("traffic_token.value")
    .where(
      "traffic_token.value",
      "in",
      TRAFFIC_TOKENS.map(({ value }) => value),
    )
    .where("traffic_token.is_valid", "=", 1)
    .where("formula.retired_at", "is", null)
    .orderBy("traffic_token.value")
    .execute();
  return { formulas: formulas.map(({ uid }) => uid), tokens: tokens.map(({ value }) => value) };
}

export const hasDemoDebtor = ({ credit_debtor }: { credit_debtor: string | null }): boolean =>
  credit_debtor === texts.demoCredit.debtor;

/** @throws OfferFault in one sentence when real money would be taken for what nobody decided to sell */
export async function refuseDemoOffers(db: Database) {
  const { formulas, tokens } = await findDemoOffers(db);
  if (formulas.length === 0 && tokens.length === 0) return;
  const offers = [...formulas, ...tokens].join(", ");
  throw new OfferFault(
    `Offers of the demonstration are sold (${offers}), and the payment key is a live one; npm run site -- check lists them`,
  );
}

/**
 * Adds each formula and token once per database, so that later changes and removals are kept. Each database begins
 * with the formulas; those that a later release adds are for the demonstration only, because elsewhere the owner
 * decides what is sold. So are the tokens, which anybody can read here.
 */
export async function seedOffers(db: Database, options: { demo: boolean }): Promise<void> {
  if (!db.isTransaction) return db.transaction().execute((within) => seedOffers(within, options));
  const isOffered = options.demo || !(await isSeededWith(db, "formula"));
  const offeredFormulas = isOffered ? FORMULAS : [];
  const offeredTokens = options.demo ? TRAFFIC_TOKENS : [];
  const named = [
    ...offeredFormulas.map(({ uid }) => `formula ${uid}`),
    ...offeredTokens.map(({ value }) => `traffic_token ${value}`),
  ];
  const fresh = await claimNewEntries(db, named);
  const formulas = FORMULAS.filter(({ uid }) => fresh.has(`formula ${uid}`));
  const tokens = offeredTokens.filter(({ value }) => fresh.has(`traffic_token ${value}`));
  // The owner may already have a formula or token with this name.
  if (formulas.length > 0) {
    await db
      .insertInto("formula")
      .values(formulas)
      .onConflict((conflict) => conflict.column("uid").doNothing())
      .execute();
  }
  if (tokens.length > 0) {
    await db
      .insertInto("traffic_token")
      .values(tokens)
      .onConflict((conflict) => conflict.column("value").doNothing())
      .execute();
  }
}
