import { afterEach, describe, expect, it, vi } from "vitest";
import { sql, type Migration } from "kysely";
import { main as data } from "../../server/cli/data";
import { changeContractEmail } from "../../server/platform/accounts/change-contract-email";
import { changeEmail } from "../../server/platform/accounts/change-email";
import * as correctedEmails from "../../server/platform/database/migrations/0050-corrected-emails";
import { ORDER_BUTTON } from "../../server/platform/offers/description";
import { wordsOf } from "../../server/platform/support/words";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { runCommand } from "./command";
import { subscriptionContext } from "./context";
import { bothCounts, inbox, newCoach } from "./desk";
import { newPage, signIn } from "./funnel";
import {
  back,
  mailAbout,
  mailsSentTo,
  passDays,
  placesOf,
  subscriber,
  subscriptionOf,
  undoAsShown,
} from "./life";
import { openWithStripe } from "./stripe-funnel";

afterEach(() => vi.unstubAllEnvs());

const run = (...argv: string[]) => runCommand(data, argv);

/** A command has its own clock, which is that of the machine. */
async function runCommandsJobs(platform: TestPlatform) {
  platform.clock.advance(Date.now() + 60_000 - platform.clock.now().getTime());
  await platform.runDueJobs();
}

onEachDatabase("generated data", (open) => {
  it("has the requested size and is consistent", async () => {
    const platform = await open();
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    const asked = ["--articles", "30", "--users", "7", "--tickets", "50", "--messages", "173"];
    const articles = await platform.call("GET /content/articles?length=100");
    expect(await run("generate", ...asked)).toMatchObject({ code: 0, error: [] });
    const { database } = platform;
    const tickets = await database.selectFrom("ticket").selectAll().execute();
    const messages = await database.selectFrom("ticket_message").selectAll().execute();
    expect([tickets.length, messages.length]).toEqual([50, 173]);
    expect(tickets.reduce((sum, { message_count }) => sum + message_count, 0)).toBe(173);
    for (const { uid, title, name, email } of tickets) {
      const said = messages.filter(({ ticket_uid }) => ticket_uid === uid);
      const rows = await database
        .selectFrom("ticket_word")
        .select("word")
        .where("ticket_uid", "=", uid)
        .execute();
      const words = wordsOf(title, name, email, ...said.map(({ content }) => content));
      expect(new Set(rows.map(({ word }) => word))).toEqual(new Set(words));
    }
    const [kept, counted] = await bothCounts(platform);
    expect(kept).toEqual(counted);
    const more = await platform.call("GET /content/articles?length=100");
    expect(more.body.payload.length - articles.body.payload.length).toBe(30);
    expect((await inbox(platform, await newCoach(platform))).page.hasNextPage).toBe(true);
    expect((await run("generate", "--users", "7")).code).toBe(0);
  });
});

onEachDatabase("the erasure of a contact request", (open) => {
  it("leaves no word of it, and no other request without one", async () => {
    const platform = await open();
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    const ask = async (title: string) => {
      const body = { name: "Zénobie", email: "zenobie@exemple.fr", title, message: `Mot ${title}` };
      expect((await platform.call("POST /support/contact/tickets", { body })).status).toBe(201);
    };
    await ask("quokka");
    await ask("wombat");
    await platform.runDueJobs();
    const { uid } = await platform.database
      .selectFrom("ticket")
      .select("uid")
      .where("title", "=", "quokka")
      .executeTakeFirstOrThrow();
    expect(await run("erase-request", uid)).toMatchObject({ code: 0, error: [] });
    expect(await placesOf(platform, "quokka")).toEqual([]);
    expect(await placesOf(platform, "Mot wombat")).toContain("ticket_message.content");
    const [kept, counted] = await bothCounts(platform);
    expect(kept).toEqual(counted);
    const again = await run("erase-request", uid);
    expect([again.code, again.error]).toEqual([1, [`There is no contact request ${uid}`]]);
  });

  it("takes no discussion with a coach", async () => {
    const platform = await open();
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    const person = await subscriber(platform);
    const begun = await platform.call("POST /support/coaching/tickets", {
      token: person.token,
      body: { title: "Mon ascendant", message: "Bonjour" },
    });
    const { uid } = begun.body.payload;
    expect((await run("erase-request", uid)).code).toBe(1);
    expect(await platform.database.selectFrom("ticket").select("uid").execute()).toEqual([{ uid }]);
  });
});

