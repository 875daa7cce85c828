import { expect, it } from "vitest";
import type { NewTicket } from "~/contract/support";
import { onEachDatabase } from "../support/platform";
import { inbox, lookAt, newCoach, setStatus, uidsOf } from "./desk";
import { newAddress, newPerson } from "./funnel";
import { DAY_MS, newestMail, placesOf } from "./life";
import {
  ask,
  asContact,
  contents,
  mailedSecret,
  mailsOf,
  newContact,
  readThread,
  write,
} from "./threads";

const HOUR_MS = 3_600_000;

/** Another value of each field. An e-mail has keys of its own, and a link stands for one. A birth is of discussions only. */
const OTHERWISE: Record<Exclude<keyof NewTicket, "email" | "token" | "birth">, string> = {
  title: "Autre carte",
  message: "Autre question",
  name: "Ada Lovelace",
  category: "Autre",
};

onEachDatabase("a question to support", (open) => {
  const refresh = (platform: Awaited<ReturnType<typeof open>>, email: string, from?: string) =>
    platform.call("POST /support/contact/auth-token/refresh", {
      headers: { "x-client-address": from ?? newAddress() },
      body: { email },
    });

  it("is accepted from anybody with its category", async () => {
    const platform = await open();
    const body = { title: "  Ma  carte ", category: "Paiement", email: " Ada@Exemple.fr " };
    const { status, body: answer } = await ask(platform, body);
    expect(status).toBe(201);
    expect(answer.payload).toEqual({
      uid: expect.any(String),
      title: "[Paiement]: Ma carte",
      status: "new",
      date: "2026-11-20T10:00:00.000Z",
      lastDateTime: "2026-11-20T10:00:00.000Z",
      contact: { email: "Ada@Exemple.fr", name: "Ada Byron" },
      unread: false,
      messageCount: 1,
    });
  });

  it("names every missing property", async () => {
    const platform = await open();
    const empty = { title: " ", message: "\n\t", email: undefined, name: "" };
    const { status, body } = await ask(platform, empty);
    const types = body.violations.map(({ property, type }: Record<string, string>) => [
      property,
      type,
    ]);
    expect(status).toBe(400);
    expect(types).toEqual([
      ["title", "missing"],
      ["message", "missing"],
      ["name", "missing"],
      ["email", "missing"],
    ]);
  });

  it.each([
    [{ email: "pas une adresse" }, "email"],
    [{ category: "a]: b" }, "category"],
    [{ title: "x".repeat(201) }, "title"],
    [{ message: "a\u0000b" }, "message"],
    [{ message: "\ud800" }, "message"],
    [{ message: "\u200b\u202e" }, "message"],
    [{ message: "é".repeat(10_001) }, "message"],
    [{ name: ["Ada"] }, "name"],
  ])("refuses %j", async (body, property) => {
    const answer = await ask(await open(), body);
    expect([answer.status, answer.body.violations]).toEqual([
      400,
      [expect.objectContaining({ property, type: "invalid" })],
    ]);
  });

  it("is refused above a megabyte", async () => {
    expect((await ask(await open(), { message: "x".repeat(1024 * 1024) })).status).toBe(413);
  });

  it.each([
    ["emoji of ten thousand signs", "🌙".repeat(10_000)],
    ["markup", '<script>alert("1")</script><b>&amp;</b>'],
    ["a turned direction", "abc\u202edef\u202c"],
    ["lines", "un\ndeux\n\ntrois"],
  ])("is stored with %s unchanged", async (_, message) => {
    const platform = await open();
    const contact = await newContact(platform, { message });
    expect(contents(await readThread(platform, contact))).toEqual([message]);
  });

  it("counts each kind of line break once", async () => {
    const platform = await open();
    const contact = await newContact(platform, { message: `${"a\r\n".repeat(4_999)}b` });
    expect(contents(await readThread(platform, contact))).toEqual([`${"a\n".repeat(4_999)}b`]);
  });

  it("sends its link to the mailbox only", async () => {
    const platform = await open();
    const answer = await ask(platform, { email: "ada@exemple.fr" });
    const secret = await mailedSecret(platform, "ada@exemple.fr");
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify([answer.body, ...answer.headers])).not.toContain(secret);
    expect(await placesOf(platform, secret)).toEqual([]);
    const { text } = await newestMail(platform, "ada@exemple.fr");
    expect(text).toContain("/contact/tickets/");
    expect(text).not.toContain("Bonjour, Bonjour");
  });

  it("mails no message of a stranger to others", async () => {
    const platform = await open();
    const title = "Gagnez sur https://evil.example/ maintenant";
    await ask(platform, { email: "ada@exemple.fr", title, message: "Cliquez sur evil.example" });
    await platform.runDueJobs();
    const { text, html } = await newestMail(platform, "ada@exemple.fr");
    expect(text + html).not.toMatch(/evil\.example/);
  });

  it("sends a limited number of mails when repeated", async () => {
    const platform = await open();
    for (let time = 0; time < 15; time++) await ask(platform, { email: "victime@exemple.fr" });
    expect(await mailsOf(platform, "victime@exemple.fr")).toHaveLength(10);
  });

  it("is opened by its link any number of times", async () => {
    const platform = await open();
    const contact = await newContact(platform);
    for (let time = 0; time < 3; time++) {
      expect(contents(await readThread(platform, contact))).toEqual(["Bonjour"]);
    }
  });

  it("distinguishes unknown, expired and revoked links", async () => {
    const platform = await open();
    const contact = await newContact(platform);
    const other = await newContact(platform);
    const read = async (one: typeof contact) => {
      const { status, body } = await readThread(platform, one);
      return [status, body.message];
    };
    const list = await platform.call("GET /support/contact/tickets");
    expect(list.status).toBe(401);
    expect(await read({ ...contact, secret: "x".repeat(43) })).toEqual([401, "Unknown link"]);
    const revoke = () =>
      platform.call("POST /support/contact/auth-token/revoke", { headers: asContact(other) });
    expect((await revoke()).status).toBe(204);
    const worn = [401, "This link has expired or was revoked"];
    expect(await read(other)).toEqual(worn);
    expect((await revoke()).status).toBe(401);
    platform.clock.advance(30 * DAY_MS - 1);
    expect((await read(contact))[0]).toBe(200);
    platform.clock.advance(1);
    expect(await read(contact)).toEqual(worn);
    platform.clock.advance(32 * DAY_MS);
    await platform.runDueJobs();
    expect(await read(contact)).toEqual([401, "Unknown link"]);
  });

  it("loses all links of its e-mail to one revocation", async () => {
    const platform = await open();
    const ada = await newContact(platform, { email: "ada@exemple.fr" });
    const again = await newContact(platform, { email: "ADA@exemple.fr" });
    const bob = await newContact(platform, { email: "bob@exemple.fr" });
    const { token } = await newPerson(platform, "ada@exemple.fr");
    const statuses = () =>
      Promise.all([ada, again, bob].map(async (one) => (await readThread(platform, one)).status));
    const revoke = (sent: object) => platform.call("POST /support/contact/auth-token/revoke", sent);
    for (const sent of [{}, { token }, { headers: asContact({ secret: "x".repeat(43) }) }]) {
      expect((await revoke(sent)).status).toBe(401);
    }
    const line = "GET /support/contact/auth-token/revoke";
    expect((await platform.call(line, { headers: asContact(ada) })).status).toBe(404);
    expect(await statuses()).toEqual([200, 200, 200]);
    const answers = await Promise.all([1, 2, 3].map(() => revoke({ headers: asContact(ada) })));
    expect(answers.map(({ status }) => status)).toContain(204);
    expect(await statuses()).toEqual([401, 401, 200]);
    platform.clock.advance(1000);
    await refresh(platform, ada.email);
    const secret = await mailedSecret(platform, again.email);
    expect((await readThread(platform, { ...ada, secret })).status).toBe(200);
  });

  it("is mailed again after a revocation, whatever was mailed before", async () => {
    const platform = await open();
    const ada = await newContact(platform);
    const ask = async () => {
      platform.clock.advance(1000);
      await refresh(platform, ada.email);
      await platform.runDueJobs();
    };
    for (let time = 0; time < 4; time++) await ask();
    const before = (await mailsOf(platform, ada.email)).length;
    const headers = asContact(ada);
    await platform.call("POST /support/contact/auth-token/revoke", { headers });
    await ask();
    expect(await mailsOf(platform, ada.email)).toHaveLength(before + 1);
  });

  it("opens with all questions of its e-mail only", async () => {
    const platform = await open();
    const ada = await newContact(platform, { email: "ada@exemple.fr" });
    const bob = await newContact(platform, { email: "bob@exemple.fr" });
    const again = await newContact(platform, { email: "ADA@exemple.fr", title: "Autre chose" });
    const { body } = await platform.call("GET /support/contact/tickets", {
      headers: asContact(ada),
    });
    const titles = body.payload.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(["Autre chose", "Ma carte"]);
    expect((await readThread(platform, { ...ada, uid: again.uid })).status).toBe(200);
    for (const uid of [bob.uid, "nobody", crypto.randomUUID()]) {
      const stranger = { ...ada, uid };
      expect((await readThread(platform, stranger)).status).toBe(404);
      expect((await write(platform, stranger, "Bonsoir")).status).toBe(404);
      const read = await platform.call(`POST /support/contact/tickets/${uid}/read`, {
        headers: asContact(ada),
      });
      expect(read.status).toBe(404);
    }
    expect(contents(await readThread(platform, bob))).toEqual(["Bonjour"]);
  });

  it("does not open to a session with its e-mail", async () => {
    const platform = await open();
    const { email, token } = await newPerson(platform);
    const { uid } = await newContact(platform, { email });
    const lists = await platform.call("GET /support/contact/tickets", { token });
    const thread = await platform.call(`GET /support/contact/tickets/${uid}`, { token });
    expect([lists.status, thread.status]).toEqual([401, 401]);
  });

  it("does not open to a credential of another kind", async () => {
    const platform = await open();
    const contact = await newContact(platform);
    const as = (header: string) =>
      platform.call("GET /support/contact/tickets", {
        headers: { "support-authorization": header },
      });
    expect((await as(`Coaching ${contact.secret}`)).status).toBe(403);
    expect((await as(contact.secret)).status).toBe(401);
    expect((await as(`contact ${contact.secret}`)).status).toBe(200);
  });

  it("of a known contact needs no e-mail", async () => {
    const platform = await open();
    const { email, secret } = await newContact(platform);
    const known = { email: undefined, name: undefined, token: secret };
    const { status, body } = await ask(platform, known);
    expect([status, body.payload.contact]).toEqual([201, { email, name: "Ada Byron" }]);
    expect((await ask(platform, { ...known, token: "unknown" })).status).toBe(401);
  });

  it("is created once for a key", async () => {
    const platform = await open();
    const key = { "idempotency-key": "formulaire-1" };
    const body = { email: "ada@exemple.fr" };
    const answers = await Promise.all([1, 2, 3].map(() => ask(platform, body, key)));
    expect(new Set(answers.map((answer) => answer.body.payload.uid)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const otherwise = await ask(platform, { ...body, message: "Autre" }, key);
    expect([otherwise.status, otherwise.body.violations]).toMatchObject([
      409,
      [{ property: "idempotencyKey", type: "duplicate" }],
    ]);
    expect((await ask(platform, { email: "bob@exemple.fr" }, key)).status).toBe(201);
    expect(await mailsOf(platform, "ada@exemple.fr")).toHaveLength(1);
  });

  it("with any other field is no repetition", async () => {
    const platform = await open();
    const body = { email: "ada@exemple.fr" };
    const key = { "idempotency-key": "formulaire-1" };
    expect((await ask(platform, body, key)).status).toBe(201);
    for (const [field, value] of Object.entries(OTHERWISE)) {
      const { status } = await ask(platform, { ...body, [field]: value }, key);
      expect([field, status]).toEqual([field, 409]);
    }
  });

  it("is found by a coach by any field", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const email = "ada@exemple.fr";
    const { body } = await ask(platform, { ...OTHERWISE, email });
    const { uid } = body.payload;
    const seen = JSON.stringify((await lookAt(platform, coach, uid)).body.payload);
    for (const value of [email, ...Object.values(OTHERWISE)]) {
      expect(seen).toContain(value);
      const found = await inbox(platform, coach, `?query=${encodeURIComponent(value)}`);
      expect([value, uidsOf(found)]).toEqual([value, [uid]]);
    }
  });

  it("is limited to twenty an hour from one address", async () => {
    const platform = await open();
    const here = { "x-client-address": "192.0.2.9" };
    const statuses = [];
    for (let time = 0; time < 21; time++) statuses.push((await ask(platform, {}, here)).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    const refused = await ask(platform, {}, here);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    platform.clock.advance(HOUR_MS);
    expect((await ask(platform, {}, here)).status).toBe(201);
  });

  it("gets the same answer to a link request always", async () => {
    const platform = await open();
    const { email } = await newContact(platform);
    const answers = [
      await refresh(platform, ` ${email.toUpperCase()}`),
      await refresh(platform, "personne@exemple.fr"),
    ];
    for (const { status, body, headers } of answers) {
      expect([status, body, headers.get("next-token")]).toEqual([202, "", null]);
    }
    const secret = await mailedSecret(platform, email);
    const list = await platform.call("GET /support/contact/tickets", {
      headers: asContact({ secret }),
    });
    expect(list.body.payload).toHaveLength(1);
    expect(await mailsOf(platform, "personne@exemple.fr")).toEqual([]);
    expect(await placesOf(platform, "personne@exemple.fr")).toEqual([]);
  });

  it("has its link mailed three times an hour", async () => {
    const platform = await open();
    const { email } = await newContact(platform);
    for (let time = 0; time < 5; time++) expect((await refresh(platform, email)).status).toBe(202);
    await platform.runDueJobs();
    expect(await mailsOf(platform, email)).toEqual(["ticket", "link", "link", "link"]);
    platform.clock.advance(HOUR_MS);
    await refresh(platform, email);
    await platform.runDueJobs();
    expect(await mailsOf(platform, email)).toHaveLength(5);
  });

  it("lets an address ask for twenty links an hour", async () => {
    const platform = await open();
    for (let time = 0; time < 20; time++) {
      expect((await refresh(platform, `a${time}@exemple.fr`, "192.0.2.7")).status).toBe(202);
    }
    expect((await refresh(platform, "b@exemple.fr", "192.0.2.7")).status).toBe(429);
  });

  it("has mailed links for contact only", async () => {
    const platform = await open();
    const call = (name: string, body?: object) =>
      platform.call(`POST /support/coaching/auth-token/${name}`, body ? { body } : {});
    expect((await call("refresh", { email: "ada@exemple.fr" })).status).toBe(403);
    expect((await call("revoke")).status).toBe(403);
    expect((await platform.call("GET /support/unknown/tickets")).status).toBe(404);
  });

  it("is deleted three years after it is closed", async () => {
    const platform = await open();
    const contact = await newContact(platform, { message: "mot rare" });
    await setStatus(platform, await newCoach(platform), contact.uid, "closed");
    platform.clock.advance(3 * 366 * DAY_MS);
    await platform.runDueJobs();
    const tables = ["ticket", "ticket_message", "ticket_word", "support_link"] as const;
    for (const table of tables) {
      expect(await platform.database.selectFrom(table).selectAll().execute()).toEqual([]);
    }
    const counts = await platform.database.selectFrom("ticket_count").select("count").execute();
    expect(new Set(counts.map(({ count }) => count))).toEqual(new Set([0]));
  });
});
