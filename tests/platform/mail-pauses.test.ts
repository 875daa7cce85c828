import { expect, it } from "vitest";
import { createPausingTransport } from "../../server/platform/mail/pausing-transport";
import { JobWaiting } from "../../server/platform/jobs/runner";
import { FakeClock } from "../../server/platform/ports/clock";
import {
  MailDropped,
  MailRefused,
  MailUnanswered,
  type OutgoingMail,
} from "../../server/platform/ports/mail-transport";
import { silent } from "./context";

const mailTo = (to: string): OutgoingMail => ({
  uid: to,
  from: { name: "Cap", address: "bonjour@cap.example" },
  to,
  subject: "Reçu",
  text: "Bonjour",
  html: "<p>Bonjour</p>",
  date: new Date("2026-11-20T10:00:00.000Z"),
});

/** A mail server at which each sending ends when and as the test says. */
function openServer() {
  const clock = new FakeClock();
  const ends = new Map<string, (error?: Error) => void>();
  const server = {
    send: ({ to }: OutgoingMail) =>
      new Promise<void>((resolve, reject) => {
        ends.set(to, (error) => (error ? reject(error) : resolve()));
      }),
    close() {},
  };
  const transport = createPausingTransport(server, { clock, log: silent });
  /** Sends, and gives back what the sending threw. */
  const send = (to: string) =>
    transport.send(mailTo(to)).then(
      () => null,
      (error: unknown) => error,
    );
  const end = (to: string, error?: Error) => ends.get(to)?.(error);
  async function fail(to: string, error: Error) {
    const sending = send(to);
    end(to, error);
    return sending;
  }
  return { clock, transport, send, end, fail, isAsked: (to: string) => ends.has(to) };
}

it("mails that hang while another is taken stop no others", async () => {
  const { transport, send, end } = openServer();
  const sendings = [send("a@hang.example"), send("b@hung.example"), send("ada@example.org")];
  end("ada@example.org");
  expect(await sendings[2]).toBeNull();
  end("a@hang.example", new MailDropped());
  end("b@hung.example", new MailDropped());
  expect(await sendings[0]).toBeInstanceOf(MailDropped);
  expect(await sendings[1]).toBeInstanceOf(MailDropped);
  expect(transport.isStopped()).toBe(false);
});

it("a refused connection while another mail is taken stops no others", async () => {
  const { transport, send, end } = openServer();
  const sendings = [send("a@example.org"), send("b@example.org")];
  end("b@example.org");
  await sendings[1];
  end("a@example.org", new Error("The mail server cannot be used (421)"));
  expect(await sendings[0]).toBeInstanceOf(JobWaiting);
  expect(transport.isStopped()).toBe(false);
});

it("dropped mails make no later pause longer", async () => {
  const { clock, fail, send, end, isAsked } = openServer();
  for (let index = 0; index < 8; index++) {
    await fail(`a@hang${index}.example`, new MailDropped());
    clock.advance(6_000);
  }
  await fail("ada@example.org", new Error("The mail server cannot be used"));
  clock.advance(5_000);
  const sending = send("grace@example.net");
  expect(isAsked("grace@example.net")).toBe(true);
  end("grace@example.net");
  expect(await sending).toBeNull();
});

it("a mail that the server confirms late ends an outage", async () => {
  const { clock, transport, fail } = openServer();
  await fail("ada@example.org", new Error("The mail server cannot be used"));
  clock.advance(5_000);
  let confirm = () => {};
  const answer = new Promise<void>((resolve) => (confirm = resolve));
  expect(await fail("grace@example.net", new MailUnanswered(answer))).toBeInstanceOf(
    MailUnanswered,
  );
  expect(transport.isStopped()).toBe(true);
  confirm();
  await answer;
  expect(transport.isStopped()).toBe(false);
});

it("mails to a domain whose mails are not confirmed wait for an answer, and no others", async () => {
  const { transport, fail, send, end, isAsked } = openServer();
  const answers: (() => void)[] = [];
  const unanswered = () =>
    new MailUnanswered(new Promise<void>((resolve) => void answers.push(resolve)));
  for (const name of ["a", "b", "c", "d"])
    expect(await fail(`${name}@${name}.late.example`, unanswered())).toBeInstanceOf(MailUnanswered);
  const waiting = { name: "JobWaiting", until: expect.any(Date) };
  expect(await send("e@late.example")).toMatchObject(waiting);
  expect(isAsked("e@late.example")).toBe(false);
  expect(transport.isStopped()).toBe(false);
  const sending = send("ada@example.org");
  end("ada@example.org");
  expect(await sending).toBeNull();
  answers[0]?.();
  await Promise.resolve();
  void send("f@late.example");
  expect(isAsked("f@late.example")).toBe(true);
});

it("after a pause a domain whose mails are not confirmed yields to others", async () => {
  const { clock, fail, send, isAsked } = openServer();
  await fail("ada@example.org", new Error("The mail server cannot be used"));
  clock.advance(5_000);
  await fail("a@late.example", new MailUnanswered(new Promise(() => {})));
  expect(await send("b@late.example")).toBeInstanceOf(JobWaiting);
  expect(isAsked("b@late.example")).toBe(false);
  void send("grace@example.net");
  expect(isAsked("grace@example.net")).toBe(true);
});

const POLICY = { command: "RCPT TO", code: 550, enhancedCode: "5.7.1", permanent: true };

it("a late refusal by policy begins an outage", async () => {
  const { transport, fail } = openServer();
  const late = await fail(
    "ada@example.org",
    new MailUnanswered(Promise.reject(new MailRefused(POLICY))),
  );
  if (!(late instanceof MailUnanswered)) throw late;
  await expect(late.answer).rejects.toBeInstanceOf(JobWaiting);
  expect(transport.isStopped()).toBe(true);
});

it("a refused connection inherits no long pause of refused mails", async () => {
  const { clock, fail, send, end, isAsked } = openServer();
  for (let index = 0; index < 7; index++) {
    await fail(`bad${index}@example.org`, new MailRefused(POLICY));
    clock.advance(5 * 60_000);
  }
  await fail("bad7@example.org", new MailRefused(POLICY));
  await fail("ada@example.org", new Error("The mail server cannot be used (ECONNREFUSED)"));
  clock.advance(5_000);
  const sending = send("grace@example.net");
  expect(isAsked("grace@example.net")).toBe(true);
  end("grace@example.net");
  expect(await sending).toBeNull();
});