onEachDatabase("an e-mail corrected by the owner of the site", (open) => {
  async function opened(options: Parameters<typeof open>[0] = {}) {
    const platform = await open(options);
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    vi.stubEnv("SITE_URL", "https://cap.example");
    return platform;
  }

  it("signs its person in, and the old one no more", async () => {
    const platform = await opened();
    const person = await subscriber(platform);
    await platform.call("POST /support/coaching/tickets", {
      token: person.token,
      body: { title: "Mon ascendant", message: "Bonjour" },
    });
    await platform.runDueJobs();
    const changed = await run("change-email", person.email, "Juste@Exemple.fr");
    expect([changed.code, changed.error]).toEqual([0, []]);
    expect(changed.out.join()).toContain(person.uid);
    expect(changed.out.join()).not.toMatch(/@/);
    const { token } = person;
    expect((await platform.call("GET /subscriptions", { token })).status).toBe(401);
    expect((await signIn(platform, person.email)).status).toBe(401);
    expect((await signIn(platform, "juste@exemple.fr")).status).toBe(200);
    await runCommandsJobs(platform);
    // The proof of the order, the trace of sent mails and the bank keep what was.
    const places = await placesOf(platform, person.email);
    expect(places).toEqual([
      "bank_movement.email",
      "bank_page.email",
      "contract_proof.email",
      "mail.recipient",
    ]);
    expect(await placesOf(platform, "juste@exemple.fr")).toEqual(
      expect.arrayContaining(["account.identifier_key", "ticket.email_key", "ticket.email"]),
    );
  });

  it("is told to both mailboxes, without the other", async () => {
    const platform = await opened();
    const { email } = await subscriber(platform);
    await platform.runDueJobs();
    await run("change-email", email, "juste@exemple.fr");
    await runCommandsJobs(platform);
    const former = await mailAbout(platform, email, "email-changed");
    expect(former.text).toContain("n’est plus celle de votre compte");
    expect(former.text).toContain("https://cap.example/contact");
    expect(former.text).not.toContain("juste@");
    const present = await mailAbout(platform, "juste@exemple.fr", "email-changed");
    expect(present.text).toContain("désormais celle de votre compte");
    expect(present.text).not.toContain(email);
  });

  it("is refused in one line, changing nothing", async () => {
    const platform = await opened();
    const [person, other] = [await subscriber(platform), await subscriber(platform)];
    for (const [argv, reason] of [
      [[person.email, other.email.toUpperCase()], "belongs to another account"],
      [["personne@exemple.fr", "juste@exemple.fr"], "There is no account"],
      [[person.email, "juste"], "Not an e-mail: juste"],
      [[person.email], "Expected: "],
    ] as const) {
      const { code, error } = await run("change-email", ...argv);
      expect([code, error]).toEqual([1, [expect.stringContaining(reason)]]);
    }
    const { token } = person;
    expect((await platform.call("GET /subscriptions", { token })).status).toBe(200);
  });

  it("gets again what the wrong mailbox has got about the contract", async () => {
    const platform = await opened();
    const mistyped = await subscriber(platform);
    await passDays(platform, 6.5);
    const sent = mailsSentTo(platform, mistyped).map(({ headers }) => headers.get("subject") ?? "");
    expect(sent.length).toBeGreaterThan(1);
    const email = "juste@exemple.fr";
    await changeEmail(subscriptionContext(platform), { from: mistyped.email, to: email });
    await platform.runDueJobs();
    const [mail, ...others] = mailsSentTo(platform, { email });
    expect(others).toEqual([]);
    for (const subject of sent) expect(mail?.text).toContain(`${subject} (envoyé le `);
    expect(mail?.text).toContain("formulaire de rétractation");
    expect(mail?.text).not.toMatch(/[?&](?:t|token)=\w/);
    const former = mailsSentTo(platform, mistyped).at(-1);
    expect(former?.text).not.toContain("(envoyé le ");
  });

  describe("has the confirmation of the contract", () => {
    const EMAIL = "juste@exemple.fr";

    /** Somebody whose confirmation went to a stranger, or to nobody. */
    async function mistaken({ isRefused = false } = {}) {
      const platform = await opened();
      const mistyped = await subscriber(platform);
      if (isRefused) {
        const given_up_at = platform.clock.now().toISOString();
        await platform.database.updateTable("mail").set({ given_up_at }).execute();
        await platform.database.updateTable("contract_mail").set({ given_up_at }).execute();
      }
      await passDays(platform, 1);
      return { platform, mistyped };
    }

    async function confirmationOf(platform: TestPlatform, email: string) {
      const { token } = await signIn(platform, email);
      const { body } = await platform.call("GET /subscriptions/proof", { token });
      return body.payload.confirmation;
    }

    const correct = (platform: TestPlatform, from: string, to = EMAIL) =>
      changeEmail(subscriptionContext(platform), { from, to });

    it.each([true, false])("once it arrived, after a refusal: %s", async (isRefused) => {
      const { platform, mistyped } = await mistaken({ isRefused });
      await correct(platform, mistyped.email);
      const sentDateTime = platform.clock.now().toISOString();
      await platform.runDueJobs();
      const confirmation = await confirmationOf(platform, EMAIL);
      expect(confirmation).toMatchObject({ sentDateTime, givenUpDateTime: null });
      expect(confirmation.text).toContain("formulaire de rétractation");
      const { contractMails } = JSON.parse((await run("contract", EMAIL)).out.join("\n"));
      expect(contractMails).toContainEqual(
        expect.objectContaining({ kind: "email-changed", sentDateTime }),
      );
    });

    it("on its way to the right mailbox, before it arrived", async () => {
      const { platform, mistyped } = await mistaken({ isRefused: true });
      await correct(platform, mistyped.email);
      const unsent = { sentDateTime: null, givenUpDateTime: null };
      expect(await confirmationOf(platform, EMAIL)).toMatchObject(unsent);
    });

    it("as it was sent to who never mistyped", async () => {
      const { platform, mistyped } = await mistaken();
      const { subject } = await confirmationOf(platform, mistyped.email);
      expect(subject).toMatch(/^Bienvenue/);
    });

    it("once in the annexes of a second correction", async () => {
      const { platform, mistyped } = await mistaken();
      await correct(platform, mistyped.email, "encore-faux@exemple.fr");
      await platform.runDueJobs();
      await correct(platform, "encore-faux@exemple.fr");
      await platform.runDueJobs();
      const [mail, ...others] = mailsSentTo(platform, { email: EMAIL });
      expect(others).toEqual([]);
      expect(mail?.text.match(/Bienvenue.* \(envoyé le /g)).toHaveLength(1);
      expect(mail?.text).not.toMatch(/adresse.* \(envoyé le /);
    });

    it("without what a stranger typed, in export and account", async () => {
      const { platform, mistyped } = await mistaken();
      const body = { name: "Une Inconnue", email: mistyped.email, reference: "dossier-77" };
      await platform.call("POST /cancellations", { body });
      await platform.runDueJobs();
      const receipt = mailsSentTo(platform, mistyped).at(-1)?.text ?? "";
      await undoAsShown(platform, /\?token=([\w-]+)/.exec(receipt)?.[1] ?? "");
      await platform.runDueJobs();
      await correct(platform, mistyped.email);
      await platform.runDueJobs();
      const [mail] = mailsSentTo(platform, { email: EMAIL });
      expect(mail?.text).toContain("Une Inconnue");
      const { text } = await confirmationOf(platform, EMAIL);
      expect(text).not.toMatch(/Une Inconnue|dossier-77/);
      const printed = (await run("contract", EMAIL)).out.join();
      expect(printed).not.toMatch(/Une Inconnue|dossier-77/);
    });
  });

  describe.each([
    ["withdrawals", "withdrawal/confirm"],
    ["cancellations", "cancel-contract/undo"],
  ] as const)("gets a new link for open %s", (kind, page) => {
    const EMAIL = "juste@exemple.fr";
    const linkIn = (text = "") =>
      new RegExp(`https://cap\\.example/${page}\\?token=([\\w-]+)`).exec(text)?.[1];
    const linksTo = (platform: TestPlatform, email: string) =>
      mailsSentTo(platform, { email }).flatMap(({ text }) => linkIn(text) ?? []);
    const undo = (platform: TestPlatform, token = "") => undoAsShown(platform, token, kind);

    /** Somebody's contract, whose mails have gone to a stranger. */
    async function declared(options: Parameters<typeof open>[0] = {}) {
      const platform = await opened(options);
      const mistyped = await subscriber(platform);
      await passDays(platform, 1);
      await platform.call(`POST /${kind}`, { body: { name: "Ada Byron", email: mistyped.email } });
      return { platform, mistyped };
    }

    const correct = (platform: TestPlatform, from: string) =>
      changeEmail(subscriptionContext(platform), { from, to: EMAIL });

    it("so that a stranger's has no effect", async () => {
      const { platform, mistyped } = await declared();
      await passDays(platform, 1);
      const [strangers] = linksTo(platform, mistyped.email);
      await correct(platform, mistyped.email);
      await platform.runDueJobs();
      expect((await undo(platform, strangers)).status).toBe(400);
      const mails = mailsSentTo(platform, { email: EMAIL });
      const again = mails.filter(({ text }) => linkIn(text));
      expect(again).toHaveLength(1);
      expect(again[0]?.text).toContain("Ada Byron");
      const [repeated] = mails.filter(({ text }) => text.includes("(envoyé le "));
      expect(repeated?.text).toContain("formulaire de rétractation");
      expect(repeated?.text).not.toContain("Ada Byron");
      await passDays(platform, 6);
      expect((await undo(platform, linkIn(again[0]?.text))).body.payload).toMatchObject({
        status: "undone",
      });
      expect((await subscriptionOf(platform, mistyped)).cancelled_at).toBeNull();
      expect(linksTo(platform, mistyped.email)).toEqual([strangers]);
    });

    it("though no mail reached the wrong one", async () => {
      const { platform, mistyped } = await declared();
      await platform.runDueJobs();
      const given_up_at = platform.clock.now().toISOString();
      await platform.database
        .updateTable("mail")
        .set({ given_up_at, sent_at: null })
        .where("recipient", "=", mistyped.email)
        .execute();
      await correct(platform, mistyped.email);
      await platform.runDueJobs();
      expect(linksTo(platform, EMAIL)).toHaveLength(1);
    });

    it("once, and the same, where its mail had not gone out", async () => {
      const { platform, mistyped } = await declared({ mailUrl: "smtp://127.0.0.1:9" });
      await platform.runDueJobs();
      const { database } = platform;
      const hashes = () => database.selectFrom("contract_notice").select("undo_hash").execute();
      const before = await hashes();
      await correct(platform, mistyped.email);
      await platform.runDueJobs();
      expect(await hashes()).toEqual(before);
      const unsent = await database.selectFrom("mail").select(["recipient", "text"]).execute();
      const linked = unsent.filter(({ text }) => linkIn(text));
      expect(linked.map(({ recipient }) => recipient)).toEqual([EMAIL]);
    });
  });

  it("gets what the wrong mailbox has refused", async () => {
    const platform = await opened();
    const mistyped = await subscriber(platform);
    const given_up_at = platform.clock.now().toISOString();
    await platform.database.updateTable("contract_mail").set({ given_up_at }).execute();
    await platform.database.updateTable("mail").set({ given_up_at }).execute();
    const email = "juste@exemple.fr";
    await changeEmail(subscriptionContext(platform), { from: mistyped.email, to: email });
    await platform.runDueJobs();
    const mail = mailsSentTo(platform, { email }).find(({ text }) => text.includes("à conserver"));
    expect(mail?.text).toContain("(n’a pas pu être remis)");
    expect(mail?.text).toContain("formulaire de rétractation");
  });

  it("gets what follows from the contract once the profile is gone", async () => {
    const platform = await opened();
    const mistyped = await subscriber(platform);
    await platform.runDueJobs();
    const email = "juste@exemple.fr";
    await changeEmail(subscriptionContext(platform), { from: mistyped.email, to: email });
    await passDays(platform, 8);
    const before = mailsSentTo(platform, mistyped).length;
    const { uid, token } = await back(platform, { ...mistyped, email });
    const exported = await platform.call(`GET /users/${uid}/export`, { token });
    const kept = { email: mistyped.email, correctedEmail: email };
    expect(exported.body.payload.contractProofs).toMatchObject([kept]);
    expect((await platform.call(`DELETE /users/${uid}`, { token })).status).toBe(202);
    await passDays(platform, 1);
    await platform.call("POST /withdrawals", { body: { name: "Ada Byron", email } });
    await platform.runDueJobs();
    await passDays(platform, 8);
    const mails = mailsSentTo(platform, { email });
    expect(mails.filter(({ text }) => text.includes("/withdrawal/confirm"))).toHaveLength(1);
    expect(mails.map(({ headers }) => headers.get("subject"))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Votre remboursement de/)]),
    );
    expect(mailsSentTo(platform, mistyped)).toHaveLength(before);
    const printed = await run("contract", email);
    expect(JSON.parse(printed.out.join("\n")).contractProofs).toMatchObject([kept]);
    expect((await run("contract", mistyped.email)).code).toBe(1);
  });

  describe("of a contract whose account is deleted", () => {
    const EMAIL = "juste@exemple.fr";

    async function former(options: Parameters<typeof open>[0] = {}) {
      const platform = await opened(options);
      const mistyped = await subscriber(platform);
      await platform.runDueJobs();
      const { uid: reference } = await subscriptionOf(platform, mistyped);
      const { uid, token } = mistyped;
      expect((await platform.call(`DELETE /users/${uid}`, { token })).status).toBe(202);
      await passDays(platform, 1);
      return { platform, mistyped, reference };
    }

    const correct = (platform: TestPlatform, reference: string) =>
      changeContractEmail(subscriptionContext(platform), { reference, to: EMAIL });

    async function withdraw(platform: TestPlatform, email: string) {
      await platform.call("POST /withdrawals", { body: { name: "Ada Byron", email } });
      await platform.runDueJobs();
    }

    const linksTo = (platform: TestPlatform, email: string) =>
      mailsSentTo(platform, { email }).flatMap(
        ({ text }) => /withdrawal\/confirm\?token=([\w-]+)/.exec(text)?.[1] ?? [],
      );

    it("finds the contract, and the old one no more", async () => {
      const { platform, mistyped, reference } = await former();
      await correct(platform, reference);
      await withdraw(platform, mistyped.email);
      expect([mistyped.email, EMAIL].flatMap((to) => linksTo(platform, to))).toEqual([]);
      await withdraw(platform, EMAIL);
      expect(linksTo(platform, EMAIL)).toHaveLength(1);
      await passDays(platform, 8);
      const refund = await mailAbout(platform, EMAIL, "refund");
      expect(refund.text).toContain("Nous avons rendu la somme ci-dessous");
      expect((await subscriptionOf(platform, mistyped)).former_key).not.toBeNull();
      expect((await run("contract", mistyped.email)).code).toBe(1);
      const { contractProofs } = JSON.parse((await run("contract", EMAIL)).out.join("\n"));
      expect(contractProofs).toMatchObject([{ email: mistyped.email, correctedEmail: EMAIL }]);
      await passDays(platform, 8);
      expect((await subscriptionOf(platform, mistyped)).former_key).toBeNull();
    });

    it("is told to both mailboxes, with what the wrong one has got", async () => {
      const { platform, mistyped, reference } = await former();
      await correct(platform, reference);
      await platform.runDueJobs();
      const present = await mailAbout(platform, EMAIL, "email-changed");
      expect(present.text).toContain("désormais celle de votre contrat");
      expect(present.text).toContain("(envoyé le ");
      expect(present.text).toContain("formulaire de rétractation");
      expect(present.text).not.toContain("celle de votre compte");
      const earlier = await mailAbout(platform, mistyped.email, "email-changed");
      expect(earlier.text).toContain("n’est plus celle de votre contrat");
      expect(earlier.text).not.toContain("juste@");
      expect(earlier.text).not.toContain("(envoyé le ");
    });

    it("gets a new link for an open withdrawal, and a stranger's has no effect", async () => {
      const { platform, mistyped, reference } = await former();
      await withdraw(platform, mistyped.email);
      const [strangers] = linksTo(platform, mistyped.email);
      await correct(platform, reference);
      await platform.runDueJobs();
      const confirm = (token = "") =>
        platform.call("POST /withdrawals/confirm", { body: { token } });
      expect((await confirm(strangers)).status).toBe(400);
      const [link, ...others] = linksTo(platform, EMAIL);
      expect(others).toEqual([]);
      expect((await confirm(link)).body.payload).toMatchObject({ status: "confirmed" });
      expect(linksTo(platform, mistyped.email)).toEqual([strangers]);
    });

    it("waits for what was declared by the old one", async () => {
      const { platform, mistyped, reference } = await former();
      const body = { name: "Ada Byron", email: mistyped.email };
      await platform.call("POST /withdrawals", { body });
      await expect(correct(platform, reference)).rejects.toThrow("is being processed");
      await platform.runDueJobs();
      await correct(platform, reference);
      await platform.runDueJobs();
      expect(linksTo(platform, EMAIL)).toHaveLength(1);
    });

    it("may have another account", async () => {
      const { platform, reference } = await former();
      const again = await subscriber(platform);
      await changeEmail(subscriptionContext(platform), { from: again.email, to: EMAIL });
      await correct(platform, reference);
      expect((await signIn(platform, EMAIL)).status).toBe(200);
    });

    it("is named by its reference in the command", async () => {
      const secret = "a-secret-of-the-command";
      const { platform, mistyped, reference } = await former({ secrets: [secret] });
      vi.stubEnv("SESSION_SECRET", "another-secret-than-the-site's");
      const other = await run("change-email", reference, EMAIL);
      expect([other.code, other.error]).toEqual([1, [expect.stringContaining("SESSION_SECRET")]]);
      vi.stubEnv("SESSION_SECRET", secret);
      const unknown = await run("change-email", mistyped.email, EMAIL);
      expect([unknown.code, unknown.error]).toEqual([1, [expect.stringContaining("reference")]]);
      const changed = await run("change-email", reference, EMAIL);
      expect([changed.code, changed.error]).toEqual([0, []]);
      expect(changed.out.join()).toContain(`contract ${reference};`);
      expect(changed.out.join()).not.toContain("@");
      await runCommandsJobs(platform);
      const { text } = await mailAbout(platform, EMAIL, "email-changed");
      expect(text).toMatch(/Nous écrire\s:\nhttps:\/\/cap\.example\/contact/);
      await platform.database.deleteFrom("contract_proof").execute();
      for (const [named, reason] of [
        ["inconnue", "There is no contract inconnue"],
        [reference, "No e-mail of the contract"],
      ] as const) {
        const { code, error } = await run("change-email", named, EMAIL);
        expect([code, error]).toEqual([1, [expect.stringContaining(reason)]]);
      }
    });
  });

  it("is that of the account where the reference of its contract names it", async () => {
    const platform = await opened();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    expect((await run("change-email", reference, "juste@exemple.fr")).code).toBe(0);
    expect((await signIn(platform, "juste@exemple.fr")).status).toBe(200);
  });

  it("is known to contracts from before it was kept", async () => {
    const platform = await opened();
    const { database } = platform;
    const [corrected, other] = [await subscriber(platform), await subscriber(platform)];
    const email = "juste@exemple.fr";
    await changeEmail(subscriptionContext(platform), { from: corrected.email, to: email });
    await database.schema.alterTable("contract_proof").dropColumn("corrected_email").execute();
    const migration: Migration = correctedEmails;
    await migration.up(database);
    const proofs = database.selectFrom("contract_proof").select(["email", "corrected_email"]);
    expect(await proofs.orderBy(sql`corrected_email is null`).execute()).toEqual([
      { email: corrected.email, corrected_email: email },
      { email: other.email, corrected_email: null },
    ]);
  });

  it("reaches the customer at the payment provider", async () => {
    const { platform, person, stripe } = await openWithStripe(open);
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    const page = await newPage(platform, person);
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    expect((await run("change-email", person.email, "juste@exemple.fr")).code).toBe(0);
    await runCommandsJobs(platform);
    expect(stripe.account.all("customer").map(({ email }) => email)).toEqual(["juste@exemple.fr"]);
  });
});

