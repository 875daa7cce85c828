import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { divideBoth } from "../../server/platform/inbound/cut/both-texts";
import { divideReply } from "../../server/platform/inbound/cut/reply";
import { createMailReader, UnreadableMail } from "../../server/platform/inbound/reader";
import { newMail } from "./inbound";

const ownOf = (text: string) => divideReply(text).own;

const reader = createMailReader();
afterAll(() => reader.close());

/** What mail programs write around a reply, and what nobody does. */
const marks = fc.constantFrom(
  "Le lun. 20 nov. 2026 à 11:00, Cap <cap@exemple.fr> a écrit :",
  "Le jour a écrit :",
  "On Mon, Nov 20, 2026 at 11:00 AM Cap <cap@exemple.fr> wrote:",
  "On",
  "Le ",
  "wrote:",
  "De : Cap",
  "Envoyé : lundi",
  "À : Ada",
  "Objet : Re",
  "*From:* Cap",
  "Sent: x",
  "To: y",
  "-----Original Message-----",
  "-------- Message transféré --------",
  "-- ",
  "--",
  "> > a",
  "Envoyé de mon iPhone",
  "Sent from my phone",
  ">",
  "> ",
  "\u200b> a",
  "\u00a0",
  "\t",
);
const runs = fc
  .tuple(
    fc.constantFrom("*", "-", "_", ">", "=", "* ", "- ", "> ", "\u00a0", "-*", "e\u0301", "a", "@"),
    fc.oneof({ weight: 20, arbitrary: fc.nat(200) }, { weight: 1, arbitrary: fc.constant(40_000) }),
    fc.constantFrom("", "x", " x", "*"),
  )
  .map(([sign, count, end]) => sign.repeat(count) + end);
const words = fc
  .string({ unit: "grapheme", maxLength: 80 })
  .map((text) => text.replace(/[\r\n]/g, ""));
const texts = fc
  .tuple(
    fc.array(fc.oneof(marks, runs, words), { maxLength: 40 }),
    fc.constantFrom("\n", "\r\n", "\r"),
  )
  .map(([lines, end]) => ({ lines, text: lines.join(end) }));

