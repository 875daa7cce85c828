import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "node-html-parser";
import { expect, it } from "vitest";
import { onEachDatabase } from "../support/platform";
import { answer, change, inbox, lookAt, newCoach, setStatus } from "./desk";
import { loseCard, mailAbout, newestMail, passTo, placesOf, subscriber } from "./life";
import { contents, mailedSecret, mailsOf, newContact, readThread, write } from "./threads";

onEachDatabase("a coach's answer", (open) => {
  async function asked() {
    const platform = await open();
    return { platform, coach: await newCoach(platform), contact: await newContact(platform) };
  }

  it("appears in the thread under the coach's name", async () => {
    const { platform, coach, contact } = await asked();
    const { status, body } = await answer(platform, coach, contact.uid);
    expect(status).toBe(201);
    expect(body.payload.message).toMatchObject({
      content: "Bonjour Ada",
      author: "coach",
      internal: false,
      contact: { uid: coach.uid, name: "Solène" },
    });
    const [, said] = (await readThread(platform, contact)).body.payload.messages;
    const { internal: _, ...shown } = body.payload.message;
    expect(said).toEqual(shown);
  });

  it("reaches the person with a link of its own", async () => {
    const { platform, coach, contact } = await asked();
    const message = 'Bonjour <b>Ada</b>,\n\nvoyez "ceci" & cela.';
    await answer(platform, coach, contact.uid, { message });
    const secret = await mailedSecret(platform, contact.email);
    const { text, html, headers } = await newestMail(platform, contact.email);
    expect(headers.get("subject")).toBe("Solène vous a répondu");
    expect(headers.get("reply-to")).toBeUndefined();
    expect(text).toContain(`\n${message}\n`);
    expect(html).toContain("&lt;b&gt;Ada&lt;/b&gt;");
    expect(secret).not.toBe(contact.secret);
    for (const one of [contact, { ...contact, secret }]) {
      expect((await readThread(platform, one)).status).toBe(200);
      expect(await placesOf(platform, one.secret)).toEqual([]);
    }
  });

  it("is mailed with an address for replies", async () => {
    const platform = await open({ mailReplyTo: "bonjour@cap.example" });
    const contact = await newContact(platform);
    await answer(platform, await newCoach(platform), contact.uid);
    await platform.runDueJobs();
    const { headers, text } = await newestMail(platform, contact.email);
    expect(headers.get("reply-to")).toMatch(
      new RegExp(`^bonjour\\+${contact.uid}\\.[a-z2-7]{16}@cap\\.example$`),
    );
    expect(text).toContain("répondez simplement à ce message");
  });

  it.each([
    ["closed", "Cette demande est close"],
    ["locked", "Cette demande est verrouillée"],
  ])("that leaves the ticket %s says how to go on", async (status, words) => {
    const platform = await open({ mailReplyTo: "bonjour@cap.example" });
    const contact = await newContact(platform);
    await answer(platform, await newCoach(platform), contact.uid, { status });
    const secret = await mailedSecret(platform, contact.email);
    const { text, html } = await newestMail(platform, contact.email);
    expect(text).toContain(words);
    expect(text).toMatch(/Écrire un message[^\n]*\n/);
    expect(text).not.toContain("échange");
    const reread = parse(html).querySelector("dd a")?.getAttribute("href");
    expect(reread).toContain(`/contact/tickets/${contact.uid}?t=${secret}`);
    expect(text).toMatch(/\/contact\/new-ticket$/m);
    expect(text).toContain(`/contact/tickets/${contact.uid}?t=${secret}`);
    expect(text).not.toMatch(/Pour répondre|répondez/);
  });

  it.each([{}, { status: "closed" }])(
    "to somebody whose subscription is over leads to no thread: %j",
    async (more) => {
      const platform = await open({ mailReplyTo: "bonjour@cap.example" });
      const person = await subscriber(platform);
      const { token, email } = person;
      const body = { title: "Mon ascendant", message: "Bonjour", name: "Ada" };
      const talk = await platform.call("POST /support/coaching/tickets", { token, body });
      await loseCard(platform, person);
      await passTo(platform, "2026-12-06T10:00:00.000Z");
      await answer(platform, await newCoach(platform), talk.body.payload.uid, more);
      await platform.runDueJobs();
      const { headers, text } = await mailAbout(platform, email, "answer");
      expect(headers.get("reply-to")).toBeUndefined();
      expect(text).toContain("n’est plus affiché sur le site");
      expect(text).toMatch(/\/registration$/m);
      expect(text).not.toMatch(/\/coaching/);
      expect(text).not.toMatch(/Pour répondre|répondez/);
    },
  );

  it("as a note never leaves the desk", async () => {
    const { platform, coach, contact } = await asked();
    platform.clock.advance(1000);
    const before = await readThread(platform, contact);
    const note = { message: "À surveiller", internal: true };
    const { body } = await answer(platform, coach, contact.uid, note);
    expect(body.payload.message.internal).toBe(true);
    expect(body.payload.ticket).toMatchObject({ status: "new", messageCount: 1, version: 2 });
    expect((await readThread(platform, contact)).body).toEqual(before.body);
    const uid = body.payload.message.uid;
    expect((await readThread(platform, contact, `?since=${uid}`)).status).toBe(400);
    expect(contents(await lookAt(platform, coach, contact.uid))).toEqual([
      "Bonjour",
      "À surveiller",
    ]);
    const [ticket] = (await inbox(platform, coach)).payload;
    expect(ticket).toMatchObject({ excerpt: "Bonjour", lastDateTime: "2026-11-20T10:00:00.000Z" });
    await platform.runDueJobs();
    expect(await mailsOf(platform, contact.email)).toEqual(["ticket"]);
    expect(readdirSync(join(platform.place.dataDir, "outbox"))).toHaveLength(1);
  });

  it("can close, keep or lock the thread", async () => {
    const { platform, coach, contact } = await asked();
    for (const status of ["waiting", "closed"]) {
      const { body } = await answer(platform, coach, contact.uid, { status });
      expect(body.payload.ticket.status).toBe(status);
    }
    const refused = await answer(platform, coach, contact.uid);
    expect(refused.status).toBe(409);
    const note = await answer(platform, coach, contact.uid, { message: "Note", internal: true });
    expect([note.status, note.body.payload.ticket.status]).toEqual([201, "closed"]);
    const reopened = await answer(platform, coach, contact.uid, { status: "waiting" });
    expect(reopened.body.payload.ticket.status).toBe("waiting");
    await answer(platform, coach, contact.uid, { status: "closed" });
    const answered = await answer(platform, coach, contact.uid, { status: "pending" });
    expect(answered.body.payload.ticket.status).toBe("pending");
    expect((await answer(platform, coach, contact.uid, { status: "new" })).status).toBe(400);
  });

  it("is stored and mailed once per key", async () => {
    const { platform, coach, contact } = await asked();
    const key = { "idempotency-key": "reponse-1" };
    const send = (body: object = {}) =>
      answer(platform, coach, contact.uid, { version: 1, ...body }, key);
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.payload.message.uid)).size).toBe(1);
    const otherwise = await send({ message: "Autre" });
    expect([otherwise.status, otherwise.body.violations]).toMatchObject([
      409,
      [{ property: "idempotencyKey", type: "duplicate" }],
    ]);
    expect((await send({ internal: true })).status).toBe(409);
    await platform.runDueJobs();
    expect(await mailsOf(platform, contact.email)).toEqual(["ticket", "answer"]);
  });

  it("is refused after another coach's unseen answer", async () => {
    const { platform, coach, contact } = await asked();
    const hugo = await newCoach(platform, "Hugo");
    const both = await Promise.all(
      [coach, hugo].map((one) => answer(platform, one, contact.uid, { version: 1 })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.body.message).toBe(
      "This ticket changed in between: it is at version 2 and pending, not at 1",
    );
    expect(refused?.body.violations).toMatchObject([{ property: "version", type: "invalid" }]);
    expect((await lookAt(platform, hugo, contact.uid)).body.payload.messages).toHaveLength(2);
  });

  it("is refused after an unseen message of the person", async () => {
    const { platform, coach, contact } = await asked();
    await write(platform, contact, "J'oubliais");
    expect((await answer(platform, coach, contact.uid, { version: 1 })).status).toBe(409);
    const closing = { status: "closed", version: 1 };
    expect((await change(platform, coach, contact.uid, closing)).status).toBe(409);
    expect((await answer(platform, coach, contact.uid, { version: 2 })).status).toBe(201);
  });

  it.each([
    [{ message: " " }, "message", "missing"],
    [{ message: "a\u0000" }, "message", "invalid"],
    [{ status: "open" }, "status", "invalid"],
    [{ version: 0 }, "version", "invalid"],
  ])("refuses %j", async (body, property, type) => {
    const { platform, coach, contact } = await asked();
    const refused = await answer(platform, coach, contact.uid, body);
    expect([refused.status, refused.body.violations]).toEqual([
      400,
      [expect.objectContaining({ property, type })],
    ]);
  });
});

