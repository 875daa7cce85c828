import { expect, it } from "vitest";
import { schedulePurge } from "../../server/platform/jobs/purges";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import {
  CASHBACK,
  headersOf,
  newAddress,
  newPage,
  newPerson,
  PASSWORD,
  post,
  signIn,
  type Person,
} from "./funnel";
import { back, mailsTo, passDays, passTo, placesOf, subscriber } from "./life";
import { newContact } from "./threads";

/** The sandbox bank is somebody else: it keeps its own books. */
const BANK = ["bank_movement.email", "bank_page.email"];
/** The proof of their contract outlives the profile, apart from it. */
const ARCHIVE = ["contract_mail.text", "contract_proof.email"];
const OWN = ["account_session", "account_address", "password_reset", "email_change"] as const;
const ACCESS = [...OWN, "password_reset_request"];

onEachDatabase("a deleted person", (open) => {
  /** Somebody who used all that an account can do. */
  async function longTime(platform: TestPlatform): Promise<Person> {
    const person = await subscriber(platform);
    const { email, token, uid } = person;
    const from = { address: newAddress(), agent: "Firefox/150 Nulle-Part" };
    await signIn(platform, email, undefined, from);
    await signIn(platform, email.toUpperCase(), "au hasard", from);
    const body = { profile: { name: "Zoé de Nulle-Part" } };
    await platform.call(`PUT /users/${uid}/metadata`, { token, body });
    const notice = { name: "Zoé de Nulle-Part", email: email.toUpperCase(), reference: email };
    await platform.call("POST /cancellations", { body: notice });
    await ask(platform, email);
    const asked = { email: "nouvelle@exemple.fr", currentPassword: PASSWORD };
    await platform.call(`POST /users/${uid}/email`, { token, body: asked });
    await platform.runDueJobs();
    return person;
  }

  const ask = (platform: TestPlatform, identifier: string) =>
    platform.call("POST /reset-password/request", { body: { identifier } });

  const rowsOf = async ({ database }: TestPlatform, { uid }: Person) => {
    const found: string[] = [];
    for (const table of OWN) {
      const rows = database.selectFrom(table).select("account_uid").where("account_uid", "=", uid);
      if (await rows.executeTakeFirst()) found.push(table);
    }
    const requests = database.selectFrom("password_reset_request").select("uid");
    return (await requests.executeTakeFirst()) ? [...found, "password_reset_request"] : found;
  };

  it("leaves an e-mail in the archive and bank only", async () => {
    const platform = await open();
    const person = await longTime(platform);
    await ask(platform, person.email);
    expect(await rowsOf(platform, person)).toEqual(ACCESS);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    expect(await rowsOf(platform, person)).toEqual([]);
    // The last words, until they are sent.
    expect(await placesOf(platform, person.email)).toEqual([...BANK, ...ARCHIVE, "mail.recipient"]);
    await passDays(platform, 1);
    expect(await placesOf(platform, person.email)).toEqual([...BANK, ...ARCHIVE]);
    expect(await placesOf(platform, "Nulle-Part")).toEqual(["contract_mail.text"]);
  });

  /** Somebody who ordered from a partner's link and is deleted; their payment afterwards. */
  async function deletedFromPartner(
    order: object,
    act: (platform: TestPlatform, person: Person) => Promise<unknown> = async () => {},
  ) {
    const platform = await open();
    const person = await newPerson(platform);
    const affiliation = { token: "client-77", platform: "demo" };
    await post(platform, await newPage(platform, person, { ...order, affiliation }));
    await act(platform, person);
    const { token } = await back(platform, person);
    expect((await platform.call(`DELETE /users/${person.uid}`, { token })).status).toBe(202);
    await platform.runDueJobs();
    const affiliations = () =>
      platform.database
        .selectFrom("payment")
        .select(["affiliation_token as token", "affiliation_platform as platform"])
        .execute();
    return { platform, affiliation, affiliations };
  }
  const NO_PARTNER = { token: null, platform: null };
  const payInFull = (platform: TestPlatform) => passTo(platform, "2026-12-05T10:00:00.000Z");

  it("leaves no partner's identifier without a cashback", async () => {
    const { affiliations } = await deletedFromPartner({});
    expect(await affiliations()).toEqual([NO_PARTNER]);
  });

  it("leaves the identifier by which a partner pays its cashback", async () => {
    const { affiliation, affiliations } = await deletedFromPartner(CASHBACK, payInFull);
    expect(await affiliations()).toContainEqual(affiliation);
  });

  it("leaves no partner's identifier with a cashback that was lost", async () => {
    const { affiliations } = await deletedFromPartner(CASHBACK, (platform, { token, email }) =>
      platform.call("POST /withdrawals", { token, body: { name: "Ada Byron", email } }),
    );
    expect(await affiliations()).toEqual([NO_PARTNER]);
  });

  it("leaves a partner's identifier until its cashback is lost", async () => {
    const { platform, affiliation, affiliations } = await deletedFromPartner(CASHBACK, payInFull);
    const purge = async () => {
      await schedulePurge(platform.database, platform.clock.now());
      await platform.runDueJobs();
    };
    await purge();
    expect(await affiliations()).toContainEqual(affiliation);
    await platform.database.updateTable("credit").set({ status: "void" }).execute();
    await passDays(platform, 1);
    await purge();
    expect(await affiliations()).not.toContainEqual(affiliation);
  });

  it("leaves no e-mail in mails written meanwhile", async () => {
    const platform = await open();
    const person = await longTime(platform);
    const [deleted] = await Promise.all([
      platform.call(`DELETE /users/${person.uid}`, { token: person.token }),
      ask(platform, person.email),
      platform.runDueJobs(),
    ]);
    expect(deleted.status).toBe(202);
    await passDays(platform, 2);
    expect(await placesOf(platform, person.email)).toEqual([...BANK, ...ARCHIVE]);
    expect(await rowsOf(platform, person)).toEqual([]);
  });

  it("gets no data back from requests sent meanwhile", async () => {
    const platform = await open();
    for (let time = 0; time < 8; time++) {
      const { uid, token } = await newPerson(platform);
      const body = { profile: { name: "Zoé de Nulle-Part" } };
      const [deleted, ...written] = await Promise.all([
        platform.call(`DELETE /users/${uid}`, { token }),
        platform.call(`PUT /users/${uid}/metadata`, { token, body }),
        platform.call(`PUT /users/${uid}/metadata`, { token, body }),
      ]);
      expect(deleted.status).toBe(202);
      for (const { status } of written) expect([200, 401]).toContain(status);
    }
    expect(await placesOf(platform, "Nulle-Part")).toEqual([]);
  });

  it("is not linked to notices sent meanwhile", async () => {
    const platform = await open();
    const strangers = new Set<string | null>();
    for (let time = 0; time < 4; time++) {
      const headers = headersOf({ address: newAddress() });
      const body = { name: "Zoé", email: "inconnue@exemple.fr" };
      await platform.call("POST /cancellations", { headers, body });
      for (const key of await sendersOf(platform)) strangers.add(key);
      const { uid, email, token } = await newPerson(platform);
      const notice = { token, headers, body: { name: "Zoé", email } };
      const deleting = platform.call(`DELETE /users/${uid}`, { token });
      const sent = [1, 2, 3, 4, 5, 6].map(() => platform.call("POST /cancellations", notice));
      for (const { status } of await Promise.all([deleting, ...sent])) expect(status).toBe(202);
    }
    expect(new Set(await sendersOf(platform))).toEqual(strangers);
  });

  /** Of notices that still say who they are from. */
  const sendersOf = async ({ database }: TestPlatform) => {
    const notices = database.selectFrom("contract_notice").select("sender_key");
    const rows = await notices.where("sender_key", "is not", null).execute();
    return rows.map(({ sender_key }) => sender_key);
  };

  it.each([true, false])(
    "leaves the proof of a notice without contract for a year: signed in %s",
    async (isSignedIn) => {
      const platform = await open();
      const { uid, email, token } = await newPerson(platform);
      const body = { name: "Zoé de Nulle-Part", email, reference: "un ancien contrat" };
      await platform.call("POST /withdrawals", { body, ...(isSignedIn && { token }) });
      await platform.runDueJobs();
      await platform.call(`DELETE /users/${uid}`, { token });
      const notices = () =>
        platform.database
          .selectFrom("contract_notice")
          .select(["name", "email", "reference"])
          .execute();
      await passDays(platform, 364);
      expect(await notices()).toEqual([body]);
      await passDays(platform, 33);
      expect(await notices()).toEqual([]);
    },
  );

  it("leaves the mails about what others have at the same mailbox", async () => {
    const platform = await open();
    const former = await subscriber(platform);
    await platform.call(`DELETE /users/${former.uid}`, { token: former.token });
    await passDays(platform, 9);
    const person = await newPerson(platform, former.email);
    await newContact(platform, { email: former.email });
    await platform.call("POST /cancellations", {
      body: { name: "Propriétaire de la boîte", email: former.email },
    });
    await ask(platform, person.email);
    await platform.runDueJobs();
    const reset = (line: string) => line.endsWith(" password-reset");
    const before = await mailsTo(platform, person.email);
    expect(before.filter(reset)).toHaveLength(1);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passDays(platform, 1);
    const others = before.filter((line) => !reset(line));
    expect(others.length).toBeGreaterThan(1);
    expect(await mailsTo(platform, person.email)).toEqual(others);
  });

  it("leaves the data of others untouched", async () => {
    const platform = await open();
    const person = await longTime(platform);
    const other = await longTime(platform);
    await ask(platform, other.email);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    expect(await rowsOf(platform, other)).toEqual(ACCESS);
  });
});