describe("a reply without its quotation", () => {
  it("contains only lines of the mail, in order", () => {
    fc.assert(
      fc.property(texts, ({ lines, text }) => {
        let at = 0;
        for (const line of ownOf(text).split("\n").filter(Boolean)) {
          const found = lines.findIndex((given, index) => index >= at && isOf(line, given));
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + 1;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  /** The ends of a text are trimmed. */
  const isOf = (line: string, given: string) => line.trim() === given.trim();

  // What takes the square of their number would outlast the time limit of a test.
  it.each([
    ["asterisks", "***".repeat(140_000)],
    ["asterisks before a word", `${"***".repeat(140_000)}x`],
    ["dashes", "---".repeat(140_000)],
    ["dashes before a word", `${"---".repeat(140_000)}x`],
    ["dashes apart", `${"- - -".repeat(80_000)}x`],
    ["underscores and spaces", `${"_ ".repeat(200_000)}x`],
    ["spaces", `x${" ".repeat(400_000)}x`],
    ["marks of quotations", `x ${"> ".repeat(200_000)}x`],
    ["attributions", "On Monday, ada@exemple.fr wrote ".repeat(13_000)],
  ])("keeps a line of 400,000 signs: %s", (_, line) => {
    expect(ownOf(`Bonjour\n${line}\nAda`)).toContain("Bonjour\n");
    expect(ownOf(line)).toBe(isRuleAlone(line) ? "" : line.trim());
  });

  const isRuleAlone = (line: string) => !/[^*-]/.test(line);

  it.each([
    ["attributions", "On Monday wrote:\n".repeat(20_000)],
    ["nested quotations", Array.from({ length: 700 }, (_, n) => `${"> ".repeat(n)}x`).join("\n")],
    ["separators", `${"-".repeat(900)}\n`.repeat(500)],
  ])("is extracted from many lines: %s", (_, text) => {
    expect(ownOf(`Bonjour\n${text}`)).toMatch(/^Bonjour/);
  });

  it("is read up to its limits", () => {
    expect(ownOf("a\n".repeat(30_000)).split("\n")).toHaveLength(20_000);
    expect(ownOf("a".repeat(600_000))).toHaveLength(500_000);
  });
});

const OURS = [
  "Bonjour Ada,\nvoulez-vous résilier ?\nOui\nNon\nÀ vous,\nSolène",
  "Bonjour,\n\nUne réponse vous attend. La voici.\n\nBonjour Ada,\nvoulez-vous résilier ?\nOui\nNon\nÀ vous,\nSolène\n\nCap Céleste\nhttps://cap.example",
];

describe("a mail that quotes ours", () => {
  const ATTRIBUTIONS = [
    "Le lun. 20 nov. 2026 à 11:00, Cap <cap@exemple.fr> a écrit :",
    "De : Cap",
    "Envoyé : lundi",
    "À : Ada",
    "Objet : Réponse",
    "-----Original Message-----",
  ];
  const ourLines = fc.constantFrom(...OURS.flatMap((text) => text.split("\n")));
  const rows = fc.constantFrom(...OURS).map((text) => text.split("\n"));
  const marked = fc.constantFrom(...ATTRIBUTIONS, "-- ", "--", "Envoyé de mon iPhone");
  const mixed = fc
    .array(
      fc.tuple(
        fc.oneof(
          words.map((one) => [one]),
          ourLines.map((one) => [one]),
          rows,
          marked.map((one) => [one]),
        ),
        fc.constantFrom("", "", "> ", "> > "),
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.flatMap(([lines, mark]) => lines.map((line) => mark + line)));

  const isTold = (line: string) => /[\p{L}\p{N}]/u.test(line);

  it("loses no line", () => {
    fc.assert(
      fc.property(mixed, (lines) => {
        const { own, cut } = divideReply(lines.join("\n"));
        const kept = new Set(
          [own, ...cut]
            .join("\n")
            .split("\n")
            .map((line) => line.trim()),
        );
        expect(lines.filter((line) => isTold(line) && !kept.has(line.trim()))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  const wordsIn = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

  it("loses no word of two texts that say different things", () => {
    fc.assert(
      fc.property(mixed, mixed, (one, other) => {
        const divided = divideBoth(one.join("\n"), other.join("\n"));
        const kept = wordsIn([divided.own, ...divided.cut].join("\n"));
        const countIn = (all: readonly string[], word: string) =>
          all.filter((given) => given === word).length;
        for (const lines of [one, other]) {
          const given = wordsIn(lines.join("\n"));
          for (const word of new Set(given))
            expect(countIn(kept, word)).toBeGreaterThanOrEqual(countIn(given, word));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("takes two texts that say the same once", () => {
    const text = "Merci \u{1F60A}\n0612345678<tel:0612345678>\nAda";
    expect(divideBoth(text, "Merci\n0612345678 Ada")).toEqual(divideReply(text));
  });

  it.each([
    ["a reply above a footer that a server adds", "Confidentiel, ne pas diffuser."],
    ["a reply in the words of the footer", "Ne pas diffuser, je ne veux pas."],
  ])("keeps %s", (_, footer) => {
    const html = `Je ne veux pas.\n${footer}`;
    expect(divideBoth(footer, html).own).toContain("Je ne veux pas.");
  });
});

const types = fc.constantFrom(
  "text/plain",
  "text/html",
  "text/plain; format=flowed; delsp=yes",
  "application/pdf",
  "",
  "text/plain; charset=utf-16",
  "text/plain; charset=x-klingon",
  "text/html; charset=utf-7",
  "text/plain; charset=iso-2022-jp",
  "image/png; name*0*=utf-8''%E0%A4%A; name*1=x",
  "message/rfc822",
  "message/delivery-status",
  "text",
  "multipart/mixed",
  "multipart/x; boundary=",
);
const encodings = fc.constantFrom("", "base64", "quoted-printable", "8bit", "x-uuencode", "\0");
const bytes = fc.oneof(
  texts.map(({ text }) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 400 }).map((some) => Buffer.from(some)),
);

type Part = { type: string; encoding: string; disposition: string; content: Buffer };
const parts: fc.Arbitrary<Part> = fc.record({
  type: types,
  encoding: encodings,
  content: bytes,
  disposition: fc.constantFrom("", "inline", 'attachment; filename="a"', "attachment; filename*=x"),
});
const headers = fc.array(
  fc.tuple(
    fc.constantFrom(
      "From",
      "To",
      "Cc",
      "Delivered-To",
      "References",
      "In-Reply-To",
      "Subject",
      "Date",
      "Message-ID",
      "Precedence",
      "List-Id",
      "Content-Type",
      "X-A",
      "",
      " ",
      "Sender",
      "Bcc",
    ),
    fc.oneof(
      words,
      runs,
      fc.constantFrom(
        "=?utf-8?b?w6k=?= <ada@exemple.fr>",
        "=?x?q?=?=",
        "a: b@c, d@e;",
        "<",
        "(((",
        '"',
        "<>",
        "<a@b>".repeat(2_000),
        "a@b, ".repeat(2_000),
        "(".repeat(5_000),
        "a:".repeat(5_000),
      ),
    ),
  ),
  { maxLength: 20 },
);

function mailOf(head: [string, string][], depth: number, leaves: Part[]): Buffer {
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const pieces: (string | Buffer)[] = [lines];
  for (let level = 0; level < depth; level++) {
    pieces.push(`Content-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}\r\n`);
  }
  leaves.forEach(({ type, encoding, disposition, content }, index) => {
    if (index > 0 && depth > 0) pieces.push(`\r\n--b${depth - 1}\r\n`);
    pieces.push(`Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n`);
    pieces.push(`Content-Disposition: ${disposition}\r\n\r\n`, content);
  });
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

/** The parser throws at some mails: they are set aside. None may take long or end the process. */
function refused(error: unknown) {
  if (error instanceof UnreadableMail && error.reason === "exception") return null;
  throw error;
}

describe("a mail", () => {
  const mails = fc
    .tuple(headers, fc.oneof(fc.nat(4), fc.nat(150)), fc.array(parts, { maxLength: 6 }))
    .map(([head, depth, leaves]) => mailOf(head, depth, leaves));

  it("of any structure is read within the limits", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(mails, bytes), async (raw) => {
        const lines = raw.subarray(0, raw.indexOf("\r\n\r\n"));
        const head = await reader.head(lines).catch(refused);
        expect(head?.from?.length ?? 0).toBeLessThanOrEqual(256);
        expect(head?.name.length ?? 0).toBeLessThanOrEqual(255);
        expect(head?.recipients.length ?? 0).toBeLessThanOrEqual(500);
        expect(head?.answered.length ?? 0).toBeLessThanOrEqual(50);
        const body = await reader.body(raw).catch(refused);
        expect(body?.own.length ?? 0).toBeLessThanOrEqual(500_000);
        expect(body?.attachments ?? 0).toBeLessThanOrEqual(100);
        expect(body?.own ?? "").not.toContain("\0");
      }),
      { numRuns: 300 },
    );
  });

  it("of more than a hundred parts is not read", async () => {
    const part = "--b\r\nContent-Type: text/plain\r\n\r\nBonjour\r\n";
    const type = { "Content-Type": 'multipart/mixed; boundary="b"' };
    expect(await reader.body(newMail(part.repeat(90), type))).toMatchObject({ attachments: 0 });
    expect(await reader.body(newMail(part.repeat(110), type))).toBeNull();
  });

  it("with a head of many equal lines is read", async () => {
    const head = "To: a@b.fr\r\n".repeat(10_000) + "From: ada@exemple.fr";
    expect(await reader.head(Buffer.from(head))).toMatchObject({ from: "ada@exemple.fr" });
  });

  it.each(["", "\r\n", "\r\n\r\n"])(
    "of an enclosed mail is read without a body: %j",
    async (end) => {
      const head =
        "From: ada@exemple.fr\r\nContent-Type: message/rfc822\r\nContent-Disposition: inline";
      const raw = Buffer.from(head + end);
      expect(await reader.head(raw)).toMatchObject({ from: "ada@exemple.fr" });
      expect(await reader.body(raw)).toMatchObject({ own: "", attachments: 0 });
    },
  );
});