onEachDatabase("a change at the desk", (open) => {
  it("of two simultaneous ones happens once", async () => {
    const platform = await open();
    const [solene, hugo] = [await newCoach(platform), await newCoach(platform, "Hugo")];
    const { uid } = await newContact(platform);
    const take = (one: typeof solene) =>
      change(platform, one, uid, { assignee: one.uid, version: 1 });
    const both = await Promise.all([take(solene), take(hugo)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = both[0]?.status === 200 ? solene : hugo;
    const { payload } = (await lookAt(platform, hugo, uid)).body;
    expect([payload.assignee.uid, payload.version]).toEqual([winner.uid, 2]);
    // Sent again by who was first: it is so already.
    expect((await take(winner)).status).toBe(200);
  });

  it("follows a ticket through all its statuses", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const { uid } = await newContact(platform);
    const waiting = [];
    for (const status of ["pending", "waiting", "closed", "waiting", "locked", "closed"] as const) {
      platform.clock.advance(1000);
      const { body } = await setStatus(platform, coach, uid, status);
      expect(body.payload.status).toBe(status);
      waiting.push(body.payload.waitingSince);
    }
    const at = (second: number) => `2026-11-20T10:00:0${second}.000Z`;
    expect(waiting).toEqual([null, at(2), null, at(4), null, null]);
  });

  it("assigns to coaches only, or to nobody", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const { uid } = await newContact(platform);
    const refused = await change(platform, coach, uid, { assignee: "nobody", version: 1 });
    expect([refused.status, refused.body.violations[0].property]).toEqual([400, "assignee"]);
    const taken = await change(platform, coach, uid, { assignee: coach.uid, version: 1 });
    expect(taken.body.payload.assignee).toEqual({ uid: coach.uid, name: "Solène" });
    const left = await change(platform, coach, uid, { assignee: null, version: 2 });
    expect(left.body.payload).toMatchObject({ assignee: null, version: 3, status: "new" });
  });
});