onEachDatabase("the archive of a contract", (open) => {
  it("is printed after the profile is gone", async () => {
    const platform = await open();
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    vi.stubEnv("SITE_URL", "https://cap.example");
    const [person, other] = [await subscriber(platform), await subscriber(platform)];
    const { uid: reference } = await subscriptionOf(platform, person);
    await platform.call("POST /cancellations", { body: { name: "Ada", email: person.email } });
    await platform.runDueJobs();
    const { token } = person;
    expect((await platform.call(`DELETE /users/${person.uid}`, { token })).status).toBe(202);
    await passDays(platform, 40);
    const printed = await run("contract", reference);
    expect([printed.code, printed.error]).toEqual([0, []]);
    const archive = JSON.parse(printed.out.join("\n"));
    const [{ terms }] = archive.contractProofs;
    expect(archive).toMatchObject({
      contractProofs: [
        {
          reference,
          email: person.email,
          orderedDateTime: "2026-11-20T10:00:00.000Z",
          terms: expect.stringMatching(/^[0-9a-f]{64}$/),
          termsAddress: `https://cap.example/terms-of-service/${terms}`,
          offer: expect.stringContaining("9,90"),
          conditions: expect.stringContaining("14"),
          button: ORDER_BUTTON,
        },
      ],
      notices: [{ reference, kind: "cancellation", receivedDateTime: "2026-11-20T10:00:00.000Z" }],
    });
    const kinds = archive.contractMails.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["welcome", "receipt", "cancellation-receipt"]));
    expect(printed.out.join()).not.toContain(other.email);
    expect((await run("contract", ` ${person.email.toUpperCase()} `)).out).toEqual(printed.out);
    const unknown = await run("contract", "personne@exemple.fr");
    expect([unknown.code, unknown.error]).toEqual([
      1,
      [
        "The archive holds no contract of personne@exemple.fr: older receipts are found by the " +
          "reference of the contract, which its mails name",
      ],
    ]);
    const { error } = await run("contract", "inconnue");
    expect(error).toEqual(["The archive holds no contract of inconnue"]);
  });

  it("is found by its reference once the e-mail is gone", async () => {
    const platform = await open();
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    const person = await subscriber(platform);
    await platform.runDueJobs();
    const { uid: reference } = await subscriptionOf(platform, person);
    await platform.database.deleteFrom("contract_proof").execute();
    const { code, error } = await run("contract", person.email);
    expect([code, error]).toEqual([1, [expect.stringContaining("by the reference")]]);
    const { contractMails } = JSON.parse((await run("contract", reference)).out.join("\n"));
    expect(contractMails).toContainEqual(expect.objectContaining({ kind: "receipt" }));
  });

  it("is printed whole for the seller alone", async () => {
    const platform = await open();
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    const { email } = await subscriber(platform);
    await platform.call("POST /cancellations", { body: { name: "Zébulon Xylophone", email } });
    await platform.runDueJobs();
    const plain = await run("contract", email);
    expect(plain.out.join()).toContain("cancellation-receipt");
    expect(plain.out.join()).not.toContain("Xylophone");
    const whole = await run("contract", email, "--whole");
    expect([whole.code, whole.error]).toEqual([0, []]);
    expect(whole.out.join()).toContain("Xylophone");
  });
});

