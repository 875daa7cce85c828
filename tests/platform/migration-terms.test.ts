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

/** The announcements that are still to be sent. */
const waitingIn = ({ database }: TestPlatform) =>
  database
    .selectFrom("mail")
    .select("key")
    .where("key", "like", "terms:%")
    .where("sent_at", "is", null)
    .where("given_up_at", "is", null)
    .execute();

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

  it.each([
    ["on hold", true],
    ["over", false],
  ])("has its earlier version again unless it is over: %s", async (_, isOnHold) => {
    const platform = await open();
    const person = await subscriber(platform);
    const before = await termsOf(platform, person);
    await publish(platform, "Un autre texte.");
    await passDays(platform, 1);
    await asUnsent(platform, null);
    const announced = await termsOf(platform, person);
    const { payment_uid } = await subscriptionOf(platform, person);
    const ended_at = platform.clock.now().toISOString();
    await platform.database
      .updateTable("subscription")
      .set({ ended_at, ended_by_payment: isOnHold ? payment_uid : null })
      .execute();
    await migration.up(platform.database);
    expect(await termsOf(platform, person)).toEqual(isOnHold ? before : announced);
    expect(await waitingIn(platform)).toEqual([]);
  });

  it.each([0, 1])("leaves no earlier announcement to be sent, tries: %i", async (unanswered) => {
    const platform = await open();
    await subscriber(platform);
    await publish(platform, "ALPHA");
    await passDays(platform, 1);
    await asUnsent(platform, null);
    await platform.database.updateTable("mail").set({ unanswered }).execute();
    await publish(platform, "BETA");
    await passDays(platform, 1);
    await migration.up(platform.database);
    expect(await waitingIn(platform)).toEqual([]);
    const archived = await platform.database
      .selectFrom("contract_mail")
      .select("text")
      .where("kind", "=", "terms-changed")
      .execute();
    const names = archived.map(({ text }) => /ALPHA|BETA/.exec(text)?.[0]).sort();
    expect(names).toEqual(unanswered === 0 ? ["BETA"] : ["ALPHA", "BETA"]);
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
