import type { Kysely } from "kysely";

/**
 * The conditions of a formula's credit. Formulas that carry one already have none, and are not sold until
 * their owner sets them: nobody else can promise on whose account, and when, it is paid.
 */
export async function up(db: Kysely<unknown>) {
  const formula = db.schema.alterTable("formula");
  for (const column of ["credit_debtor", "credit_way", "credit_delay_after", "credit_conditions"]) {
    await formula.addColumn(column, "text").execute();
  }
  await formula.addColumn("credit_delay_days", "integer").execute();
}
