import { claimNewEntries } from "../database/seed-entries";
import type { Database } from "../database/tables";

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

/**
 * Each formula and token once per database: what is changed or removed later stays so. Tokens are for
 * demonstration: anybody may read them here.
 */
export async function seedOffers(db: Database, { demo }: { demo: boolean }) {
  const offeredTokens = demo ? TRAFFIC_TOKENS : [];
  await db.transaction().execute(async (transaction) => {
    const named = [
      ...FORMULAS.map(({ uid }) => `formula ${uid}`),
      ...offeredTokens.map(({ value }) => `traffic_token ${value}`),
    ];
    const fresh = await claimNewEntries(transaction, named);
    const formulas = FORMULAS.filter(({ uid }) => fresh.has(`formula ${uid}`));
    const tokens = offeredTokens.filter(({ value }) => fresh.has(`traffic_token ${value}`));
    // The owner may already have a formula or token with this name.
    if (formulas.length > 0) {
      await transaction
        .insertInto("formula")
        .values(formulas)
        .onConflict((conflict) => conflict.column("uid").doNothing())
        .execute();
    }
    if (tokens.length > 0) {
      await transaction
        .insertInto("traffic_token")
        .values(tokens)
        .onConflict((conflict) => conflict.column("value").doNothing())
        .execute();
    }
  });
}
