import { createServer, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { readMail, type ReceivedMail } from "./mail-parts";
import { freePort } from "./port";

export type MailServer = {
  url: string;
  port: number;
  /** Received mails in order of arrival. */
  mails: ReceivedMail[];
  /** Number of connections. */
  connections(): number;
  close(): Promise<void>;
};

/** A mail server for a test. It has no TLS, because no client would trust its certificate. */
export async function startMailServer(
  options: SMTPServerOptions & { port?: number } = {},
): Promise<MailServer> {
  const port = options.port ?? (await freePort());
  const mails: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    closeTimeout: 100,
    onConnect(_session, done) {
      connections++;
      done();
    },
    async onData(stream, { envelope, secure }, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(Buffer.from(chunk));
      const recipients = envelope.rcptTo.map(({ address }) => address);
      mails.push({ ...readMail(Buffer.concat(chunks)), recipients, secure });
      done();
    },
    ...options,
  });
  // Clients that distrust the certificate hang up, as the test expects.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** A server that closes every connection and counts them. */
export async function startBrokenServer() {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.end("421 out of order\r\n");
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${port}`,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/**
 * A server that accepts mails to all addresses but some, for which it closes the connection at that command, or at the
 * end of the data, or gives that answer.
 */
export async function startDroppingServer(
  isUnbearable: (to: string) => boolean,
  at: "RCPT TO" | "DATA" | "end" = "DATA",
  said: string | null = null,
) {
  const taken: string[] = [];
  let dropped = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    let [rest, to, isText] = ["", "", false];
    const answer = (line: string) => {
      const isEnd = isText && line === ".";
      if (isText && !isEnd) return;
      to = /^RCPT TO:<([^>]*)>/.exec(line)?.[1] ?? to;
      const isMet = { "RCPT TO": line.startsWith("RCPT TO"), DATA: line === "DATA", end: isEnd };
      if (isMet[at] && isUnbearable(to)) {
        dropped++;
        isText = false;
        if (said === null) socket.destroy();
        else socket.write(`${said}\r\n`);
        return;
      }
      if (isText) taken.push(to);
      isText = line === "DATA";
      socket.write(isText ? "354 go on\r\n" : "250 well\r\n");
    };
    socket.on("error", () => {}).write("220 here\r\n");
    socket.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (!socket.destroyed) answer(line);
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    dropped: () => dropped,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        // A client keeps a connection for its next mails.
        for (const socket of sockets) socket.destroy();
      }),
  };
}
