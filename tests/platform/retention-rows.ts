import { LARGE_CONTRACT } from "../../server/platform/retention/ends";
import { newUid } from "../../server/platform/ports/ids";
import type { Tables } from "../../server/platform/database/tables";
import type { TestPlatform } from "../support/platform";
import { newCoach, setStatus } from "./desk";
import { newAddress, newPerson, PASSWORD } from "./funnel";
import { subscriber } from "./life";
import { ask, newContact } from "./threads";

type Kept = {
  /** Tables of which rows are left until the delay is over, and none afterwards. */
  tables: readonly (keyof Tables)[];
  /** Leaves rows of that kind, dated now. */
  leave: (platform: TestPlatform) => Promise<unknown>;
};

const anonymous = "inconnue@exemple.fr";

async function cancel(platform: TestPlatform, email: string) {
  await platform.call("POST /cancellations", { body: { name: "Ada Byron", email } });
  await platform.runDueJobs();
}

const at = ({ clock }: TestPlatform) => clock.now().toISOString();

async function leaveContract(platform: TestPlatform, amount?: number) {
  await subscriber(platform);
  await platform.runDueJobs();
  await platform.database
    .updateTable("subscription")
    .set({ ended_at: at(platform), ...(amount && { amount }) })
    .execute();
  // It belongs to the books.
  await platform.database.deleteFrom("contract_mail").where("kind", "=", "receipt").execute();
}

const leaveEvent = (platform: TestPlatform, scope: string) =>
  platform.database
    .insertInto("limited_event")
    .values({ uid: newUid(), scope, subject: "203.0.113.9", at: at(platform) })
    .execute();

/** What the purge ends, by the name of its delay in docs/retention.md. */
export const PURGED: Record<string, Kept> = {
  books: {
    tables: ["subscription", "payment", "refund"],
    leave: async (platform) => {
      const { token, email } = await subscriber(platform);
      const body = { name: "Ada Byron", email };
      await platform.call("POST /withdrawals", { token, body });
      await platform.runDueJobs();
    },
  },
  refusedPayment: {
    tables: ["payment"],
    leave: async (platform) => {
      const { uid } = await newPerson(platform);
      const payment = {
        account_uid: uid,
        formula_uid: "vip-mensuel",
        kind: "first" as const,
        amount: 100,
        cashback: 0 as const,
        created_at: at(platform),
      };
      for (const status of ["failure", "cancelled"] as const)
        await platform.database
          .insertInto("payment")
          .values({ ...payment, uid: newUid(), status })
          .execute();
    },
  },
  contractProof: {
    tables: ["contract_proof", "contract_mail"],
    leave: (platform) => leaveContract(platform),
  },
  largeContractProof: {
    tables: ["contract_proof", "contract_mail"],
    leave: (platform) => leaveContract(platform, LARGE_CONTRACT),
  },
  notice: {
    tables: ["contract_notice"],
    leave: async (platform) => cancel(platform, (await subscriber(platform)).email),
  },
  noticeOfNoContract: {
    tables: ["contract_notice"],
    leave: (platform) => cancel(platform, anonymous),
  },
  contactTicket: { tables: ["ticket", "ticket_message"], leave: (platform) => ask(platform) },
  unansweredTicket: {
    tables: ["ticket", "ticket_message"],
    leave: async (platform) => {
      const { uid } = (await ask(platform)).body.payload;
      await setStatus(platform, await newCoach(platform), uid, "closed");
    },
  },
  mail: { tables: ["mail"], leave: (platform) => cancel(platform, anonymous) },
  session: { tables: ["account_session"], leave: (platform) => newPerson(platform) },
  knownAddress: {
    tables: ["account_address"],
    leave: async (platform) => {
      const { email: identifier } = await newPerson(platform);
      await platform.call("POST /auth_check", {
        headers: { "x-client-address": newAddress() },
        body: { identifier, password: PASSWORD },
      });
    },
  },
  attempts: {
    tables: ["limited_event"],
    // Of the limit that counts for longest.
    leave: (platform) => leaveEvent(platform, "login.account"),
  },
  removedRule: {
    tables: ["limited_event"],
    leave: (platform) => leaveEvent(platform, "removed.rule"),
  },
  supportLink: { tables: ["support_link"], leave: (platform) => newContact(platform) },
  request: {
    tables: ["password_reset_request", "support_link_request"],
    leave: async ({ database, ...platform }) => {
      const request = {
        uid: newUid(),
        origin: "https://cap.example",
        requested_at: platform.clock.now().toISOString(),
      };
      const asked = { ...request, email: anonymous };
      await database.insertInto("support_link_request").values(asked).execute();
      const forgot = { ...request, identifier_key: anonymous };
      await database.insertInto("password_reset_request").values(forgot).execute();
    },
  },
  mailAttempt: {
    tables: ["mail_attempt"],
    leave: (platform) =>
      platform.database
        .insertInto("mail_attempt")
        .values({ uid: newUid(), digest: "d", process: "p", at: at(platform), failed: 1 })
        .execute(),
  },
  doneJob: {
    tables: ["job"],
    leave: (platform) =>
      platform.database
        .insertInto("job")
        .values({
          uid: newUid(),
          kind: "mail.send",
          key: "of the past",
          payload: "{}",
          run_at: at(platform),
          attempts: 1,
          lease_until: null,
          done_at: at(platform),
          error: null,
        })
        .execute(),
  },
  providerEvent: {
    tables: ["stripe_event"],
    leave: (platform) =>
      platform.database
        .insertInto("stripe_event")
        .values({ id: "evt_1", type: "refund.failed", subject: "re_1", received_at: at(platform) })
        .execute(),
  },
};

async function leaveLink(platform: TestPlatform, table: "password_reset" | "address_release") {
  const { uid } = await newPerson(platform);
  const now = at(platform);
  const link = { uid: newUid(), account_uid: uid, secret_hash: "empreinte" };
  await platform.database
    .insertInto(table)
    .values({ ...link, created_at: now, expires_at: now })
    .execute();
}

/** Leaves rows that tell themselves when they are over. */
export const EXPIRED: Record<string, Kept["leave"]> = {
  password_reset: (platform) => leaveLink(platform, "password_reset"),
  address_release: (platform) => leaveLink(platform, "address_release"),
  email_change: async ({ database, ...platform }) => {
    const { uid } = await newPerson({ database, ...platform });
    const now = at({ database, ...platform });
    await database
      .insertInto("email_change")
      .values({
        uid: newUid(),
        account_uid: uid,
        email: anonymous,
        secret_hash: "empreinte",
        origin: "https://cap.example",
        created_at: now,
        expires_at: now,
      })
      .execute();
  },
};
