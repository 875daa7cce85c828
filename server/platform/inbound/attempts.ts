import { createHash } from "node:crypto";
import type { Database } from "../database/tables";
import type { Clock } from "../ports/clock";
import { newUid } from "../ports/ids";

/** The first failure may be the machine's, which had other things to do. */
const MAX_ATTEMPTS = 2;
/** An attempt that has not ended by then ended with its process. */
const LONGEST_MS = 60_000;

/** What this process reads at the same time cannot have ended with it. */
const PROCESS = newUid();

export type Attempts = ReturnType<typeof attemptsAt>;

/**
 * The attempts at reading a mail. Each is written down before it begins: a mail that ends the
 * process must not end it at every start.
 */
export function attemptsAt({ db, clock }: { db: Database; clock: Clock }, raw: Buffer) {
  const digest = createHash("sha256").update(raw).digest("base64url");
  const uid = newUid();
  const before = (ms: number) => new Date(clock.now().getTime() - ms).toISOString();
  const record = async (failed: number) => {
    const row = { uid, digest, process: PROCESS, at: before(0), failed };
    const insert = db.insertInto("mail_attempt").values(row);
    await insert.onConflict((c) => c.column("uid").doUpdateSet({ failed })).execute();
  };
  const others = async () => {
    const rows = db.selectFrom("mail_attempt").selectAll().where("digest", "=", digest);
    return rows.where("uid", "!=", uid).execute();
  };
  const hasEnded = ({ failed, at }: { failed: number; at: string }) =>
    failed === 1 || at < before(LONGEST_MS);
  return {
    /** `failed`: too often already; `under way`: perhaps in another process, perhaps it ended it. */
    async begin(): Promise<"begun" | "failed" | "under way"> {
      const known = await others();
      const ended = known.filter(hasEnded).length;
      const foreign = known.filter((one) => !hasEnded(one) && one.process !== PROCESS).length;
      if (ended >= MAX_ATTEMPTS) return "failed";
      if (ended + foreign >= MAX_ATTEMPTS) return "under way";
      await record(0);
      return "begun";
    },
    /** @returns whether the mail may be tried again */
    async fail(): Promise<boolean> {
      await record(1);
      return (await others()).filter(hasEnded).length + 1 < MAX_ATTEMPTS;
    },
    async forget() {
      await db.deleteFrom("mail_attempt").where("digest", "=", digest).execute();
    },
  };
}
