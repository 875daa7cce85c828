import fc from "fast-check";
import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { answer, newCoach, setStatus } from "./desk";
import { ask, asContact, contents, newContact, readThread, write, type Contact } from "./threads";

onEachDatabase("a thread", (open) => {
  const statusOf = async (platform: TestPlatform, contact: Contact) =>
    (await readThread(platform, contact)).body.payload.status;

  const fill = async (platform: TestPlatform, contact: Contact, from: number, to: number) => {
    for (let n = from; n <= to; n++) await write(platform, contact, `message ${n}`);
  };

  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `message ${from + index}`);

  it("appends a message at its end", async () => {
    const platform = await open();
    const contact = await newContact(platform);
    const { status, body } = await write(platform, contact, "  Et ma carte ?\r\n");
    expect([status, body.payload]).toEqual([
      201,
      {
        uid: expect.any(String),
        date: "2026-11-20T10:00:00.000Z",
        content: "Et ma carte ?",
        contact: { uid: contact.uid, name: "Ada Byron" },
        author: "person",
      },
    ]);
    const thread = await readThread(platform, contact);
    expect(contents(thread)).toEqual(["Bonjour", "Et ma carte ?"]);
    expect(thread.body.payload).toMatchObject({ status: "new", messageCount: 2, unread: false });
    expect(thread.body.page).toEqual({ hasNextPage: false, endCursor: null });
  });

  it.each([
    ["", "missing"],
    [" \n\t\u00a0", "missing"],
    [undefined, "missing"],
    ["\u200b", "invalid"],
    ["a\u0000", "invalid"],
    ["\udc00", "invalid"],
    [{}, "invalid"],
    ["x".repeat(10_001), "invalid"],
  ])("refuses the message %j", async (message, type) => {
    const platform = await open();
    const contact = await newContact(platform);
    const { status, body } = await write(platform, contact, message);
    expect(status).toBe(400);
    expect(body.violations).toEqual([expect.objectContaining({ property: "message", type })]);
    expect(contents(await readThread(platform, contact))).toEqual(["Bonjour"]);
  });

  it("has a status that shows whose turn it is", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const contact = await newContact(platform);
    await write(platform, contact, "Encore moi");
    expect(await statusOf(platform, contact)).toBe("new");
    await answer(platform, coach, contact.uid);
    expect(await statusOf(platform, contact)).toBe("pending");
    await write(platform, contact, "Merci");
    expect(await statusOf(platform, contact)).toBe("waiting");
    await write(platform, contact, "Au fait");
    expect(await statusOf(platform, contact)).toBe("waiting");
  });

  it.each(["closed", "locked"] as const)("that is %s takes no reply", async (status) => {
    const platform = await open();
    const coach = await newCoach(platform);
    const contact = await newContact(platform);
    await setStatus(platform, coach, contact.uid, status);
    const refused = await write(platform, contact, "Encore moi");
    const message = `This thread is ${status} and takes no reply`;
    const violations = [{ property: "status", message, type: "invalid" }];
    expect([refused.status, refused.body]).toEqual([409, { message, violations }]);
    expect(contents(await readThread(platform, contact))).toEqual(["Bonjour"]);
    await setStatus(platform, coach, contact.uid, "waiting");
    expect((await write(platform, contact, "Encore moi")).status).toBe(201);
  });

  it("stores a message that is sent twice once", async () => {
    const platform = await open();
    const contact = await newContact(platform);
    const key = { "idempotency-key": "message-1" };
    const answers = await Promise.all(
      [1, 2, 3].map(() => write(platform, contact, "Une fois", key)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.payload.uid)).size).toBe(1);
    const otherwise = await write(platform, contact, "Autre chose", key);
    expect([otherwise.status, otherwise.body.violations]).toMatchObject([
      409,
      [{ property: "idempotencyKey", type: "duplicate" }],
    ]);
    const other = await newContact(platform);
    expect((await write(platform, other, "Autre chose", key)).status).toBe(201);
    expect(contents(await readThread(platform, contact))).toEqual(["Bonjour", "Une fois"]);
  });

  it("answers a repeated message even when closed", async () => {
    const platform = await open();
    const contact = await newContact(platform);
    const key = { "idempotency-key": "message-1" };
    const first = await write(platform, contact, "Une fois", key);
    await setStatus(platform, await newCoach(platform), contact.uid, "closed");
    const again = await write(platform, contact, "Une fois", key);
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it("loses no simultaneous message", async () => {
    const platform = await open();
    const contact = await newContact(platform);
    const all = numbers(1, 30);
    await Promise.all(all.map((message) => write(platform, contact, message)));
    const rows = await platform.database
      .selectFrom("ticket_message")
      .select(["seq", "content"])
      .orderBy("seq")
      .execute();
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
    expect(rows.map(({ content }) => content).sort()).toEqual([...all, "Bonjour"].sort());
  });

  it("is limited to 120 messages an hour a person", async () => {
    const platform = await open();
    const contact = await newContact(platform);
    await fill(platform, contact, 1, 120);
    const refused = await write(platform, contact, "Un de trop");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    const other = await newContact(platform);
    expect((await write(platform, other, "Bonjour")).status).toBe(201);
    platform.clock.advance(3_600_000);
    expect((await write(platform, contact, "Plus tard")).status).toBe(201);
  });

  it("is limited to 300 messages a day a person", async () => {
    const platform = await open();
    const contact = await newContact(platform);
    for (let hour = 0; hour < 3; hour++) {
      await fill(platform, contact, 1, 100);
      platform.clock.advance(3_600_000);
    }
    const refused = await write(platform, contact, "Un de trop");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, String(21 * 3600)]);
    expect((await write(platform, await newContact(platform), "Bonjour")).status).toBe(201);
    platform.clock.advance(21 * 3_600_000);
    expect((await write(platform, contact, "Le lendemain")).status).toBe(201);
  });

  it("can be read backwards while messages arrive", async () => {
    const platform = await open();
    const contact = await newContact(platform, { message: "message 1" });
    await fill(platform, contact, 2, 25);
    const last = await readThread(platform, contact);
    expect(contents(last)).toEqual(numbers(16, 25));
    await fill(platform, contact, 26, 30);
    const before = await readThread(platform, contact, `?cursor=${last.body.page.endCursor}`);
    expect(contents(before)).toEqual(numbers(6, 15));
    const first = await readThread(platform, contact, `?cursor=${before.body.page.endCursor}`);
    expect(contents(first)).toEqual(numbers(1, 5));
    expect(first.body.page).toEqual({ hasNextPage: false, endCursor: null });
  });

  /** Reads the pages of newer messages until nothing follows, the first of the thread excluded. */
  async function readForwards(platform: TestPlatform, contact: Contact): Promise<string[][]> {
    const { uid } = await platform.database
      .selectFrom("ticket_message")
      .select("uid")
      .where("ticket_uid", "=", contact.uid)
      .where("seq", "=", 1)
      .executeTakeFirstOrThrow();
    const pages: string[][] = [];
    for (let since = uid, hasNextPage = true; hasNextPage;) {
      const read = await readThread(platform, contact, `?since=${since}`);
      pages.push(contents(read));
      ({ hasNextPage } = read.body.page);
      since = read.body.payload.messages.at(-1)?.uid;
    }
    return pages;
  }

  it("can be read forwards without gap or duplicate", async () => {
    const platform = await open();
    const contact = await newContact(platform, { message: "message 1" });
    expect(await readForwards(platform, contact)).toEqual([[]]);
    await fill(platform, contact, 2, 110);
    expect(await readForwards(platform, contact)).toEqual([
      numbers(2, 51),
      numbers(52, 101),
      numbers(102, 110),
    ]);
  });

  it("can be read forwards however long its messages are", async () => {
    const platform = await open();
    const contact = await newContact(platform);
    const lengths = fc.array(fc.constantFrom(1, 500, 9_999, 10_000), {
      minLength: 1,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(lengths, fc.constantFrom("x", "\u{1f319}"), async (some, character) => {
        await replaceNewer(
          platform,
          contact,
          some.map((length) => character.repeat(length)),
        );
        const pages = await readForwards(platform, contact);
        expect(pages.flat().map((text) => [...text].length)).toEqual(some);
        for (const page of pages) expect(page.join("").length).toBeLessThanOrEqual(100_000);
      }),
      { numRuns: 15 },
    );
  });

  /** Writes rows, because nobody can send that many messages an hour. */
  async function replaceNewer({ database }: TestPlatform, { uid }: Contact, texts: string[]) {
    await database
      .deleteFrom("ticket_message")
      .where("ticket_uid", "=", uid)
      .where("seq", ">", 1)
      .execute();
    const first = await database
      .selectFrom("ticket_message")
      .selectAll()
      .where("ticket_uid", "=", uid)
      .executeTakeFirstOrThrow();
    const rows = texts.map((content, n) => ({
      ...first,
      content,
      uid: crypto.randomUUID(),
      seq: n + 2,
    }));
    await database.insertInto("ticket_message").values(rows).execute();
  }

  it.each([
    ["cursor", "abc"],
    ["cursor", "x".repeat(600)],
    ["since", "nobody"],
    ["since", "a b"],
  ])("refuses the %s %j", async (property, value) => {
    const platform = await open();
    const contact = await newContact(platform);
    const { status, body } = await readThread(
      platform,
      contact,
      `?${property}=${encodeURIComponent(value)}`,
    );
    expect([status, body.violations[0].property]).toEqual([400, property]);
  });

  it("refuses a cursor or message of another thread", async () => {
    const platform = await open();
    const contact = await newContact(platform);
    await fill(platform, contact, 1, 12);
    const { page, payload } = (await readThread(platform, contact)).body;
    const other = await newContact(platform);
    for (const query of [`?cursor=${page.endCursor}`, `?since=${payload.messages[0].uid}`]) {
      expect((await readThread(platform, other, query)).status).toBe(400);
    }
  });

  it("reports which answers were not read", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const contact = await newContact(platform);
    const isUnread = async () => (await readThread(platform, contact)).body.payload.unread;
    const read = (query = "") =>
      platform.call(`POST /support/contact/tickets/${contact.uid}/read${query}`, {
        headers: asContact(contact),
      });
    const first = (await answer(platform, coach, contact.uid)).body.payload.message.uid;
    expect(await isUnread()).toBe(true);
    await answer(platform, coach, contact.uid, { message: "Encore" });
    expect((await read(`?until=${first}`)).status).toBe(204);
    expect(await isUnread()).toBe(true);
    expect((await read()).status).toBe(204);
    expect(await isUnread()).toBe(false);
    await read(`?until=${first}`);
    expect(await isUnread()).toBe(false);
    expect((await read("?until=nobody")).status).toBe(400);
  });

  it("is listed in pages, by status if requested", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const contact = await newContact(platform, { title: "t0" });
    for (let n = 1; n <= 12; n++) {
      platform.clock.advance(60_000);
      const { body } = await ask(platform, { email: contact.email, title: `t${n}` });
      if (n % 4 === 0) await setStatus(platform, coach, body.payload.uid, "closed");
    }
    const list = async (query = "") => {
      const { body } = await platform.call(`GET /support/contact/tickets${query}`, {
        headers: asContact(contact),
      });
      return body;
    };
    const titles = ({ payload }: { payload: { title: string }[] }) =>
      payload.map(({ title }) => title);
    const first = await list();
    expect(titles(first)).toEqual(["t12", "t11", "t10", "t9", "t8", "t7", "t6", "t5", "t4", "t3"]);
    expect(titles(await list(`?after=${first.page.endCursor}`))).toEqual(["t2", "t1", "t0"]);
    expect(titles(await list("?status=closed"))).toEqual(["t12", "t8", "t4"]);
    expect(titles(await list("?status=active&length=2"))).toEqual(["t11", "t10"]);
    expect(titles(await list("?status=locked&status=closed"))).toEqual(["t12", "t8", "t4"]);
    expect((await list("?status=open")).violations[0].property).toBe("status");
  });
});
