import type { Migration } from "kysely";
import { expect, it } from "vitest";
import * as unsent from "../../server/platform/database/migrations/0049-unsent-terms";
import { findCurrentTerms, recordTerms } from "../../server/platform/content/terms";
import { readIdentity } from "../../server/platform/content/identity";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { passDays, subscriber, subscriptionOf } from "./life";

const migration: Migration = unsent;

/** The site publishes another text of the terms. */
async function publish({ database, clock }: TestPlatform, body: string) {
  await database.updateTable("page").set({ body }).where("uid", "=", "terms-of-service").execute();
  const known = { ...readIdentity("tests/support/identity.yaml"), title: "Cap Céleste" };
  await recordTerms({ db: database, clock, known });
}

/** As an earlier release left a contract whose mail waits, or was given up. */
async function asUnsent({ database }: TestPlatform, given_up_at: string | null) {
  const last = await database
    .selectFrom("contract_mail")
    .select("uid")
    .where("kind", "=", "terms-changed")
    .orderBy("uid", "desc")
    .executeTakeFirstOrThrow();
  const state = { sent_at: null, given_up_at };
  await database.updateTable("contract_mail").set(state).where("uid", "=", last.uid).execute();
  await database
    .updateTable("mail")
    .set({ ...state, key: `terms:2:2026-12-20T23:00:00.000Z:${last.uid}` })
    .where("uid", "=", last.uid)
    .execute();
}

const termsOf = async (platform: TestPlatform, person: { uid: string }) => {
  const { terms_digest, terms_before, terms_apply_at, terms_told_at } = await subscriptionOf(
    platform,
    person,
  );
  return { terms_digest, terms_before, terms_apply_at, terms_told_at };
};

onEachDatabase("a contract whose changed terms were never sent", (open) => {
  it.each([null, "2026-12-20T11:00:00.000Z"])("is told anew, given up: %s", async (givenUp) => {
    const platform = await open();
    const person = await subscriber(platform);
    const before = await termsOf(platform, person);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 1);
    const announced = await termsOf(platform, person);
    expect(announced.terms_before).toBe(before.terms_digest);
    await asUnsent(platform, givenUp);
    await passDays(platform, 1);
    await migration.up(platform.database);
    expect(await termsOf(platform, person)).toEqual(before);
    // The job of a migration has the clock of the machine.
    platform.clock.advance(Date.now() + 60_000 - platform.clock.now().getTime());
    await platform.runDueJobs();
    const told = await termsOf(platform, person);
    expect(told).toMatchObject({
      terms_digest: announced.terms_digest,
      terms_before: before.terms_digest,
      terms_told_at: platform.clock.now().toISOString(),
    });
    const mails = await platform.database
      .selectFrom("contract_mail")
      .select(["sent_at", "given_up_at"])
      .where("kind", "=", "terms-changed")
      .execute();
    expect(mails).toHaveLength(givenUp === null ? 1 : 2);
  });

  it("names the announcement before it, which was sent", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const before = await termsOf(platform, person);
    await publish(platform, "ALPHA");
    await passDays(platform, 1);
    const { terms_told_at: toldAt } = await termsOf(platform, person);
    await publish(platform, "BETA");
    await passDays(platform, 1);
    await asUnsent(platform, null);
    await migration.up(platform.database);
    expect(await termsOf(platform, person)).toEqual({ ...before, terms_told_at: toldAt });
  });

  it("is left as it is where the mail was sent", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 1);
    const told = await termsOf(platform, person);
    expect(told.terms_digest).toBe((await findCurrentTerms(platform.database))?.digest);
    await migration.up(platform.database);
    expect(await termsOf(platform, person)).toEqual(told);
  });
});
