import type { Migration } from "kysely";
import { expect, it } from "vitest";
import * as settled from "../../server/platform/database/migrations/0044-settled-withdrawals";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { subscriber } from "./life";

const migration: Migration = settled;

const SETTLED = "2026-11-30T10:00:00.000Z";
const EARLIER = "2026-11-30T09:59:59.000Z";
const LATER = "2026-12-02T10:00:00.000Z";

/** How a withdrawal came: signed in, with a link that counts until then, or covered by an earlier one. */
type Stored = "owner" | "covered" | { until: string };

/** Withdrawals of one contract as they stood before the migration; returns which are still confirmed. */
async function migrated(platform: TestPlatform, stored: readonly Stored[]) {
  const { database: db } = platform;
  const { uid } = await subscriber(platform);
  const subscription = await db
    .selectFrom("subscription")
    .select("uid")
    .where("account_uid", "=", uid)
    .executeTakeFirstOrThrow();
  const nameOf = (index: number) => `notice-${index}`;
  for (const [index, how] of stored.entries()) {
    const isLinked = typeof how === "object";
    await db
      .insertInto("contract_notice")
      .values({
        uid: nameOf(index),
        kind: "withdrawal",
        name: "Ada",
        email: "ada@exemple.fr",
        email_key: "ada@exemple.fr",
        received_at: "2026-11-23T10:00:00.000Z",
        signed_in: how === "owner" ? 1 : 0,
        subscription_uid: subscription.uid,
        undo_hash: isLinked ? `hash-${index}` : null,
        undo_until: isLinked ? how.until : null,
        repeats_uid: how === "covered" ? nameOf(0) : null,
        confirmed_at: SETTLED,
      })
      .execute();
  }
  await db.schema.alterTable("contract_notice").dropColumn("settled_at").execute();
  await migration.up(db);
  const rows = await db.selectFrom("contract_notice").selectAll().orderBy("uid").execute();
  expect(rows.map((row) => row.settled_at)).toEqual(stored.map(() => SETTLED));
  return rows.map((row) => row.confirmed_at !== null);
}

onEachDatabase("withdrawals before settled_at", (open) => {
  it.each<[string, Stored[], boolean[]]>([
    ["one by its link", [{ until: LATER }], [true]],
    ["one by time", [{ until: EARLIER }], [false]],
    ["one at the end of its time", [{ until: SETTLED }], [false]],
    ["all by the time of the first", [{ until: EARLIER }, { until: LATER }], [false, false]],
    ["the owner's own after a stranger's", [{ until: LATER }, "owner"], [false, true]],
    ["one that covers another", [{ until: LATER }, "covered"], [true, false]],
    ["one of two by a link", [{ until: LATER }, { until: LATER }], [true, true]],
  ])("are told as confirmed where somebody confirmed them: %s", async (_, stored, confirmed) => {
    expect(await migrated(await open(), stored)).toEqual(confirmed);
  });
});
