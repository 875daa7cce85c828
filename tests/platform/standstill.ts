import type { TestPlatform } from "../support/platform";

const FAR = "9999-12-31T00:00:00.000Z";

/** Jobs that are due now, in no order that one may count on: lanes and processes work beside each other. */
export async function dueJobs({ database, clock }: TestPlatform) {
  return database
    .selectFrom("job")
    .select(["uid", "kind", "run_at"])
    .where("done_at", "is", null)
    .where("run_at", "<=", clock.now().toISOString())
    .orderBy("run_at")
    .orderBy("uid")
    .execute();
}

/** Runs the due jobs of these kinds, with what they bring about, as though all others took long. */
export async function runFirst(platform: TestPlatform, ...kinds: string[]) {
  await runOnly(platform, ({ kind }) => kinds.includes(kind));
}

/** Runs some of the due jobs before the others, which a lease keeps for that long. */
export async function runOnly(
  platform: TestPlatform,
  isChosen: (job: { uid: string; kind: string }) => boolean,
) {
  const others = (await dueJobs(platform)).filter((job) => !isChosen(job)).map(({ uid }) => uid);
  await lease(platform, others, FAR);
  await platform.runDueJobs();
  await lease(platform, others, null);
}

async function lease({ database }: TestPlatform, uids: string[], lease_until: string | null) {
  if (uids.length === 0) return;
  await database.updateTable("job").set({ lease_until }).where("uid", "in", uids).execute();
}
