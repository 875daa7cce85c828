import type { Database } from "../database/tables";

const DONE = "seed.subscriptions";

const FORMULAS = [
  {
    uid: "vip-mensuel",
    name: "VIP mensuel",
    amount: 990,
    trial_amount: 100,
    credit_amount: null,
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

/** Demo formulas and tokens, once per database: what is changed or removed later stays so. */
export async function seedOffers(db: Database) {
  await db.transaction().execute(async (transaction) => {
    const first = await transaction
      .insertInto("setting")
      .values({ name: DONE, value: "done" })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("name")
      .executeTakeFirst();
    if (!first) return;
    await transaction.insertInto("formula").values(FORMULAS).execute();
    await transaction.insertInto("traffic_token").values(TRAFFIC_TOKENS).execute();
  });
}
