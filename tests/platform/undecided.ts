import { expect } from "vitest";
import type { TestPlatform } from "../support/platform";
import { CARDS, newPage, post, type Person } from "./funnel";
import { mailsSentTo } from "./life";

export type NoticeKind = "cancellations" | "withdrawals";
export const KINDS: NoticeKind[] = ["cancellations", "withdrawals"];

/** An order on which the bank does not decide before `decide`; then it accepts it, or declines. */
export async function orderUndecided(
  platform: TestPlatform,
  person: Person,
  cardNumber = CARDS.pending,
) {
  await post(platform, await newPage(platform, person), { cardNumber });
  const setTime = (run_at: string) =>
    platform.database
      .updateTable("job")
      .set({ run_at })
      .where("kind", "=", "sandbox.settle")
      .where("done_at", "is", null)
      .execute();
  await setTime("2099-01-01T00:00:00.000Z");
  platform.clock.advance(1000);
  return { decide: () => setTime(platform.clock.now().toISOString()) };
}

export async function declare(
  platform: TestPlatform,
  kind: NoticeKind,
  { email }: Person,
  token?: string,
) {
  const body = { name: "Ada Byron", email };
  const answer = await platform.call(`POST /${kind}`, { body, ...(token && { token }) });
  expect(answer.status).toBe(202);
  await platform.runDueJobs();
  return answer.body.payload;
}

/** The mails that quote what `declare` declared. */
export const aboutAda = (platform: TestPlatform, person: Person) =>
  mailsSentTo(platform, person).filter(({ text }) => text.includes("Ada Byron"));
