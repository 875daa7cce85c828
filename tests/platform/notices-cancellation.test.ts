import { expect, it } from "vitest";
import { FakeClock } from "../../server/platform/ports/clock";
import { readArchive } from "../../server/platform/subscriptions/proof";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import {
  CARDS,
  newAddress,
  newPage,
  newPerson,
  post,
  rolesOf,
  signIn,
  type Person,
} from "./funnel";
import {
  DAY_MS,
  back,
  ledgerOf,
  loseCard,
  mailAbout,
  mailsSentTo,
  mailsTo,
  newestMail,
  passDays,
  passTo,
  placesOf,
  subscriber,
  subscriptionOf,
  undoAsShown,
} from "./life";

const NOW = "2026-11-20T10:00:00.000Z";

onEachDatabase("a cancellation by anybody", (open) => {
  type As = { token?: string; headers?: Record<string, string> };

  const notify = (platform: TestPlatform, email: string, more: object = {}, as: As = {}) =>
    platform.call("POST /cancellations", { ...as, body: { name: "Ada Byron", email, ...more } });

  const undo = (platform: TestPlatform, token: string) =>
    platform.call("POST /cancellations/undo", { body: { token } });

  async function secretMailedTo(platform: TestPlatform, { email }: Person) {
    return linkIn((await newestMail(platform, email)).text);
  }

  const linkIn = (text: string) =>
    /https:\/\/cap\.example\/cancel-contract\/undo\?token=(\S+)/.exec(text)?.[1] ?? "";

  const noticeMails = async (platform: TestPlatform, { email }: Person) =>
    (await mailsTo(platform, email)).filter((line) => line.endsWith(" notice"));

  async function countSent({ database }: TestPlatform, { email }: Person) {
    const mails = database.selectFrom("mail").select("uid").where("recipient", "=", email);
    const sent = mails.where("sent_at", "is not", null).where("key", "like", "notice:%");
    return (await sent.execute()).length;
  }

  async function cancelled() {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person.email);
    await platform.runDueJobs();
    return { platform, person };
  }

  it.each([" ", "\u200b", "\r\n", "\u202e\u2066"])(
    "names somebody: %j is refused",
    async (name) => {
      const { status, body } = await notify(await open(), "ada@exemple.fr", { name });
      expect(status).toBe(400);
      expect(body.violations).toMatchObject([{ property: "name" }]);
    },
  );

  it("answers the same whether or not there is one", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    const answers = [await notify(platform, email), await notify(platform, "personne@exemple.fr")];
    for (const { status, body, headers } of answers) {
      expect(status).toBe(202);
      expect(Object.keys(body.payload).sort()).toEqual([
        "awaitsConfirmation",
        "receivedAt",
        "seller",
        "uid",
      ]);
      expect(body.payload).toMatchObject({ receivedAt: NOW, awaitsConfirmation: false });
      expect(headers.get("next-token")).toBeNull();
    }
    const jobs = await platform.database
      .selectFrom("job")
      .select("kind")
      .where("kind", "=", "notice.process")
      .execute();
    expect(jobs).toHaveLength(2);
  });

  it("repeated word for word is told as that, with or without one", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    for (const address of [email, "personne@exemple.fr"]) {
      const first = await notify(platform, address);
      expect(first.body.payload).not.toHaveProperty("isRepeat");
      const again = await notify(platform, address);
      expect(again.body.payload).toEqual({ ...first.body.payload, isRepeat: true });
    }
  });

  it("is answered with what else ends, and with what a withdrawal would give back", async () => {
    const { platform, person } = await cancelled();
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain("votre profil est supprimé, avec vos favoris et vos échanges");
    expect(text).toMatch(/Jusqu’au 4\sdéc\.\s2026 inclus, vous pouvez renoncer au contrat/);
    expect(text).toContain("https://cap.example/withdrawal");
    await undo(platform, await secretMailedTo(platform, person));
    await platform.runDueJobs();
    const undone = (await newestMail(platform, person.email)).text;
    expect(undone).toMatch(/Jusqu’au 4\sdéc\.\s2026 inclus, vous pouvez encore renoncer/);
    expect(undone).not.toContain("préférez un remboursement");
    await passDays(platform, 16);
    await notify(platform, person.email);
    await platform.runDueJobs();
    const late = (await newestMail(platform, person.email)).text;
    expect(late).toContain("Nous accusons réception");
    expect(late).toContain("votre profil est supprimé");
    expect(late).not.toContain("renoncer au contrat");
  });

  it("stops the renewal as the account page does", async () => {
    const { platform, person } = await cancelled();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain("Ada Byron");
    expect(text).toMatch(/20\snov\.\s2026\sà\s11:00/);
    expect(text).toMatch(/27\snov\.\s2026\sà\s11:00/);
    await passTo(platform, "2026-11-27T10:00:00.000Z");
    expect(await rolesOf(platform, person)).toEqual({});
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
  });

  it("finds the contract by any spelling of the e-mail", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, `  ${person.email.toUpperCase()} `);
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
  });

  it("finds the contract by reference and mails its owner", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await notify(platform, "autre@exemple.fr", { reference, date: "2026-11-25" });
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
    expect(await mailsTo(platform, person.email)).toHaveLength(3);
  });

  it("reports by mail only that nothing was found", async () => {
    const platform = await open();
    await notify(platform, "personne@exemple.fr");
    await platform.runDueJobs();
    const { text } = await newestMail(platform, "personne@exemple.fr");
    expect(text).toMatch(/aucun abonnement/);
    expect(text).not.toContain("undo");
  });

  it("finds none for unpaid or erased accounts", async () => {
    const { platform, person } = await cancelled();
    const member = await newPerson(platform);
    await passDays(platform, 60);
    for (const { email } of [person, member]) {
      await notify(platform, email);
      await platform.runDueJobs();
      expect((await newestMail(platform, email)).text).toMatch(/aucun abonnement/);
    }
  });

  it("is undone by its link, but not by opening it", async () => {
    const { platform, person } = await cancelled();
    const secret = await secretMailedTo(platform, person);
    expect((await platform.call(`GET /cancellations/undo?token=${secret}`)).status).toBe(404);
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
    for (let time = 0; time < 2; time++) {
      const { status, body } = await undo(platform, secret);
      expect([status, body]).toEqual([200, { payload: { status: "undone" } }]);
    }
    expect(
      (await mailsTo(platform, person.email)).filter((line) => /undone/.test(line)),
    ).toHaveLength(1);
    await passDays(platform, 8);
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
    expect(await rolesOf(platform, await back(platform, person))).toEqual({ vip: true });
  });

  it("is undone when the next period is paid on a page", async () => {
    const { platform, person } = await cancelled();
    await platform.database.updateTable("subscription").set({ card_reference: null }).execute();
    const secret = await secretMailedTo(platform, person);
    expect((await undo(platform, secret)).body.payload).toEqual({
      status: "undone",
      payUntilDateTime: "2026-12-04T10:00:00.000Z",
    });
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
  });

  it("is undone even after the period ended", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 5);
    await notify(platform, person.email);
    await platform.runDueJobs();
    const secret = await secretMailedTo(platform, person);
    await passDays(platform, 6);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: "2026-11-27T10:00:00.000Z",
    });
    const { body } = await undoAsShown(platform, secret);
    expect(body.payload).toEqual({ status: "undone", isCharged: true });
    await platform.runDueJobs();
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: null,
      expires_at: "2027-01-01T10:00:00.000Z",
    });
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
  });

  it("is undone after months with a receipt that owes nothing", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passTo(platform, "2027-03-24T10:00:00.000Z");
    await notify(platform, person.email);
    await platform.runDueJobs();
    const secret = await secretMailedTo(platform, person);
    await passDays(platform, 6);
    expect((await undoAsShown(platform, secret)).body.payload).toEqual({
      status: "undone",
      isCharged: true,
    });
    await platform.runDueJobs();
    const receipt = mailsSentTo(platform, person).at(-1);
    expect(receipt?.text).toContain("9,90");
    expect(receipt?.text).not.toContain("L215-1");
  });

  it("keeps the profile as long as it can be undone", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 5);
    await notify(platform, person.email);
    const register = () =>
      platform.call("POST /registrations/register", {
        body: { identifier: person.email, formula: "vip-mensuel", password: "une-autre-orbite" },
      });
    await passTo(platform, "2026-12-02T09:59:59.999Z");
    expect((await register()).status).toBe(409);
    await passTo(platform, "2026-12-02T10:00:00.000Z");
    expect((await register()).status).toBe(201);
  });

  it.each(["", "unknown", "x".repeat(600)])("refuses the link %j", async (token) => {
    const { platform } = await cancelled();
    const { status, body } = await undo(platform, token);
    expect([status, body.violations[0].property]).toEqual([400, "token"]);
  });

  it("refuses its link after seven days", async () => {
    const { platform, person } = await cancelled();
    const secret = await secretMailedTo(platform, person);
    await passDays(platform, 7);
    expect((await undo(platform, secret)).status).toBe(400);
  });

  it("keeps only the hash of its link's secret once it is sent", async () => {
    const { platform, person } = await cancelled();
    const secret = await secretMailedTo(platform, person);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await placesOf(platform, secret)).toEqual([]);
  });

  it("undoes no stop that the person made", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await notify(platform, person.email);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/déjà arrêté/);
    expect(text).toContain("votre profil est supprimé");
    expect(text).toMatch(/\/withdrawal[^]*rembours/);
    expect(text).not.toContain("undo");
  });

  it("sends a limited number of mails when repeated", async () => {
    const platform = await open();
    for (let time = 0; time < 12; time++) await notify(platform, "victime@exemple.fr");
    await platform.runDueJobs();
    expect(await mailsTo(platform, "victime@exemple.fr")).toHaveLength(1);
  });

  it("repeated gets the first receipt and changes nothing", async () => {
    const { platform, person } = await cancelled();
    const secret = await secretMailedTo(platform, person);
    const before = await mailsTo(platform, person.email);
    platform.clock.advance(59 * 60_000);
    const { uid } = await platform.database
      .selectFrom("contract_notice")
      .select("uid")
      .executeTakeFirstOrThrow();
    const again = await notify(platform, ` ${person.email.toUpperCase()}`);
    expect(again.body.payload).toMatchObject({ uid, receivedAt: NOW });
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
    expect(await mailsTo(platform, person.email)).toEqual(before);
    expect((await undo(platform, secret)).body.payload).toEqual({ status: "undone" });
  });

  it("repeated is exported and archived with the contract of the first", async () => {
    const { platform, person } = await cancelled();
    await notify(platform, person.email);
    await platform.runDueJobs();
    const { uid: subscription } = await subscriptionOf(platform, person);
    await undo(platform, await secretMailedTo(platform, person));
    const { uid, token } = person;
    const { body } = await platform.call(`GET /users/${uid}/export`, { token });
    const undone = { undoneDateTime: NOW };
    const both = [undone, undone];
    expect(body.payload.notices).toMatchObject(both.map((one) => ({ ...one, subscription })));
    const { notices } = await readArchive(platform.database, subscription);
    expect(notices).toMatchObject(both.map((one) => ({ ...one, reference: subscription })));
  });

  it("hides an earlier notice, and counts, from another sender", async () => {
    const { platform, person } = await cancelled();
    platform.clock.advance(DAY_MS);
    const from = { headers: { "x-client-address": newAddress() } };
    const other = await notify(platform, person.email, {}, from);
    expect(other.body.payload.receivedAt).toBe(platform.clock.now().toISOString());
    const before = await noticeMails(platform, person);
    await platform.runDueJobs();
    expect(await noticeMails(platform, person)).toHaveLength(before.length + 1);
  });

  it("of several at once is mailed once for each other words", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await Promise.all([
      ...Array.from({ length: 4 }, () => notify(platform, person.email)),
      notify(platform, "autre@exemple.fr", { reference }),
      notify(platform, person.email, {}, { token: person.token }),
    ]);
    await Promise.all(Array.from({ length: 4 }, () => platform.runDueJobs()));
    expect(await noticeMails(platform, person)).toHaveLength(3);
    const changing = await platform.database
      .selectFrom("contract_notice")
      .select("uid")
      .where("undo_hash", "is not", null)
      .execute();
    expect(changing).toHaveLength(3);
    const { text } = await newestMail(platform, person.email);
    expect((await undo(platform, linkIn(text))).body.payload).toEqual({ status: "stopped" });
  });

  it("sends a mail for each change, whatever was undone", async () => {
    const { platform, person } = await cancelled();
    for (let time = 1; time < 4; time++) {
      await undo(platform, await secretMailedTo(platform, person));
      expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
      platform.clock.advance(60_000);
      await notify(platform, person.email);
      await platform.runDueJobs();
      const { cancelled_at } = await subscriptionOf(platform, person);
      expect(cancelled_at).toBe(platform.clock.now().toISOString());
      expect(await noticeMails(platform, person)).toHaveLength(time + 1);
    }
    await undo(platform, await secretMailedTo(platform, person));
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
  });

  /** Fourteen days, each earlier than the one before: each changes the contract. */
  async function plan(platform: TestPlatform, person: Person, name: object) {
    for (let day = 28; day > 14; day--) {
      const from = { headers: { "x-client-address": newAddress() } };
      const planned = { ...name, date: `2027-03-${day}` };
      expect((await notify(platform, person.email, planned, from)).status).toBe(202);
      await platform.runDueJobs();
    }
  }

  it("takes effect at once despite strangers' planned notices", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await plan(platform, person, {});
    expect(await countSent(platform, person)).toBe(10);
    const { status } = await notify(platform, person.email);
    await platform.runDueJobs();
    expect(status).toBe(202);
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
    // Its mail does not wait behind those that were planned.
    expect(await countSent(platform, person)).toBe(11);
    const secret = await secretMailedTo(platform, person);
    await passDays(platform, 1);
    expect(await countSent(platform, person)).toBe(15);
    await passDays(platform, 5.9);
    expect((await undo(platform, secret)).body.payload).toEqual({
      status: "undone",
      plannedEndDateTime: "2027-03-27T10:00:00.000Z",
    });
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
  });

  it("by reference is mailed ten times a day", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    for (let day = 28; day > 14; day--) {
      const planned = { reference, date: `2027-03-${day}` };
      const from = { headers: { "x-client-address": newAddress() } };
      await notify(platform, `autre.${day}@exemple.fr`, planned, from);
      await platform.runDueJobs();
    }
    expect(await countSent(platform, person)).toBe(10);
    const planned = await platform.database
      .selectFrom("contract_notice")
      .select("stops_at")
      .where("mailed_at", "is", null)
      .orderBy("stops_at")
      .execute();
    // The one that stops the contract first is mailed first.
    await passDays(platform, 1);
    const { text } = await newestMail(platform, person.email);
    expect(await countSent(platform, person)).toBe(14);
    expect(planned).toHaveLength(4);
    expect(linkIn(text)).not.toBe("");
  });

  it("that came before the contract does not stop it", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await notify(platform, person.email);
    platform.clock.advance(1);
    await post(platform, await newPage(platform, person), { cardNumber: CARDS.success });
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
  });

  it("of the person takes effect despite strangers' notices", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    for (let day = 10; day < 24; day++) {
      const from = { headers: { "x-client-address": newAddress() } };
      const sent = { date: `2027-03-${34 - day}`, reference: `autre-${day}` };
      await notify(platform, person.email, sent, from);
      await platform.call("POST /withdrawals", {
        ...from,
        body: { name: "Ada", email: person.email, reference: `autre-${day}` },
      });
    }
    await platform.runDueJobs();
    const own = await notify(platform, person.email, {}, { token: person.token });
    expect(own.status).toBe(202);
    expect((await subscriptionOf(platform, person)).cancelled_at).not.toBeNull();
  });

  it("sends few mails when no contract is found", async () => {
    const platform = await open();
    for (let time = 0; time < 14; time++) {
      const from = { headers: { "x-client-address": newAddress() } };
      await notify(platform, "victime@exemple.fr", { reference: `autre-${time}` }, from);
    }
    await passDays(platform, 3);
    expect(await mailsTo(platform, "victime@exemple.fr")).toHaveLength(10);
    const jobs = await platform.database.selectFrom("job").selectAll().execute();
    expect(jobs.filter(({ kind }) => kind === "notice.process")).toHaveLength(14);
  });

  it("is accepted from the owner at a limited address", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const from = { headers: { "x-client-address": newAddress() } };
    for (let time = 0; time < 30; time++) {
      await notify(platform, `personne.${time}@exemple.fr`, {}, from);
    }
    expect((await notify(platform, person.email, {}, from)).status).toBe(429);
    const own = { ...from, token: person.token };
    expect((await notify(platform, person.email, {}, own)).status).toBe(202);
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
  });

  it("refuses a day that is past in Paris", async () => {
    const platform = await open({ clock: new FakeClock("2026-11-20T23:30:00.000Z") });
    const dated = (date: string) => notify(platform, "a@exemple.fr", { date });
    const past = await dated("2026-11-20");
    expect([past.status, past.body.violations]).toEqual([
      400,
      [{ property: "date", type: "invalid", message: expect.any(String) }],
    ]);
    expect((await dated("2026-11-21")).status).toBe(202);
  });

  it("refuses a day more than three years ahead", async () => {
    const platform = await open();
    const dated = (date: string) => notify(platform, "a@exemple.fr", { date });
    const far = await dated("2029-11-21");
    expect([far.status, far.body.violations]).toEqual([
      400,
      [{ property: "date", type: "invalid", message: expect.any(String) }],
    ]);
    expect((await dated("2029-11-20")).status).toBe(202);
  });

  it("planned by a stranger delays no deletion", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person.email, { date: "2029-01-01" });
    await platform.runDueJobs();
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await passDays(platform, 9);
    expect(await placesOf(platform, person.email)).not.toContain("account.identifier");
  });

  it("for a day that is paid stops at once", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person.email, { date: "2026-11-27" });
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
  });

  it("for a later day ends with the period it falls in", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person.email, { date: "2027-01-10" });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/Date souhaitée\s: 10\sjanv\.\s2027/);
    expect(text).toMatch(/Fin de l’accès\s: 27\sjanv\.\s2027/);
    expect(linkIn(text)).not.toBe("");
    await passTo(platform, "2027-01-09T22:00:00.000Z");
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
    await passTo(platform, "2027-01-27T10:00:00.000Z");
    expect(await rolesOf(platform, await back(platform, person))).toEqual({});
    const ending = await mailAbout(platform, person.email, "trial-ending");
    expect(ending.text).toMatch(/puis prend fin le 27\sjanv\.\s2027/);
    const receipt = await mailAbout(platform, person.email, "receipt");
    expect(receipt.text).toMatch(/Si elle n’est pas annulée, il prend fin le 27\sjanv\.\s2027/);
    const { text: stopped } = await mailAbout(platform, person.email, "notice-stop");
    expect(stopped).toMatch(/La résiliation que nous avons reçue le 20\snov\.\s2026/);
    expect(stopped).toMatch(/Annulation possible jusqu’au\s: 18\sjanv\.\s2027/);
    expect(stopped).toMatch(/était prévue pour le 10\sjanv\.\s2027/);
    expect(stopped).toContain("par le lien de l’accusé de réception");
    expect(stopped).not.toContain("Comme vous l’avez demandé");
    expect(await ledgerOf(platform, person.email)).toHaveLength(3);
  });

  const answerTo = async (platform: TestPlatform, person: Person) => {
    const { token } = await back(platform, person);
    return (await platform.call("GET /subscriptions", { token })).body.payload;
  };

  it("for a later day is shown to its owner", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    expect(await answerTo(platform, person)).not.toHaveProperty("plannedEndDateTime");
    for (const date of ["2027-03-03", "2027-01-10"]) {
      await notify(platform, person.email, { date });
      await platform.runDueJobs();
    }
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/Fin de l’accès\s: 27\sjanv\.\s2027/);
    const planned = { plannedEndDateTime: "2027-01-27T10:00:00.000Z", cancelledDateTime: null };
    for (const until of [NOW, "2026-12-28T10:00:00.000Z"]) {
      await passTo(platform, until);
      expect(await answerTo(platform, person)).toMatchObject(planned);
    }
    await passTo(platform, "2027-01-11T10:00:00.000Z");
    const stopped = await answerTo(platform, person);
    expect(stopped).not.toHaveProperty("plannedEndDateTime");
    expect(stopped).toMatchObject({
      cancelledDateTime: "2027-01-09T23:00:00.000Z",
      expirationDateTime: "2027-01-27T10:00:00.000Z",
    });
  });

  const preview = (platform: TestPlatform, body: object, token?: string) =>
    platform.call("POST /subscriptions/cancellation/preview", {
      ...(token && { token }),
      body: { name: "Ada Byron", ...body },
    });

  it.each([
    [undefined, 0, "2026-11-27T10:00:00.000Z"],
    ["2026-11-27", 0, "2026-11-27T10:00:00.000Z"],
    ["2026-11-28", 1, "2026-12-27T10:00:00.000Z"],
    ["2027-01-10", 2, "2027-01-27T10:00:00.000Z"],
    ["2027-01-28", 3, "2027-02-27T10:00:00.000Z"],
  ])("for the day %s is previewed to its owner as it ends", async (date, debitCount, end) => {
    const platform = await open();
    const { email, token, ...person } = await subscriber(platform);
    const given = { email, ...(date && { date }) };
    const { body } = await preview(platform, given, token);
    const notices = platform.database.selectFrom("contract_notice").select("uid");
    expect(await notices.execute()).toEqual([]);
    await notify(platform, email, given, { token });
    const { payload } = await platform.call("GET /subscriptions", { token }).then((a) => a.body);
    expect(body.payload).toEqual({ ...payload, debitCount });
    const { plannedEndDateTime, expirationDateTime } = payload;
    expect(plannedEndDateTime ?? expirationDateTime).toBe(end);
    await passTo(platform, end);
    expect(await ledgerOf(platform, email)).toHaveLength(1 + debitCount);
    expect(await rolesOf(platform, await back(platform, { ...person, email, token }))).toEqual({});
  });

  it("is previewed with the earlier end that another one plans", async () => {
    const platform = await open();
    const { email, token } = await subscriber(platform);
    await notify(platform, email, { date: "2026-12-10" }, { token });
    const { body } = await preview(platform, { email, date: "2027-03-03" }, token);
    const plannedEndDateTime = "2026-12-27T10:00:00.000Z";
    expect(body.payload).toMatchObject({ plannedEndDateTime, debitCount: 1 });
  });

  it("is mailed with the earlier end that another one plans", async () => {
    const platform = await open();
    const { email, token } = await subscriber(platform);
    const mailed = async (date: string) => {
      await notify(platform, email, { date }, { token });
      await platform.runDueJobs();
      return (await newestMail(platform, email)).text;
    };
    await mailed("2026-12-10");
    const text = await mailed("2027-03-03");
    expect(text).toMatch(/Fin de l’accès\s?: 27\sdéc\.\s2026/);
    expect(text).toContain("Une autre demande met déjà fin au contrat avant");
    expect(text).toMatch(/encore un, de 9,90\s€/);
    expect(text).toMatch(/annulée, le contrat prend fin le 27\smars\s2027/);
    // One that ends it sooner itself says nothing of others.
    const sooner = await mailed("2026-11-25");
    expect(sooner).toMatch(/Fin de l’accès\s?: 27\snov\.\s2026/);
    expect(sooner).not.toContain("Une autre demande");
  });

  it("is previewed to nobody but the owner of its contract", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    const other = await subscriber(platform);
    const member = await newPerson(platform);
    const { email } = person;
    const asked = await Promise.all([
      preview(platform, { email }),
      preview(platform, { email }, other.token),
      preview(platform, { email, reference }, other.token),
      preview(platform, { email }, member.token),
      preview(platform, { email: member.email }, member.token),
      preview(platform, { email: other.email }, person.token),
      preview(platform, { email: other.email, reference }, person.token),
      preview(platform, { email, date: "2020-01-31" }, person.token),
    ]);
    expect(asked.map(({ status }) => status)).toEqual([401, 404, 404, 404, 404, 404, 200, 400]);
  });

  it("for a later day keeps a period paid in advance", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person.email, { date: "2027-01-10" });
    await platform.runDueJobs();
    const expires_at = "2027-02-27T10:00:00.000Z";
    await platform.database.updateTable("subscription").set({ expires_at }).execute();
    expect(await answerTo(platform, person)).toMatchObject({ plannedEndDateTime: expires_at });
  });

  it("that is undone is no longer planned", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person.email, { date: "2027-01-10" });
    await platform.runDueJobs();
    await undo(platform, await secretMailedTo(platform, person));
    expect(await answerTo(platform, person)).not.toHaveProperty("plannedEndDateTime");
  });

  it("of a stranger is shown with the time to undo", async () => {
    const { platform, person } = await cancelled();
    const told = { cancellation: { receivedDateTime: NOW, undoDateTime: expect.any(String) } };
    expect(await answerTo(platform, person)).toMatchObject(told);
    await undo(platform, await secretMailedTo(platform, person));
    expect(await answerTo(platform, person)).not.toHaveProperty("cancellation");
  });

  it("that is undone reports a later stop by the person", async () => {
    const { platform, person } = await cancelled();
    const secret = await secretMailedTo(platform, person);
    const statuses = [(await undo(platform, secret)).body.payload.status];
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    statuses.push((await undo(platform, secret)).body.payload.status);
    await passTo(platform, "2026-11-27T09:59:00.000Z");
    statuses.push((await undo(platform, secret)).body.payload.status);
    expect(statuses).toEqual(["undone", "stopped", "stopped"]);
  });

  it("for a later day is undone before and after it", async () => {
    for (const until of ["2026-12-20T10:00:00.000Z", "2027-01-12T10:00:00.000Z"]) {
      const platform = await open();
      const person = await subscriber(platform);
      await notify(platform, person.email, { date: "2027-01-10" });
      await platform.runDueJobs();
      const { text } = await newestMail(platform, person.email);
      await passTo(platform, until);
      expect((await undo(platform, linkIn(text))).body.payload).toEqual({ status: "undone" });
      await passTo(platform, "2027-01-28T10:00:00.000Z");
      expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
      expect(await ledgerOf(platform, person.email)).toHaveLength(4);
    }
  });

  it("for a later day can be undone for seven days", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person.email, { date: "2026-12-10" });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/jusqu’au\s18\sdéc\.\s2026\sà\s00:00/);
    const { cancellation } = await answerTo(platform, person);
    expect(cancellation.undoDateTime).toBe("2026-12-17T23:00:00.000Z");
    await passTo(platform, "2026-12-17T22:59:00.000Z");
    expect((await undo(platform, linkIn(text))).status).toBe(200);
    await passTo(platform, "2026-12-17T23:00:00.000Z");
    expect((await undo(platform, linkIn(text))).status).toBe(400);
  });

  it.each([
    ["within", 0, undefined, false],
    ["beyond", 1, undefined, true],
    ["within", 0, "2026-12-10", false],
    ["beyond", 0, "2026-12-24", true],
  ])("with a link %s the paid period warns accordingly", async (_, day, date, isWarned) => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, day);
    await notify(platform, person.email, { date });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/Ce n’était pas vous\s\?/);
    expect(text.includes("une autre commence et se règle aussitôt")).toBe(isWarned);
  });

  it("undone during grace promises no immediate debit", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passDays(platform, 7.5);
    await notify(platform, person.email);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/Ce n’était pas vous\s\?/);
    expect(text).not.toContain("se règle aussitôt");
  });

  it("for a later day ignores a contract that ended unpaid", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person.email, { date: "2027-01-10" });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    await loseCard(platform, person);
    await passTo(platform, "2027-01-12T10:00:00.000Z");
    expect((await mailsTo(platform, person.email)).join()).not.toContain("notice-stop");
    const before = await ledgerOf(platform, person.email);
    expect((await undo(platform, linkIn(text))).body.payload).toEqual({ status: "ended" });
    await passDays(platform, 9);
    expect(await ledgerOf(platform, person.email)).toEqual(before);
    expect(await signIn(platform, person.email)).toMatchObject({ status: 200 });
  });

  it("of a stranger for a far day blocks no earlier one", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person.email, { date: "2029-01-10" });
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
    await notify(platform, person.email);
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
    expect(await noticeMails(platform, person)).toHaveLength(2);
  });

  it("is undone alone, and goes on when none is left", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    const secrets: string[] = [];
    for (const name of ["Ada Byron", "Zoé Kowalska", "Ada Byron"]) {
      platform.clock.advance(60_000);
      const as = secrets.length === 2 ? { token: person.token } : {};
      await notify(platform, person.email, { reference, name }, as);
      await platform.runDueJobs();
      secrets.push(await secretMailedTo(platform, person));
    }
    expect(new Set(secrets).size).toBe(3);
    const statuses: string[] = [];
    for (const secret of secrets) {
      statuses.push((await undo(platform, secret)).body.payload.status);
    }
    expect(statuses).toEqual(["stopped", "stopped", "undone"]);
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
  });

  it("requires a name and an e-mail", async () => {
    const platform = await open();
    const { status, body } = await platform.call("POST /cancellations", { body: { email: "x" } });
    expect(status).toBe(400);
    expect(body.violations.map((violation: { property: string }) => violation.property)).toEqual([
      "name",
      "email",
    ]);
  });
});
