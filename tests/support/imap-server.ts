import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { freePort } from "./port";

/** Self-signed certificate of `localhost`. */
export const CERTIFICATE = fileURLToPath(new URL("tls/cert.pem", import.meta.url));
const keyed = () => ({
  cert: readFileSync(CERTIFICATE),
  key: readFileSync(new URL("tls/key.pem", import.meta.url)),
});

export type ImapServer = {
  url: string;
  /** Puts a mail into the mailbox, and notifies waiting clients. */
  deliver(raw: Buffer, receivedAt?: Date): void;
  /** For each mail in order: whether it is deleted for good. */
  gone(): boolean[];
  /** For each mail in order: its folder, and its marks. */
  places(): { folder: string; isSeen: boolean; isFlagged: boolean }[];
  /** Somebody reads all mails. */
  read(): void;
  /** The next command of this name ends its connection, before it is carried out. */
  hangUpAt(name: string): void;
  /** Commands that contain the text fail from now on, those of every connection. */
  failAt(text: string, how: Failing): void;
  /** The commands of clients, without passwords. */
  commands: string[];
  /** Ends all connections, like a server that restarts. */
  hangUp(): void;
  close(): Promise<void>;
};

/**
 * A refusal, the end of the connection, no answer, a line without an end, an answer of literals without an end, or a
 * success that does nothing.
 */
export type Failing =
  "refused" | "cut off" | "unanswered" | "endless line" | "endless answer" | "nothing done";

type Mail = {
  raw: Buffer;
  receivedAt: Date;
  isSeen: boolean;
  isFlagged: boolean;
  isDeleted: boolean;
  isGone: boolean;
  folder: string;
};
type Client = { socket: Socket; idleTag: string | null; folder: string };
type Store = { mails: Mail[]; folders: Set<string> };
type Options = {
  /** TLS from the start, or after STARTTLS. */
  tls?: "at once" | "on demand";
  /** Moves single mails to other folders, and deletes them (RFC 6851, 4315). */
  moves?: boolean;
};

const USER = "cap";
const PASSWORD = "un mot/de passe";

