import { expect, it } from "vitest";
import { onEachDatabase, ORIGIN, type TestPlatform } from "../support/platform";
import { newPerson, signIn, type Person } from "./funnel";
import { answer, newCoach } from "./desk";
import { back, mailsTo, passDays, subscriber, subscriptionOf } from "./life";
import { asContact, mailedSecret, newContact, write } from "./threads";

const NOW = "2026-11-20T10:00:00.000Z";
/** What is held to let them in or to charge them, and means nothing to them. */
const SECRETS = /hash|_key|_reference|intent_digest/;

onEachDatabase("what is held about a person", (open) => {
  const read = async (platform: TestPlatform, { uid, token }: Person) => {
    const { status, body } = await platform.call(`GET /users/${uid}/export`, { token });
    expect(status).toBe(200);
    return body.payload;
  };

  /** Somebody about whom everything is held that can be. */
  async function everything() {
    const platform = await open();
    const person = await subscriber(platform);
    const { token } = person;
    await platform.call(`PUT /users/${person.uid}/metadata`, {
      token,
      body: { profile: { name: "Zoé", favorites: ["balance"] }, theme: { rising: "lion" } },
    });
    await platform.database
      .updateTable("account")
      .set({ affiliation_token: "abc", affiliation_platform: "demo" })
      .execute();
    await signIn(platform, person.email, undefined, { agent: "Firefox/150" });
    await platform.call("POST /reset-password/request", { body: { identifier: person.email } });
    const notice = { name: "Zoé Martin", email: person.email };
    await platform.call("POST /withdrawals", { token, body: notice });
    await platform.runDueJobs();
    return { platform, person };
  }

  it("is exported completely in one response", async () => {
    const { platform, person } = await everything();
    const { uid: reference } = await subscriptionOf(platform, person);
    const given = await read(platform, person);
    expect(given).toMatchObject({
      exportedDateTime: NOW,
      account: {
        uid: person.uid,
        email: person.email,
        createdDateTime: NOW,
        coachingName: "Zoé",
        favorites: ["balance"],
        formula: "vip-mensuel",
        metadata: { theme: { rising: "lion" } },
      },
      affiliation: { token: "abc", platform: "demo" },
      sessions: [{ device: null }, { device: "Firefox/150", createdDateTime: NOW }],
      subscriptions: [{ reference, currency: "EUR", startedDateTime: NOW, withdrawnDateTime: NOW }],
      payments: [{ amount: 100, currency: "EUR", status: "success", card: "424242…4242" }],
      refunds: [{ amount: 100, currency: "EUR", status: "success" }],
      notices: [{ kind: "withdrawal", name: "Zoé Martin", receivedDateTime: NOW }],
    });
    expect(given.mails).toHaveLength((await mailsTo(platform, person.email)).length);
    expect(Object.keys(given.mails[0])).toEqual(["subject", "createdDateTime", "sentDateTime"]);
  });

  it("is exported without secrets and the bank's identifiers", async () => {
    const { platform, person } = await everything();
    const text = JSON.stringify(await read(platform, person));
    const held: unknown[] = [];
    for (const name of ["account", "account_session", "payment", "subscription"] as const) {
      for (const row of await platform.database.selectFrom(name).selectAll().execute()) {
        const secrets = Object.entries(row).filter(([column]) => SECRETS.test(column));
        held.push(...secrets.map(([, value]) => value));
      }
    }
    const tellable = new Set([person.email, null]);
    const secrets = held.filter((value) => !tellable.has(value as string | null));
    expect(secrets.length).toBeGreaterThan(4);
    expect(secrets.filter((value) => text.includes(String(value)))).toEqual([]);
  });

  it("has every message of a long discussion", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 0.1);
    const { token } = await back(platform, person);
    const body = { title: "Mon thème", message: "message 1" };
    const opened = await platform.call("POST /support/coaching/tickets", { token, body });
    const { uid } = opened.body.payload;
    for (let n = 2; n <= 101; n++) {
      const message = { message: `message ${n}` };
      await platform.call(`POST /support/coaching/tickets/${uid}/messages`, {
        token,
        body: message,
      });
    }
    await answer(platform, await newCoach(platform), uid, { message: "Une note", internal: true });
    const { discussions } = await read(platform, { ...person, token });
    expect(discussions).toMatchObject([{ uid, notes: [{ content: "Une note" }] }]);
    const contents = discussions[0].messages.map(({ content }: { content: string }) => content);
    expect(contents).toEqual(Array.from({ length: 101 }, (_, index) => `message ${index + 1}`));
  });

  it("is missing from an export that breaks off, which the log tells", async () => {
    const told: object[] = [];
    const log = { info() {}, warn() {}, error: (...line: unknown[]) => void told.push(line) };
    const platform = await open({ log });
    const { uid, token } = await newPerson(platform);
    const answer = await platform.fetch(
      new Request(`${ORIGIN}/api/users/${uid}/export`, {
        headers: { authorization: `Bearer ${token}` },
      }),
    );
    expect(answer.status).toBe(200);
    await platform.close();
    await expect(answer.text()).rejects.toThrow();
    // The database is what failed.
    const call = "GET /users/{uid}/export";
    expect(told).toMatchObject([[{ call }, "the database does not answer"]]);
  });

  it("is exported ten times an hour, twice a minute", async () => {
    const platform = await open();
    const { uid, token } = await newPerson(platform);
    const wait = async () => {
      const refused = await platform.call(`GET /users/${uid}/export`, { token });
      return [refused.status, refused.headers.get("retry-after")];
    };
    for (let minute = 0; minute < 5; minute++) {
      for (let time = 0; time < 2; time++) await read(platform, { uid, token } as Person);
      if (minute === 0) expect(await wait()).toEqual([429, "60"]);
      platform.clock.advance(60_000);
    }
    expect(await wait()).toEqual([429, String(55 * 60)]);
    const other = await newPerson(platform);
    await read(platform, other);
  });

  it("contains no data of others", async () => {
    const { platform, person } = await everything();
    const other = await newPerson(platform);
    const text = JSON.stringify(await read(platform, other));
    expect(text).not.toContain(person.uid);
    expect(text).not.toContain(person.email);
    const asOther = { token: other.token };
    expect((await platform.call(`GET /users/${person.uid}/export`, asOther)).status).toBe(404);
    expect((await platform.call(`GET /users/${person.uid}/export`)).status).toBe(401);
  });

  it("has contact requests posted while signed in", async () => {
    const platform = await open();
    const [person, coach] = [await newPerson(platform), await newCoach(platform)];
    const { token, email } = person;
    const post = (body: object, sender?: string) =>
      platform.call("POST /support/contact/tickets", {
        ...(sender && { token: sender }),
        body: { name: "Ada", email, title: "Ma carte", message: "Bonjour", ...body },
      });
    const { uid } = (await post({ message: "Ma première question" }, token)).body.payload;
    const secret = await mailedSecret(platform, email);
    await answer(platform, coach, uid, { message: "Notre première réponse" });
    await answer(platform, coach, uid, { message: "Une note", internal: true });
    const contact = { uid, email, secret };
    const headers = asContact(contact);
    await platform.call(`POST /support/contact/tickets/${uid}/messages`, {
      token,
      headers,
      body: { message: "Ma seconde question" },
    });
    await answer(platform, coach, uid, { message: "Notre seconde réponse" });
    await write(platform, contact, "Secret du propriétaire de la boîte");
    await answer(platform, coach, uid, { message: "Réponse au propriétaire" });
    await post({ message: "Secret d’un inconnu" });
    await post({ message: "Secret d’un autre compte" }, (await newPerson(platform)).token);
    const elsewhere = { message: "Pour une autre boîte", email: "autre.boite@exemple.fr" };
    const other = (await post(elsewhere, token)).body.payload.uid;
    await answer(platform, coach, other, { message: "Secret de l’autre boîte" });

    const { contactRequests } = await read(platform, person);
    expect(contactRequests).toMatchObject([
      { uid, title: "Ma carte", status: "pending", email, date: NOW },
      { uid: other, email: "autre.boite@exemple.fr" },
    ]);
    const contentsOf = ({ messages }: { messages: { content: string }[] }) =>
      messages.map(({ content }) => content);
    expect(contactRequests.map(contentsOf)).toEqual([
      ["Ma première question", "Ma seconde question"],
      ["Pour une autre boîte"],
    ]);

    await platform.call(`DELETE /users/${person.uid}`, { token });
    await platform.runDueJobs();
    const rows = await platform.database.selectFrom("ticket_message").selectAll().execute();
    expect(rows.filter(({ posted_by }) => posted_by === person.uid)).toEqual([]);
    expect(rows.filter(({ content }) => content === "Ma première question")).toHaveLength(1);
  });

  it("has what was written by the mailed link of a request that nobody opened signed in", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const contact = await newContact(platform, { title: "Titre tapé", email: person.email });
    await write(platform, contact, "Sans connexion");
    const headers = asContact(contact);
    await platform.call(`POST /support/contact/tickets/${contact.uid}/messages`, {
      token: person.token,
      headers,
      body: { message: "Mes mots" },
    });
    await answer(platform, await newCoach(platform), contact.uid, { message: "La réponse" });
    const { contactRequests } = await read(platform, person);
    expect(contactRequests).toEqual([
      {
        uid: contact.uid,
        messages: [{ uid: expect.any(String), date: NOW, author: "person", content: "Mes mots" }],
      },
    ]);
  });

  it("keeps a stranger's name out of one's notices", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    const body = { name: "Un Inconnu", email: "inconnu@exemple.fr", reference };
    await platform.call("POST /cancellations", { body });
    await platform.runDueJobs();
    const { notices } = await read(platform, person);
    expect(notices).toMatchObject([{ kind: "cancellation", subscription: reference }]);
    expect(JSON.stringify(notices)).not.toMatch(/inconnu/i);
  });

  it("excludes earlier notices under the same e-mail", async () => {
    const platform = await open();
    const body = { name: "Première Personne", email: "partagee@exemple.fr" };
    for (const line of ["POST /cancellations", "POST /withdrawals"]) {
      await platform.call(line, { body });
    }
    await platform.runDueJobs();
    platform.clock.advance(60_000);
    const person = await newPerson(platform, body.email);
    const { notices, mails } = await read(platform, person);
    expect([notices, mails]).toEqual([[], []]);
    const proof = () =>
      Promise.all([
        platform.database.selectFrom("contract_notice").select(["name", "email"]).execute(),
        mailsTo(platform, body.email),
      ]);
    const before = await proof();
    expect(before[0]).toEqual([body, body]);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passDays(platform, 1);
    expect(await proof()).toEqual(before);
  });

  it("excludes mails about what others have at the same mailbox", async () => {
    const platform = await open();
    const former = await subscriber(platform);
    await platform.call(`DELETE /users/${former.uid}`, { token: former.token });
    await passDays(platform, 9);
    const person = await newPerson(platform, former.email);
    const owner = await newContact(platform, { email: former.email });
    await answer(platform, await newCoach(platform), owner.uid, { message: "Votre carte" });
    await platform.call("POST /cancellations", {
      body: { name: "Propriétaire de la boîte", email: former.email },
    });
    await platform.runDueJobs();
    expect((await mailsTo(platform, former.email)).length).toBeGreaterThan(2);
    expect((await read(platform, person)).mails).toEqual([]);
  });

  it("reveals nothing about another's contract they named", async () => {
    const platform = await open();
    const { uid: reference } = await subscriptionOf(platform, await subscriber(platform));
    const person = await newPerson(platform);
    const body = { name: "Zoé Martin", email: person.email, reference };
    await platform.call("POST /cancellations", { token: person.token, body });
    await platform.runDueJobs();
    const { notices } = await read(platform, person);
    expect(notices).toMatchObject([body]);
    expect(Object.keys(notices[0])).not.toContain("subscription");
    expect(Object.keys(notices[0])).not.toContain("undoneDateTime");
  });

  it("can be exported after the subscription ended", async () => {
    const { platform, person } = await everything();
    await passDays(platform, 0.5);
    expect((await read(platform, await back(platform, person))).payments).toHaveLength(1);
  });
});