it.each([
  [[]],
  [["contract"]],
  [["contract", " "]],
  [["contract", "a@exemple.fr", "b@exemple.fr"]],
  [["contract", "a@exemple.fr", "--users", "1"]],
  [["change-email", "a@exemple.fr"]],
  [["change-email", "a@exemple.fr", "b@exemple.fr", "c@exemple.fr"]],
  [["generate", "--whole", "--users", "1"]],
  [["generate"]],
  [["generate", "--tickets", "-1"]],
  [["generate", "--tickets", "beaucoup"]],
  [["generate", "--tickets", "10", "--messages", "9"]],
  [["generate", "--messages", "9"]],
  [["remove", "--tickets", "1"]],
  [["--unknown"]],
  [["withdraw", "--declared", "2026-11-20"]],
  [["withdraw", "reference"]],
  [["withdraw", "reference", "--declared", "20/11/2026"]],
  [["withdraw", "reference", "--declared", "2026-11-31"]],
  [["withdraw", "reference", "--declared", "2026-11-20", "--users", "1"]],
  [["contract", "a@exemple.fr", "--declared", "2026-11-20"]],
  [["generate", "--users", "-3"]],
])("the command data refuses %j in one line", async (argv) => {
  const { code, error } = await run(...argv);
  expect([code, error]).toEqual([1, [expect.stringMatching(/^[^\n]+$/)]]);
});

it("the command data explains itself", async () => {
  expect(await run("--help")).toMatchObject({ code: 0, error: [] });
});
