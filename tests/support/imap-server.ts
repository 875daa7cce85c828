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
  deliver(raw: Buffer): void;
  /** For each mail in order: whether it is marked as seen. */
  seen(): boolean[];
  /** For each mail in order: its folder, and whether it is flagged. */
  places(): { folder: string; isFlagged: boolean }[];
  /** The commands of clients, without passwords. */
  commands: string[];
  /** Ends all connections, like a server that restarts. */
  hangUp(): void;
  close(): Promise<void>;
};

type Mail = { raw: Buffer; isSeen: boolean; isFlagged: boolean; folder: string };
type Client = { socket: Socket; idleTag: string | null };
type Options = {
  /** TLS from the start, or after STARTTLS. */
  tls?: "at once" | "on demand";
  /** Moves mails to other folders (RFC 6851). */
  moves?: boolean;
};

const USER = "cap";
const PASSWORD = "un mot/de passe";

/** The part of IMAP4rev1 (RFC 3501, 2177) that reading and marking a mailbox needs. */
export async function startImapServer({ tls, moves = false }: Options = {}): Promise<ImapServer> {
  const mails: Mail[] = [];
  const commands: string[] = [];
  const clients = new Set<Client>();
  const serve = (client: Client) => {
    const { socket } = client;
    socket.on("close", () => clients.delete(client)).on("error", () => {});
    readLines(socket, (line) => {
      commands.push(line.replace(/(LOGIN \S+).*/, "$1"));
      const [tag = "", name] = line.split(" ");
      if (name === "STARTTLS" && tls) return serve(encrypted(client, tag));
      answer(line, client, mails, tls === "on demand" ? STARTTLS : moves ? MOVES : COMMANDS);
    });
  };
  const greet = (socket: Socket) => {
    const client: Client = { socket, idleTag: null };
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
    seen: () => mails.map(({ isSeen }) => isSeen),
    places: () => mails.map(({ folder, isFlagged }) => ({ folder, isFlagged })),
    deliver(raw) {
      mails.push({ raw, isSeen: false, isFlagged: false, folder: "INBOX" });
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

function readLines(socket: Socket, read: (line: string) => void) {
  let rest = "";
  socket.on("data", (chunk) => {
    const lines = (rest + chunk.toString("latin1")).split("\r\n");
    rest = lines.pop() ?? "";
    lines.forEach(read);
  });
}

function answer(line: string, client: Client, mails: Mail[], commands: typeof COMMANDS) {
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
    socket.write(`+ idling\r\n* ${mails.length} EXISTS\r\n`);
  } else if (command) {
    for (const part of command(rest, mails)) socket.write(part);
    socket.write(`${tag} ${verdictOf(name, rest)}\r\n`);
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

/** The lines before the final one. Uids are positions in the mailbox. */
const COMMANDS: Record<string, (rest: string, mails: Mail[]) => (string | Buffer)[]> = {
  CAPABILITY: () => ["* CAPABILITY IMAP4rev1 IDLE\r\n"],
  LOGIN: () => [],
  NAMESPACE: () => ['* NAMESPACE (("" "/")) NIL NIL\r\n'],
  LIST: () => ['* LIST (\\HasNoChildren) "/" "INBOX"\r\n'],
  NOOP: (_, mails) => [`* ${mails.length} EXISTS\r\n`],
  LOGOUT: () => ["* BYE\r\n"],
  SELECT: (_, mails) => [
    "* FLAGS (\\Seen \\Flagged)\r\n",
    "* OK [PERMANENTFLAGS (\\Seen \\Flagged)] kept\r\n",
    `* ${mails.length} EXISTS\r\n`,
    "* 0 RECENT\r\n",
    "* OK [UIDVALIDITY 1] valid\r\n",
    `* OK [UIDNEXT ${mails.length + 1}] next\r\n`,
  ],
  "UID SEARCH": (_, mails) => {
    const isUnseen = ({ isSeen, folder }: Mail) => !isSeen && folder === "INBOX";
    const unseen = mails.flatMap((mail, at) => (isUnseen(mail) ? [at + 1] : []));
    return [`* SEARCH ${unseen.reverse().join(" ")}\r\n`];
  },
  "UID FETCH": (rest, mails) => {
    const [, uid = "", length = ""] = /^(\d+) .*BODY\.PEEK\[\]<0\.(\d+)>/.exec(rest) ?? [];
    const raw = mails[Number(uid) - 1]?.raw.subarray(0, Number(length));
    if (!raw) return [];
    return [`* ${uid} FETCH (UID ${uid} BODY[]<0> {${raw.length}}\r\n`, raw, ")\r\n"];
  },
  "UID STORE": (rest, mails) => {
    const mail = mails[parseInt(rest) - 1];
    if (mail && rest.includes("\\Seen")) mail.isSeen = true;
    if (mail && rest.includes("\\Flagged")) mail.isFlagged = true;
    return [`* ${parseInt(rest)} FETCH (UID ${parseInt(rest)} FLAGS (\\Seen))\r\n`];
  },
};

const STARTTLS = { ...COMMANDS, CAPABILITY: () => ["* CAPABILITY IMAP4rev1 IDLE STARTTLS\r\n"] };

const MOVES: typeof COMMANDS = {
  ...COMMANDS,
  CAPABILITY: () => ["* CAPABILITY IMAP4rev1 IDLE MOVE NAMESPACE\r\n"],
  CREATE: () => [],
  SUBSCRIBE: () => [],
  "UID MOVE": (rest, mails) => {
    const [, uid = "", folder = ""] = /^(\d+) "?([^"]+)"?$/.exec(rest) ?? [];
    const mail = mails[Number(uid) - 1];
    if (mail) mail.folder = folder;
    return [];
  },
};
