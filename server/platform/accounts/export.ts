import { metadata } from "../../../app/contract/accounts";
import type { Database } from "../database/tables";
import type { ExportPart } from "../personal-data/export-part";

export const accountExport: ExportPart = {
  tables: ["account", "account_session"],
  read: async (db, { uid }) => {
    const { affiliation, ...account } = await readAccount(db, uid);
    return { account, affiliation, sessions: await readSessions(db, uid) };
  },
};

async function readAccount(db: Database, uid: string) {
  const account = await db
    .selectFrom("account")
    .selectAll()
    .where("uid", "=", uid)
    .executeTakeFirstOrThrow();
  const kept = metadata.parse(JSON.parse(account.metadata));
  const { affiliation_token: token, affiliation_platform: platform } = account;
  return {
    uid,
    email: account.identifier,
    createdDateTime: account.created_at,
    lastSignInDateTime: account.last_sign_in_at,
    lastVisitDateTime: account.last_visit_at,
    deletionAnnouncedDateTime: account.deletion_announced_at,
    status: account.status,
    formula: account.formula_uid,
    site: account.origin,
    terms: account.terms_digest,
    termsAcceptedDateTime: account.terms_accepted_at,
    coachingName: kept.profile?.name ?? null,
    favorites: kept.profile?.favorites ?? [],
    metadata: kept,
    metadataModifiedDateTime: account.metadata_modified_at,
    affiliation: token && platform ? { token, platform } : null,
  };
}

async function readSessions(db: Database, uid: string) {
  const rows = await db
    .selectFrom("account_session")
    .selectAll()
    .where("account_uid", "=", uid)
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  return rows.map((session) => ({
    createdDateTime: session.created_at,
    lastSeenDateTime: session.last_seen_at,
    endedDateTime: session.ended_at,
    device: session.device,
  }));
}
