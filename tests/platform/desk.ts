import { expect } from "vitest";
import type { TicketStatus } from "~/contract/ticket-status";
import { grantRole } from "../../server/platform/accounts/roles";
import type { TestPlatform } from "../support/platform";
import { newPerson, type Person } from "./funnel";

/** Somebody who answers at the desk, signed in. */
export async function newCoach(platform: TestPlatform, name = "Solène"): Promise<Person> {
  const person = await newPerson(platform);
  await grantRole(platform.database, person.uid, name, platform.clock.now());
  return person;
}

export function lookAt(platform: TestPlatform, { token }: Person, uid: string, query = "") {
  return platform.call(`GET /desk/tickets/${uid}${query}`, { token });
}

export function answer(
  platform: TestPlatform,
  { token }: Person,
  uid: string,
  body: object = {},
  headers: Record<string, string> = {},
) {
  return platform.call(`POST /desk/tickets/${uid}/messages`, {
    token,
    headers,
    body: { message: "Bonjour Ada", ...body },
  });
}

export function change(platform: TestPlatform, { token }: Person, uid: string, body: object) {
  return platform.call(`PUT /desk/tickets/${uid}`, { token, body });
}

/** Sets a ticket's status, whatever it was. */
export async function setStatus(
  platform: TestPlatform,
  coach: Person,
  uid: string,
  status: TicketStatus,
) {
  const { version } = (await lookAt(platform, coach, uid)).body.payload;
  const changed = await change(platform, coach, uid, { status, version });
  expect(changed.status).toBe(200);
  return changed;
}

export async function inbox(platform: TestPlatform, { token }: Person, query = "") {
  const { status, body } = await platform.call(`GET /desk/tickets${query}`, { token });
  expect([status, body.violations]).toEqual([200, undefined]);
  return body;
}

export const uidsOf = ({ payload }: { payload: { uid: string }[] }) =>
  payload.map(({ uid }) => uid);

/** What the counters say, and what counting gives. */
export async function bothCounts({ database }: TestPlatform) {
  const kept = await database
    .selectFrom("ticket_count")
    .selectAll()
    .where("count", "!=", 0)
    .execute();
  const counted = await database
    .selectFrom("ticket")
    .select((e) => ["type", "status", e.fn.countAll<number>().as("count")] as const)
    .groupBy(["type", "status"])
    .execute();
  const lines = (rows: typeof kept) =>
    rows.map(({ type, status, count }) => `${type} ${status} ${count}`).sort();
  return [lines(kept), lines(counted)];
}
