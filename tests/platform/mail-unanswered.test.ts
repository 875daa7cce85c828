import { afterEach, describe, expect, it } from "vitest";
import { createSendingWorker } from "../../server/platform/mail/sending";
import { createSmtpTransport } from "../../server/platform/mail/smtp";
import { sendMail } from "../../server/platform/mail/outbox";
import { JobWaiting } from "../../server/platform/jobs/runner";
import {
  MailDropped,
  MailRefused,
  MailUnanswered,
  type OutgoingMail,
} from "../../server/platform/ports/mail-transport";
import { receipt, termsChanged } from "../support/letters";
import { startDroppingServer, startMailServer } from "../support/mail-server";
import { onEachDatabase, type OpenPlatform } from "../support/platform";
import { silent } from "./context";
import { subscriber, subscriptionOf } from "./life";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A promise that the test settles. */
function settled() {
  let resolve = () => {};
  let reject = (_error: Error) => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

const mailTo = (name: string): OutgoingMail => ({
  uid: `0000-${name}`,
  from: { name: "Cap", address: "bonjour@cap.example" },
  to: `${name}@example.org`,
  subject: "Reçu",
  text: "Bonjour",
  html: "<p>Bonjour</p>",
  date: new Date("2026-11-20T10:00:00.000Z"),
});

describe("a mail server that is slow to confirm", () => {
  /** A server that takes the data for addresses with a part of theirs and answers when the test says so. */
  async function slowFor(part: string, times: { patience: number; answer: number; held?: number }) {
    const held = settled();
    const taken: string[] = [];
    const server = await startMailServer({
      async onData(stream, { envelope }, done) {
        for await (const _ of stream) continue;
        const to = envelope.rcptTo[0]?.address ?? "";
        taken.push(to);
        if (to.includes(part)) await held.promise;
        done();
      },
    });
    cleanups.push(() => server.close());
    const transport = createSmtpTransport(server.url, { sending: 40_000, held: 600_000, ...times });
    cleanups.push(() => transport.close());
    return { transport, taken, answerNow: held.resolve };
  }

  async function unanswered(sending: Promise<void>): Promise<MailUnanswered> {
    const error = await sending.catch((error: unknown) => error);
    if (!(error instanceof MailUnanswered)) throw error;
    return error;
  }

  it("keeps no other mail back, and is heard later", async () => {
    const times = { patience: 50, answer: 600_000 };
    const { transport, taken, answerNow } = await slowFor("ada@example.org", times);
    const { answer } = await unanswered(transport.send(mailTo("ada")));
    await transport.send(mailTo("grace"));
    expect(taken).toEqual(["ada@example.org", "grace@example.org"]);
    answerNow();
    await expect(answer).resolves.toBeUndefined();
  });

  it("keeps no other mail back for long, however many it does not confirm", async () => {
    const times = { patience: 20, answer: 600_000, held: 1 };
    const { transport, taken, answerNow } = await slowFor("ada", times);
    const answers = [];
    for (let index = 0; index < 20; index++) {
      answers.push((await unanswered(transport.send(mailTo(`ada${index}`)))).answer);
    }
    await transport.send(mailTo("grace"));
    expect(taken).toHaveLength(21);
    // The oldest were given up for the others.
    await expect(answers[0]).rejects.toThrow("The mail server cannot be used");
    answerNow();
    await expect(answers.at(-1)).resolves.toBeUndefined();
  });

  it("confirms what it has though many wait with it", async () => {
    const times = { patience: 20, answer: 600_000, held: 600_000 };
    const { transport, taken, answerNow } = await slowFor("ada", times);
    const names = Array.from({ length: 20 }, (_, index) => `ada${index}`);
    const sendings = names.map((name) =>
      transport.send(mailTo(name)).catch((error: unknown) => {
        if (!(error instanceof MailUnanswered)) throw error;
        return error.answer;
      }),
    );
    await expect.poll(() => taken.length).toBe(20);
    answerNow();
    await Promise.all(sendings);
  });

  it("is given up after the time of the standard", async () => {
    const { transport } = await slowFor("ada@example.org", { patience: 10, answer: 100 });
    const { answer } = await unanswered(transport.send(mailTo("ada")));
    await expect(answer).rejects.toThrow("The mail server cannot be used");
  });
});

it("a mail behind whose last byte a server closes the connection is tried again slowly", async () => {
  const server = await startDroppingServer((to) => to === "ada@example.org", "end");
  cleanups.push(() => server.close());
  const times = { sending: 40_000, patience: 40_000, answer: 40_000, held: 40_000 };
  const transport = createSmtpTransport(server.url, times);
  cleanups.push(() => transport.close());
  const sending = transport.send(mailTo("ada"));
  await expect(sending).rejects.toMatchObject({ name: "MailDropped", pace: "slow" });
  await transport.send(mailTo("grace"));
  expect(server.taken).toEqual(["grace@example.org"]);
});

it.each(["RCPT TO", "DATA", "end"] as const)(
  "an answer without a code is a matter of its mail: %s",
  async (at) => {
    const server = await startDroppingServer((to) => to === "ada@example.org", at, "well, well");
    cleanups.push(() => server.close());
    const times = { sending: 40_000, patience: 40_000, answer: 40_000, held: 40_000 };
    const transport = createSmtpTransport(server.url, times);
    cleanups.push(() => transport.close());
    await expect(transport.send(mailTo("ada"))).rejects.toThrow(MailDropped);
    await transport.send(mailTo("grace"));
    expect(server.taken).toEqual(["grace@example.org"]);
  },
);

it("a mail whose recipient a server never answers counts as dropped", async () => {
  const server = await startMailServer({
    onRcptTo({ address }, _, done) {
      if (address !== "ada@example.org") done();
    },
  });
  cleanups.push(() => server.close());
  const times = { sending: 500, patience: 40_000, answer: 40_000, held: 40_000 };
  const transport = createSmtpTransport(server.url, times);
  cleanups.push(() => transport.close());
  await expect(transport.send(mailTo("ada"))).rejects.toThrow(MailDropped);
  await transport.send(mailTo("grace"));
});

onEachDatabase("a mail that a server does not confirm", (open) => {
  async function sending(open: OpenPlatform) {
    const { database: db, clock } = await open();
    await sendMail(db, clock, { key: "one", to: "ada@example.org", letter: receipt });
    const { uid } = await db.selectFrom("mail").select("uid").executeTakeFirstOrThrow();
    const lines: string[] = [];
    const note = (_: object, message: string) => void lines.push(message);
    const answers: ReturnType<typeof settled>[] = [];
    const transport = {
      async send() {
        const answer = settled();
        answers.push(answer);
        throw new MailUnanswered(answer.promise);
      },
      close() {},
    };
    const log = { info() {}, warn: note, error: note };
    const from = { name: "Cap", address: "bonjour@cap.example" };
    const work = createSendingWorker({ db, clock, log, transport, from, timed: [] });
    const run = () => work({ uid }).catch((error: unknown) => error);
    const row = () => db.selectFrom("mail").selectAll().executeTakeFirstOrThrow();
    return { clock, run, row, lines, answers };
  }

  it("waits for the answer and is not sent again", async () => {
    const { clock, run, row, answers } = await sending(open);
    const waiting = await run();
    expect(waiting).toBeInstanceOf(JobWaiting);
    const until = waiting instanceof JobWaiting ? waiting.until?.getTime() : undefined;
    expect(until).toBeGreaterThan(clock.now().getTime() + 600_000);
    answers[0]?.resolve();
    await expect.poll(async () => (await row()).sent_at).toBe(clock.now().toISOString());
    expect(await run()).toBeUndefined();
    expect(answers).toHaveLength(1);
  });

  it("is tried on after any number of late refusals for now", async () => {
    const { run, row, answers } = await sending(open);
    const refusal = { command: "DATA", code: 451, permanent: false };
    for (let round = 0; round < 5; round++) {
      expect(await run()).toBeInstanceOf(JobWaiting);
      answers[round]?.reject(new MailRefused(refusal));
      await expect.poll(async () => (await row()).unanswered).toBe(0);
    }
    expect(await row()).toMatchObject({ given_up_at: null, sent_at: null });
  });

  it("is given up after three tries, and told", async () => {
    const { run, row, lines, answers } = await sending(open);
    for (let round = 0; round < 5; round++) {
      await run();
      answers[round]?.reject(new Error("The mail server cannot be used (AbortError)"));
    }
    expect(answers).toHaveLength(3);
    expect(await row()).toMatchObject({ text: "", html: "", sent_at: null });
    await expect
      .poll(() => lines.filter((line) => line.includes("is tried again")))
      .toHaveLength(3);
    expect(lines).toContain("mail given up unconfirmed: it may have been delivered each time");
  });

  it("is archived with the date of its last try", async () => {
    const platform = await open();
    const { database: db, clock } = platform;
    const person = await subscriber(platform);
    const { uid: contract } = await subscriptionOf(platform, person);
    const letter = { ...termsChanged, appliesAt: null };
    await sendMail(db, clock, {
      key: "terms",
      to: person.email,
      letter,
      exported: letter,
      contract,
    });
    const { uid } = await db
      .selectFrom("mail")
      .select("uid")
      .where("key", "=", "terms")
      .executeTakeFirstOrThrow();
    const archived = async () => {
      const copy = db.selectFrom("contract_mail").select("text").where("uid", "=", uid);
      return (await copy.executeTakeFirstOrThrow()).text;
    };
    let limit: Date | "void" = new Date("2026-12-20T23:00:00.000Z");
    const timed = [{ findLimit: async () => limit, async recordSent() {} }];
    const transport = {
      async send() {
        throw new MailUnanswered(Promise.reject(new Error("The mail server is away")));
      },
      close() {},
    };
    const from = { name: "Cap", address: "bonjour@cap.example" };
    const work = createSendingWorker({ db, clock, log: silent, transport, from, timed });
    const run = () => work({ uid }).catch((error: unknown) => error);
    for (const [date, day] of [
      ["2026-12-20T23:00:00.000Z", "21 déc. 2026"],
      ["2026-12-21T23:00:00.000Z", "22 déc. 2026"],
    ] as const) {
      limit = new Date(date);
      await run();
      expect(await archived()).toContain(day.replaceAll(" ", "\u00a0"));
    }
    const kept = await archived();
    expect(kept).not.toMatch(/[\ue000-\uf8ff]/);
    limit = "void";
    expect(await run()).toBeUndefined();
    expect(await archived()).toBe(kept);
    const { token } = person;
    const { body } = await platform.call(`GET /users/${person.uid}/export`, { token });
    const exported = JSON.stringify(body.payload.contractMails);
    expect(exported).toMatch(/Date d’effet\s: …/);
    expect(exported).not.toMatch(/[\ue000-\uf8ff]/);
  });
});
