export type Mail = {
  headers: Map<string, string>;
  text: string;
  html: string;
};

export type ReceivedMail = Mail & {
  /** Recipients of the envelope. */
  recipients: string[];
  /** Whether the mail came over TLS. */
  secure: boolean;
};

/**
 * Reads a mail with a text and an HTML part in quoted-printable, the only form that this site
 * writes.
 */
export function readMail(raw: Buffer): Mail {
  const source = raw.toString("latin1");
  const [head, body] = split(source);
  const headers = readHeaders(head);
  const boundary = /boundary="([^"]+)"/.exec(headers.get("content-type") ?? "")?.[1] ?? "";
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, "")))
    .map(([partHead, content]) => ({ headers: readHeaders(partHead), content }));
  const contentOf = (type: string) => {
    const part = parts.find(({ headers }) => headers.get("content-type")?.startsWith(type));
    if (part?.headers.get("content-transfer-encoding") !== "quoted-printable") return "";
    return unquote(part.content).replaceAll("\r\n", "\n");
  };
  // Most mails of a folder are read for their headers: decoding all took most of the time of a test that waits.
  return {
    headers,
    get text() {
      return contentOf("text/plain");
    },
    get html() {
      return contentOf("text/html");
    },
  };
}

function split(text: string): [string, string] {
  const end = text.indexOf("\r\n\r\n");
  return [text.slice(0, end), text.slice(end + 4)];
}

/** Headers by lower-case name, unfolded and decoded (RFC 5322, RFC 2047). */
function readHeaders(head: string) {
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())];
    }),
  );
}

function decodeWords(value: string) {
  return value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toLowerCase() === "b"
        ? Buffer.from(text, "base64").toString("utf8")
        : unquote(text.replaceAll("_", " ")),
    );
}

function unquote(text: string) {
  const bytes = text
    .replace(/=\r\n/g, "")
    .replace(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
