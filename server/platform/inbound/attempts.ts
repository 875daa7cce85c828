import { createHash } from "node:crypto";
import type { Database } from "../database/tables";
import type { Clock } from "../ports/clock";
import { newUid } from "../ports/ids";

/** The first failure may have another cause, such as a busy machine. */
const MAX_ATTEMPTS = 2;
/** An older attempt without an end died with its process. */
const LONGEST_MS = 60_000;

/** Identifies attempts of this process, which are certainly still running. */
const PROCESS = newUid();

export type Attempts = ReturnType<typeof trackAttempts>;

/**
 * Tracks the attempts to read a mail. Each attempt is stored before it starts, so that a mail that
 * crashes the process is not read again at every start.
 */
export function trackAttempts({ db, clock }: { db: Database; clock: Clock }, raw: Buffer) {
  const digest = createHash("sha256").update(raw).digest("base64url");
  const uid = newUid();
  const isoBefore = (ms: number) => new Date(clock.now().getTime() - ms).toISOString();
  const record = async (failed: number) => {
    const row = { uid, digest, process: PROCESS, at: isoBefore(0), failed };
    const insert = db.insertInto("mail_attempt").values(row);
    await insert.onConflict((c) => c.column("uid").doUpdateSet({ failed })).execute();
  };
  const readOthers = async () => {
    const rows = db.selectFrom("mail_attempt").selectAll().where("digest", "=", digest);
    return rows.where("uid", "!=", uid).execute();
  };
  const hasEnded = ({ failed, at }: { failed: number; at: string }) =>
    failed === 1 || at < isoBefore(LONGEST_MS);
  return {
    /**
     * `failed`: failed too often. `under way`: another process is reading it, or died while reading
     * it.
     */
    async begin(): Promise<"begun" | "failed" | "under way"> {
      const known = await readOthers();
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
      return (await readOthers()).filter(hasEnded).length + 1 < MAX_ATTEMPTS;
    },
    async forget() {
      await db.deleteFrom("mail_attempt").where("digest", "=", digest).execute();
    },
  };
}