/** The part of IMAP4rev1 (RFC 3501, 2177) that reading and marking a mailbox needs. */
export async function startImapServer({ tls, moves = false }: Options = {}): Promise<ImapServer> {
  const mails: Mail[] = [];
  const store: Store = { mails, folders: new Set(["INBOX"]) };
  let fatal: string | null = null;
  let failing: { text: string; how: Failing } | null = null;
  const commands: string[] = [];
  const clients = new Set<Client>();
  const serve = (client: Client) => {
    const { socket } = client;
    socket.on("close", () => clients.delete(client)).on("error", () => {});
    readLines(socket, (line) => {
      commands.push(line.replace(/(LOGIN \S+).*/, "$1"));
      const [tag = "", name] = line.split(" ");
      if (fatal !== null && line.includes(fatal)) {
        fatal = null;
        return void socket.destroy();
      }
      if (failing !== null && line.includes(failing.text)) {
        if (failing.how === "refused") socket.write(`${tag} NO [SERVERBUG] ada@exemple.fr\r\n`);
        if (failing.how === "cut off") socket.destroy();
        if (failing.how === "nothing done") socket.write(`${tag} OK done\r\n`);
        if (failing.how === "endless line") sendForEver(socket, "* SEARCH 1", " 1".repeat(500_000));
        const literal = `{8000000}\r\n${"a".repeat(8_000_000)}`;
        if (failing.how === "endless answer")
          sendForEver(socket, "* 1 FETCH (BODY[] ", ` A ${literal}`);
        return;
      }
      if (name === "STARTTLS" && tls) return serve(encrypted(client, tag));
      answer(line, client, store, tls === "on demand" ? STARTTLS : moves ? MOVES : COMMANDS);
    });
  };
  const greet = (socket: Socket) => {
    const client: Client = { socket, idleTag: null, folder: "INBOX" };
    clients.add(client);
    socket.write("* OK ready\r\n");
    serve(client);
  };
  const server = tls === "at once" ? createTlsServer(keyed(), greet) : createServer(greet);
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const hangUp = () => clients.forEach(({ socket }) => socket.destroy());
  return {
    url: urlOf(tls === "at once" ? "imaps" : "imap", tls ? "localhost" : "127.0.0.1", port),
    commands,
    hangUp,
    gone: () => mails.map(({ isGone }) => isGone),
    places: () => mails.map(({ folder, isSeen, isFlagged }) => ({ folder, isSeen, isFlagged })),
    read: () => mails.forEach((mail) => (mail.isSeen = true)),
    hangUpAt: (name) => (fatal = ` ${name}`),
    failAt: (text, how) => (failing = { text, how }),
    deliver(raw, receivedAt = new Date()) {
      const marks = { isSeen: false, isFlagged: false, isDeleted: false, isGone: false };
      mails.push({ raw, receivedAt, folder: "INBOX", ...marks });
      for (const { socket, idleTag } of clients) {
        if (idleTag) socket.write(`* ${mails.length} EXISTS\r\n`);
      }
    },
    async close() {
      hangUp();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const urlOf = (scheme: string, host: string, port: number) =>
  `${scheme}://${USER}:${encodeURIComponent(PASSWORD)}@${host}:${port}/INBOX`;

function encrypted(client: Client, tag: string): Client {
  const { socket } = client;
  socket.removeAllListeners("data");
  socket.write(`${tag} OK begin\r\n`);
  return Object.assign(client, { socket: new TLSSocket(socket, { isServer: true, ...keyed() }) });
}

/** Sends the same text again and again until the client hangs up. */
function sendForEver(socket: Socket, start: string, text: string) {
  const send = () => {
    while (!socket.destroyed && socket.write(text)) continue;
  };
  socket.write(start);
  socket.on("drain", send);
  send();
}

function readLines(socket: Socket, read: (line: string) => void) {
  let rest = "";
  socket.on("data", (chunk) => {
    const lines = (rest + chunk.toString("latin1")).split("\r\n");
    rest = lines.pop() ?? "";
    lines.forEach(read);
  });
}

function answer(line: string, client: Client, store: Store, commands: typeof COMMANDS) {
  const { socket } = client;
  if (line === "DONE") {
    socket.write(`${client.idleTag} OK done\r\n`);
    client.idleTag = null;
    return;
  }
  const [, tag = "*", name = "", rest = ""] = /^(\S+) ((?:UID )?\S+)(?: (.*))?$/.exec(line) ?? [];
  const command = commands[name.toUpperCase()];
  if (name.toUpperCase() === "IDLE") {
    client.idleTag = tag;
    socket.write(`+ idling\r\n* ${store.mails.length} EXISTS\r\n`);
  } else if (command) {
    const isMissing = name.toUpperCase() === "SELECT" && !store.folders.has(unquoted(rest));
    for (const part of isMissing ? [] : command(rest, store, client)) socket.write(part);
    socket.write(`${tag} ${isMissing ? "NO no such folder" : verdictOf(name, rest)}\r\n`);
    if (name.toUpperCase() === "LOGOUT") socket.end();
  } else {
    socket.write(`${tag} BAD unknown\r\n`);
  }
}

const verdictOf = (name: string, rest: string) =>
  name.toUpperCase() === "LOGIN" &&
  rest !== `"${USER}" "${PASSWORD}"` &&
  rest !== `${USER} "${PASSWORD}"`
    ? "NO [AUTHENTICATIONFAILED] who are you?"
    : "OK done";

const unquoted = (text: string) => text.replaceAll('"', "");

type Command = (rest: string, store: Store, client: Client) => (string | Buffer)[];

/** What a search asks for: marks, and a day before which a mail came. */
function matches(rest: string, { isSeen, isFlagged, receivedAt }: Mail): boolean {
  const [, before] = /BEFORE "?([\w-]+)/.exec(rest) ?? [];
  return (
    (!rest.includes("UNSEEN") || !isSeen) &&
    (!/(^| )SEEN/.test(rest) || isSeen) &&
    (!/(^| )FLAGGED/.test(rest) || isFlagged) &&
    (!rest.includes("UNFLAGGED") || !isFlagged) &&
    (before === undefined || receivedAt < new Date(`${before} UTC`))
  );
}

/** Deletes what is marked as deleted, of these uids when there are some. */
function expunge({ mails }: Store, { folder }: Client, uids: string | null) {
  const named = uids?.split(",").map(Number);
  mails.forEach((mail, at) => {
    const isNamed = named === undefined || named.includes(at + 1);
    if (mail.folder === folder && mail.isDeleted && isNamed) mail.isGone = true;
  });
  return [];
}

/** The line of the sender of each mail that is asked for. */
function sendersOf(rest: string, mails: readonly Mail[]) {
  const [, uids = ""] = /^([\d,]+) /.exec(rest) ?? [];
  return uids.split(",").flatMap((uid) => {
    const [from = ""] =
      /^From: .*$/im.exec(mails[Number(uid) - 1]?.raw.toString("latin1") ?? "") ?? [];
    const text = `${from.trim()}\r\n\r\n`;
    const field = "BODY[HEADER.FIELDS (FROM)]";
    return [`* ${uid} FETCH (UID ${uid} ${field} {${text.length}}\r\n`, text, ")\r\n"];
  });
}

/** The lines before the final one. Uids are positions in the whole store. */
const COMMANDS: Record<string, Command> = {
  CAPABILITY: () => ["* CAPABILITY IMAP4rev1 IDLE\r\n"],
  LOGIN: () => [],
  NAMESPACE: () => ['* NAMESPACE (("" "/")) NIL NIL\r\n'],
  LIST: (rest, { folders }) =>
    [...folders]
      .filter((folder) => folder === "INBOX" || unquoted(rest).endsWith(folder))
      .filter((folder) => !rest.includes("Cap") || folder !== "INBOX")
      .map((folder) => `* LIST (\\HasNoChildren) "/" "${folder}"\r\n`),
  NOOP: (_, { mails }) => [`* ${mails.length} EXISTS\r\n`],
  LOGOUT: () => ["* BYE\r\n"],
  SELECT: (rest, { mails }, client) => {
    client.folder = unquoted(rest);
    return [
      "* FLAGS (\\Seen \\Flagged \\Deleted)\r\n",
      "* OK [PERMANENTFLAGS (\\Seen \\Flagged \\Deleted)] kept\r\n",
      `* ${mails.length} EXISTS\r\n`,
      "* 0 RECENT\r\n",
      "* OK [UIDVALIDITY 1] valid\r\n",
      `* OK [UIDNEXT ${mails.length + 1}] next\r\n`,
    ];
  },
  "UID SEARCH": (rest, { mails }, client) => {
    const isHere = ({ folder, isGone }: Mail) => folder === client.folder && !isGone;
    const found = mails.flatMap((mail, at) =>
      isHere(mail) && matches(rest, mail) ? [at + 1] : [],
    );
    return [`* SEARCH ${found.reverse().join(" ")}\r\n`];
  },
  "UID FETCH": (rest, { mails }) => {
    if (rest.includes("HEADER.FIELDS")) return sendersOf(rest, mails);
    const [, uid = "", length = ""] = /^(\d+) .*BODY\.PEEK\[\]<0\.(\d+)>/.exec(rest) ?? [];
    const raw = mails[Number(uid) - 1]?.raw.subarray(0, Number(length));
    if (!raw) return [];
    return [`* ${uid} FETCH (UID ${uid} BODY[]<0> {${raw.length}}\r\n`, raw, ")\r\n"];
  },
  "UID STORE": (rest, { mails }) =>
    (/^[\d,]+/.exec(rest)?.[0] ?? "").split(",").map((uid) => {
      const mail = mails[Number(uid) - 1];
      if (mail && rest.includes("\\Seen")) mail.isSeen = true;
      if (mail && rest.includes("\\Flagged")) mail.isFlagged = true;
      if (mail && rest.includes("\\Deleted")) mail.isDeleted = true;
      return `* ${uid} FETCH (UID ${uid} FLAGS (\\Seen))\r\n`;
    }),
  EXPUNGE: (_, store, client) => expunge(store, client, null),
};

const STARTTLS = { ...COMMANDS, CAPABILITY: () => ["* CAPABILITY IMAP4rev1 IDLE STARTTLS\r\n"] };

const MOVES: typeof COMMANDS = {
  ...COMMANDS,
  CAPABILITY: () => ["* CAPABILITY IMAP4rev1 IDLE MOVE UIDPLUS NAMESPACE\r\n"],
  CREATE: (rest, { folders }) => {
    folders.add(unquoted(rest));
    return [];
  },
  SUBSCRIBE: () => [],
  "UID MOVE": (rest, { mails }) => {
    const [, uid = "", folder = ""] = /^(\d+) "?([^"]+)"?$/.exec(rest) ?? [];
    const mail = mails[Number(uid) - 1];
    if (mail) mail.folder = folder;
    return [];
  },
  "UID EXPUNGE": (rest, store, client) => expunge(store, client, rest),
};
