import type { Migration } from "kysely";
import { expect, it } from "vitest";
import * as asked from "../../server/platform/database/migrations/0052-asked-charges";
import type { SandboxOptions } from "../../server/platform/payments/sandbox/notifier";
import { onEachDatabase } from "../support/platform";
import { passTo, subscriber } from "./life";

const migration: Migration = asked;

const DUE = "2026-11-27T10:00:00.000Z";

onEachDatabase("a renewal before the migration", (open) => {
  it.each([
    ["not asked: unreachable", { isDebitDelayed: true }, "unreachable"],
    ["unreachable", { isDebitUndecided: true }, "unreachable"],
    [null, { isDebitUndecided: true }, null],
  ])("with the code %s keeps whether it was asked for", async (error_code, told, code) => {
    const sandbox: SandboxOptions = {};
    const platform = await open({ sandbox });
    const { database: db } = platform;
    const { token } = await subscriber(platform);
    await passTo(platform, "2026-11-27T09:00:00.000Z");
    Object.assign(sandbox, { unreachable: true });
    await passTo(platform, DUE);
    await platform.runDueJobs();
    await db.updateTable("payment").set({ error_code }).where("kind", "=", "renewal").execute();
    await db.schema.alterTable("payment").dropColumn("asked_at").execute();
    await migration.up(db);
    const { body } = await platform.call("GET /subscriptions", { token });
    expect(body.payload).toMatchObject(told);
    const payments = await db.selectFrom("payment").select(["kind", "error_code"]).execute();
    expect(payments).toContainEqual({ kind: "renewal", error_code: code });
  });
});
