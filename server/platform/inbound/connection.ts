import type { ImapFlow, ImapFlowOptions } from "imapflow";
import { MAX_BYTES } from "./receive-mail";
import type { WakeUp } from "./wake-up";

/** A search finds two million mails in it. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Without a logger, because it would log the content of mails. */
const CONNECTION_OPTIONS: Partial<ImapFlowOptions> = {
  logger: false as const,
  autoIdleDelay: 500,
  connectionTimeout: 20_000,
  greetingTimeout: 10_000,
  socketTimeout: 60_000,
  // More than is asked for: some servers send a large mail whole. Without bounds a wrong one may send gigabytes.
  maxLiteralSize: 8 * MAX_BYTES,
  maxLineLength: MAX_LINE_BYTES,
  maxResponseSize: 8 * MAX_BYTES + MAX_LINE_BYTES,
};
const GOODBYE_MS = 2_000;

/**
 * Opens the mailbox of MAIL_INBOX_URL. Signals `wakeUp` when the server announces a mail (IDLE) and
 * when the connection ends.
 */
export async function connect(
  inboxUrl: string,
  wakeUp: WakeUp,
  stop: AbortSignal,
): Promise<ImapFlow> {
  const { server, folder } = mailboxOf(inboxUrl);
  // Loaded here, because most sites have no mailbox, and it takes several megabytes.
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow({ ...server, ...CONNECTION_OPTIONS });
  for (const event of ["exists", "close"] as const) client.on(event, wakeUp.signal);
  // The current or next command reports the error.
  client.on("error", () => {});
  const closeClient = () => client.close();
  stop.addEventListener("abort", closeClient);
  try {
    await client.connect();
    await client.mailboxOpen(folder);
  } catch (error) {
    client.close();
    throw error;
  } finally {
    stop.removeEventListener("abort", closeClient);
  }
  return client;
}

/** A failure of the mailbox, in words without any of the server's. `mail`: uid of the one that was asked for. */
export class MailboxFault extends Error {
  override name = "MailboxFault";

  constructor(
    message: string,
    readonly mail?: number,
  ) {
    super(message);
  }
}

const WORDS: Record<string, string> = {
  NoConnection: "the connection ended",
  EConnectionClosed: "the connection ended",
};

/** A reason for the log without the server's message, which may contain names and addresses. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error instanceof MailboxFault) return error.message;
  if ("authenticationFailed" in error && error.authenticationFailed) return "sign-in refused";
  if ("tlsFailed" in error && error.tlsFailed) return "no encryption";
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return WORDS[code] ?? code;
}

/**
 * Waits for what the server answers: one that sends signs of life, and never the end of a command, would keep its
 * connection for ever.
 * @throws Error when that takes so long that the connection is closed
 */
export async function answerOf<T>(
  client: ImapFlow,
  command: Promise<T>,
  limitMs: number,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new MailboxFault("the server does not end a command"));
      client.close();
    }, limitMs);
  });
  try {
    return await Promise.race([command, over]);
  } finally {
    clearTimeout(timer);
    // After the end of its time nobody waits for it.
    command.catch(() => {});
  }
}

export async function disconnect(client: ImapFlow) {
  const timer = setTimeout(() => client.close(), GOODBYE_MS);
  // Whatever it answers, the connection is closed: all that mattered was done before.
  await client.logout().catch(() => undefined);
  clearTimeout(timer);
  client.close();
}

/** `imaps:` uses TLS from the start; `imap:` starts TLS before signing in, except on localhost. */
function mailboxOf(inboxUrl: string) {
  const { protocol, hostname, port, username, password, pathname } = new URL(inboxUrl);
  const secure = protocol === "imaps:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const server: ImapFlowOptions = {
    host,
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth,
    ...(!secure && !isThisMachine(host) && { doSTARTTLS: true }),
  };
  return { server, folder: decodeURIComponent(pathname.slice(1)) || "INBOX" };
}

const isThisMachine = (host: string) => /^(?:localhost|127\.[\d.]+|::1)$/.test(host);
