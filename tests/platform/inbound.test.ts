import { describe, expect, it } from "vitest";
import { divideReply } from "../../server/platform/inbound/cut/reply";
import { isForPeople } from "../../server/platform/inbound/outcome";
import { onEachDatabase } from "../support/platform";
import { setStatus } from "./desk";
import {
  ADDRESS,
  FILES,
  lettersTo,
  mailFile,
  newMail,
  openAnswered,
  receive,
  repliesIn,
} from "./inbound";
import { newestMail } from "./life";
import { write } from "./threads";

/** What each file leaves in the thread. */
const TAKEN: Record<string, string> = {
  "gmail-web":
    "Bonjour Solène,\n\nJe suis née à 6h45, à Nantes.\nMerci et bonne journée\u00a0!\n\nAda",
  "gmail-mobile": "Oui, vers 6h45 je crois 🌙",
  "gmail-english": "Born at 6:45.",
  "outlook-desktop": "Bonjour,\n\nJe suis née à 6 h 45.\n\nCordialement,\nAda Byron",
  "outlook-com": "Bonjour Solène, c'était à 6h45.\nÀ bientôt",
  "outlook-ios": "Around 6.45 in the morning.",
  "outlook-html-only": "Née à 6h45\u00a0;\nà Nantes.",
  "apple-mail": "Bonjour,\n\nJe suis née à 6h45.\n\nAda",
  iphone: "À 6h45 du matin 🙂",
  thunderbird:
    "6h45, à Nantes. C'est écrit sur l'acte de naissance, que ma mère a retrouvé hier dans un tiroir.\nVoilà, c'est fait.",
  "thunderbird-english": "It was 6:45.",
  yahoo: "Bonjour Solène,\nJe suis née à 6h45.",
  orange: "Bonjour,\n\nNée à 6h45, à l'hôpital.\n\nAda",
  "orange-new": "Bonjour, 6h45 précises.",
  laposte: "Je suis née à 6h45.\nBien à vous,\nAda",
  mutt: "Bonjour Solène,\n\n6h45, d'après l'état civil.",
  proton: "6h45 !",
  "html-script": "Née à 6h45 & à Nantes.\nmon thème <script>alert(2)</script>",
  "script-text": "<script>alert(1)</script>\n<b>6h45</b>",
  emoji: "🌞👩‍🚀 É\u0301te\u0301 ♈️",
  prose:
    "Bonjour,\n\nLe texte que vous avez écrit :\n« le Lion se tait »\nm'a touchée. Le 3 mars, Solène m'a écrit :\nqu'en dites-vous ?\n> 5 signes en Lion, est-ce beaucoup ?\nDe mémoire : oui.\n\nBonne journée !",
  attachment: "Voici mon thème.",
  calendar: "Mardi à 10 h, cela vous irait-il ?",
  signed: "Signé : 6h45.",
  "by-reference": "Sans l'adresse, mais avec la référence.",
  "delivered-to": "Par la liste des destinataires.",
  "no-message-id": "Sans nom.",
  "auto-submitted-no": "Écrit à la main.",
};

const IGNORED: Record<string, string[]> = {
  automatic: ["vacation", "outlook-oof", "bounce", "read-receipt", "empty-return-path"],
  "perhaps automatic": ["list", "newsletter", "postmaster"],
  own: ["own", "own-tagged"],
  "no sender": ["no-from", "two-senders"],
  "no ticket": ["unknown-tag", "forged-tag", "by-foreign-reference"],
};

const OTHERS = ["attachment-alone", "wrong-sender", "quote-only", "forwarded-secret"];

it("every sample mail has a test", () => {
  const told = [...Object.keys(TAKEN), ...Object.values(IGNORED).flat(), ...OTHERS];
  expect(told.sort()).toEqual(FILES.sort());
});

onEachDatabase("a mail", (open) => {
  it.each(Object.entries(TAKEN))("of %s is stored with its writer's words", async (name, words) => {
    const answered = await openAnswered(open);
    const { outcome, logged } = await receive(answered.platform, mailFile(name));
    expect([outcome, await repliesIn(answered)]).toEqual(["received", [words]]);
    expect(logged).not.toMatch(/6h45|exemple\.fr|cap\.example/);
  });

  it.each(Object.entries(IGNORED))("that is %s is ignored", async (reason, names) => {
    const answered = await openAnswered(open);
    for (const name of names) {
      const outcome = await receive(answered.platform, mailFile(name));
      expect([name, outcome]).toMatchObject([name, { outcome: "ignored", reason }]);
    }
    expect(await repliesIn(answered)).toEqual([]);
    expect(await lettersTo(answered.platform, "ada@exemple.fr")).toEqual([]);
  });

  it.each([
    ["stranger@exemple.fr", "ada@exemple.fr"],
    ["ada@exemple.fr", "stranger@exemple.fr"],
    ["ada@exemple.fr", "ada@exemple.fr"],
  ])("with the lines From %s and %s has no sender", async (first, second) => {
    const answered = await openAnswered(open);
    for (const name of ["From", "FROM", "From "]) {
      const mail = newMail("Bonjour", { From: first }).toString();
      const twice = Buffer.from(mail.replace("\r\n", `\r\n${name}: ${second}\r\n`));
      expect(await receive(answered.platform, twice)).toMatchObject({ reason: "no sender" });
    }
    expect(await repliesIn(answered)).toEqual([]);
  });

  it("delivered many times is stored once", async () => {
    const answered = await openAnswered(open);
    for (const name of ["gmail-web", "no-message-id", "attachment"]) {
      const times = await Promise.all(
        [1, 2, 3].map(() => receive(answered.platform, mailFile(name))),
      );
      expect(times.map(({ outcome }) => outcome).sort()).toEqual([
        "received",
        "repeated",
        "repeated",
      ]);
    }
    expect(await repliesIn(answered)).toHaveLength(3);
    expect(await lettersTo(answered.platform, "ada@exemple.fr")).toEqual(["attachment-refused"]);
  });

  it.each(["<a\0b@exemple.fr>", "\0", "<a\u0007b@exemple.fr>"])(
    "named %j is received once",
    async (id) => {
      const answered = await openAnswered(open);
      const mail = newMail("Bonjour", { "Message-ID": id });
      expect(await receive(answered.platform, mail)).toMatchObject({ outcome: "received" });
      expect(await receive(answered.platform, mail)).toMatchObject({ outcome: "repeated" });
      expect(await repliesIn(answered)).toEqual(["Bonjour"]);
    },
  );

  it("that cannot be stored twice is set aside", async () => {
    const answered = await openAnswered(open);
    const { platform } = answered;
    const { schema } = platform.database;
    const mail = newMail("Bonjour", { "Message-ID": "<one@exemple.fr>" });
    await schema.alterTable("ticket_word").renameTo("away").execute();
    await expect(receive(platform, mail)).rejects.toThrow();
    expect(await receive(platform, mail)).toMatchObject({
      outcome: "set aside",
      reason: "failure",
      name: "<one@exemple.fr>",
      logged: expect.stringContaining("mail cannot be taken in") as string,
    });
    await schema.alterTable("away").renameTo("ticket_word").execute();
    expect(await receive(platform, mail)).toMatchObject({ outcome: "received" });
    expect(await repliesIn(answered)).toEqual(["Bonjour"]);
  });

  it("leaves no attempts in the database", async () => {
    const { platform } = await openAnswered(open);
    for (const name of ["iphone", "vacation", "quote-only"]) {
      await receive(platform, mailFile(name));
    }
    const attempts = platform.database.selectFrom("mail_attempt").selectAll();
    expect(await attempts.execute()).toEqual([]);
  });

  it("with attachments is stored and its sender notified", async () => {
    const answered = await openAnswered(open);
    const outcome = await receive(answered.platform, mailFile("attachment"));
    expect(outcome).toMatchObject({ outcome: "received", attachments: 1 });
    await answered.platform.runDueJobs();
    const { text, headers } = await newestMail(answered.platform, "ada@exemple.fr");
    expect(text).toContain("Nous ne prenons que le texte");
    expect(text).toContain("\nhttps://cap.example/contact/link\n");
    expect(headers.get("auto-submitted")).toBe("auto-generated");
  });

  it("without real attachments causes no notice", async () => {
    const { platform } = await openAnswered(open);
    for (const name of ["outlook-desktop", "signed"]) {
      expect(await receive(platform, mailFile(name))).toMatchObject({ attachments: 0 });
    }
    expect(await lettersTo(platform, "ada@exemple.fr")).toEqual([]);
  });

  it("of a photo alone gets a notice", async () => {
    const answered = await openAnswered(open);
    expect(await receive(answered.platform, mailFile("attachment-alone"))).toMatchObject({
      outcome: "refused",
      reason: "not a message",
      isMailed: true,
    });
    await answered.platform.runDueJobs();
    const { text } = await newestMail(answered.platform, "ada@exemple.fr");
    expect(text).toContain("Votre message ne contenait que des fichiers");
  });

  it("that contains only a quotation is refused", async () => {
    const answered = await openAnswered(open);
    expect(await receive(answered.platform, mailFile("quote-only"))).toMatchObject({
      outcome: "refused",
      reason: "not a message",
    });
    expect(await repliesIn(answered)).toEqual([]);
  });

  it("never puts a link's secret into the thread", async () => {
    const answered = await openAnswered(open);
    await receive(answered.platform, mailFile("forwarded-secret"));
    const [text = ""] = await repliesIn(answered);
    expect(text).toContain("?t=…");
    expect(text).not.toContain("Zm9v");
  });

  it("of another sender is answered without ticket details", async () => {
    const answered = await openAnswered(open);
    const { platform } = answered;
    const from = { From: "bob@exemple.fr" };
    const [first, second] = [newMail("Bonjour 1", from), newMail("Bonjour 2", from)] as const;
    const outcome = await receive(platform, first);
    expect(outcome).toMatchObject({ outcome: "refused", reason: "wrong sender", isMailed: true });
    expect(await receive(platform, first)).toMatchObject({ isMailed: true });
    expect(await receive(platform, second)).toMatchObject({ isMailed: false });
    expect(await lettersTo(platform, "bob@exemple.fr")).toEqual(["reply-refused"]);
    await platform.runDueJobs();
    const { text, html } = await newestMail(platform, "bob@exemple.fr");
    expect(text).toContain("qui n’est pas celle de l’échange");
    expect(text + html).not.toMatch(/Ma carte|Ada|ada@|Bonjour \d/);
    expect(await repliesIn(answered)).toEqual([]);
    platform.clock.advance(24 * 3_600_000 + 1);
    expect(await receive(platform, second)).toMatchObject({ isMailed: true });
  });

  it("causes ten answers a day to strangers at most", async () => {
    const { platform } = await openAnswered(open);
    const told = [];
    for (let n = 0; n < 12; n++) {
      const mail = newMail("Bonjour", { From: `victim.${n}@exemple.fr` });
      told.push(await receive(platform, mail));
    }
    expect(told.filter((one) => "isMailed" in one && one.isMailed)).toHaveLength(10);
  });

  it("is answered three times a day at most", async () => {
    const { platform, coach, contact } = await openAnswered(open);
    const letter = mailFile("attachment").toString("latin1");
    for (let n = 0; n < 5; n++) {
      await receive(platform, Buffer.from(letter.replace("attachment.2026", `n${n}.2026`)));
    }
    await setStatus(platform, coach, contact.uid, "closed");
    expect(await receive(platform, newMail("Encore"))).toMatchObject({ isMailed: false });
    expect(await lettersTo(platform, "ada@exemple.fr")).toEqual(
      Array<string>(3).fill("attachment-refused"),
    );
  });

  it.each(["closed", "locked"] as const)("to a %s request gets instructions", async (status) => {
    const answered = await openAnswered(open);
    const { platform, coach, contact } = answered;
    await setStatus(platform, coach, contact.uid, status);
    expect(await receive(platform, mailFile("iphone"))).toMatchObject({
      outcome: "refused",
      reason: "closed",
      isMailed: true,
    });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, "ada@exemple.fr");
    expect(text).toMatch(/cette demande ne prend plus de message[^]*Objet\u00a0: Ma carte/);
    expect(text).not.toMatch(/échange|discussion|clos/);
  });

  it("above the limit is asked to wait", async () => {
    const { platform, contact } = await openAnswered(open);
    for (let n = 0; n < 120; n++) await write(platform, contact, `message ${n}`);
    expect(await receive(platform, newMail("Encore"))).toMatchObject({
      outcome: "refused",
      reason: "too many",
      isMailed: true,
    });
  });

  const HTML = { "Content-Type": "text/html; charset=utf-8" };

  it.each([
    "<div>Je me rétracte.</div><blockquote><html><body><p>Votre question</p></body></html></blockquote>",
    "<p>Je me rétracte.</p><html><body><p>Ce message est confidentiel.</p></body></html>",
    "<html><head><title>x</title></head><body>Bonjour</body></html><p>Je me rétracte.</p>",
  ])("in HTML is taken in from outside the body, too: %s", async (html) => {
    const answered = await openAnswered(open);
    const outcome = await receive(answered.platform, newMail(html, HTML));
    expect(outcome).toMatchObject({ outcome: "received" });
    expect((await repliesIn(answered)).join()).toContain("Je me rétracte.");
  });

  it("loses no text behind a picture that it embeds", async () => {
    const answered = await openAnswered(open);
    const picture = `<img src="data:image/png;base64,${"A".repeat(1_200_000)}">`;
    const mail = newMail(`<p>Voici la capture :</p>${picture}<p>Je me rétracte.</p>`, HTML);
    expect(await receive(answered.platform, mail)).toMatchObject({ outcome: "received" });
    expect(await repliesIn(answered)).toEqual(["Voici la capture :\n\nJe me rétracte."]);
  });

  const mixed = (...parts: [type: string, text: string][]) => {
    const bodies = parts.map(
      ([type, text]) => `--b\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${text}\r\n`,
    );
    return newMail(`${bodies.join("")}--b--`, { "Content-Type": "multipart/mixed; boundary=b" });
  };
  const FOOTER = "Ce message est confidentiel et ne peut être transmis.";

  it.each([
    ["a server's footer", mixed(["html", "<p>Je me rétracte.</p>"], ["plain", `-- \r\n${FOOTER}`])],
    [
      "a quotation",
      mixed(["plain", "Je me rétracte."], ["html", "<blockquote>Bonjour à vous</blockquote>"]),
    ],
  ])("loses no text beside %s of another kind", async (_, mail) => {
    const answered = await openAnswered(open);
    expect(await receive(answered.platform, mail)).toMatchObject({ outcome: "received" });
    expect((await repliesIn(answered)).join()).toContain("Je me rétracte.");
  });

  const footed = (type: string, ...parts: Parameters<typeof mixed>) =>
    Buffer.from(
      mixed(...parts)
        .toString()
        .replace("multipart/mixed", `multipart/${type}`),
    );

  it.each([
    [
      "alternative",
      footed("alternative", ["plain", FOOTER], ["html", `<p>Non.</p><p>${FOOTER}</p>`]),
    ],
    ["mixed", footed("mixed", ["html", `<p>Non.</p><p>${FOOTER}</p>`], ["plain", FOOTER])],
  ])("in HTML is whole beside its footer in plain text: %s", async (_, mail) => {
    const answered = await openAnswered(open);
    expect(await receive(answered.platform, mail)).toMatchObject({ outcome: "received" });
    expect(await repliesIn(answered)).toEqual([`Non.\n\n${FOOTER}`]);
  });

  it("with another text under a known Message-ID is left to people", async () => {
    const answered = await openAnswered(open);
    const name = { "Message-ID": "<one@exemple.fr>" };
    const told = [];
    for (const text of ["Bonjour", "Bonjour ", "Je résilie", `Bonjour\r\n\r\n-- \r\nJe résilie`]) {
      told.push(await receive(answered.platform, newMail(text, name)));
    }
    expect(told).toMatchObject([
      { outcome: "received" },
      { outcome: "repeated" },
      { outcome: "ignored", reason: "name in use" },
      { outcome: "ignored", reason: "name in use" },
    ]);
    expect(told.map(isForPeople)).toEqual([false, false, true, true]);
    expect(await repliesIn(answered)).toEqual(["Bonjour"]);
  });

  it.each(["<>", "", "one", "<one>", "<@>"])("has no name by the Message-ID %j", async (id) => {
    const answered = await openAnswered(open);
    for (const text of ["Bonjour", "Je résilie"]) {
      const mail = newMail(text, { "Message-ID": id });
      expect(await receive(answered.platform, mail)).toMatchObject({ outcome: "received" });
      expect(await receive(answered.platform, mail)).toMatchObject({ outcome: "repeated" });
    }
    expect(await repliesIn(answered)).toEqual(["Bonjour", "Je résilie"]);
  });

  it("is left to people where nobody is told that its attachment was dropped", async () => {
    const answered = await openAnswered(open);
    const letter = mailFile("attachment").toString("latin1");
    const told = [];
    for (let n = 0; n < 4; n++) {
      const mail = Buffer.from(letter.replace("attachment.2026", `n${n}.2026`), "latin1");
      told.push(await receive(answered.platform, mail));
    }
    expect(told.map(isForPeople)).toEqual([false, false, false, true]);
    expect(told.at(-1)).toMatchObject({ outcome: "received", reason: "attachments" });
    expect(await repliesIn(answered)).toHaveLength(4);
  });

  it.each([
    ["deep", `${"<div>".repeat(210)}Je me rétracte.`],
    ["long", `<p>${"<b></b>".repeat(150_000)}Je me rétracte.</p>`],
  ])("is refused where its HTML is too %s to be read whole", async (_, html) => {
    const answered = await openAnswered(open);
    expect(await receive(answered.platform, newMail(html, HTML))).toMatchObject({
      outcome: "refused",
      reason: "too big",
      isMailed: true,
    });
    expect(await repliesIn(answered)).toEqual([]);
  });

  it("beyond ten megabytes is refused by its headers", async () => {
    const answered = await openAnswered(open);
    const huge = newMail("x".repeat(10 * 1024 * 1024));
    expect(await receive(answered.platform, huge)).toMatchObject({
      outcome: "refused",
      reason: "too big",
      isMailed: true,
    });
    const machine = newMail("x".repeat(10 * 1024 * 1024), { "Auto-Submitted": "auto-replied" });
    expect(await receive(answered.platform, machine)).toMatchObject({ reason: "automatic" });
    expect(await repliesIn(answered)).toEqual([]);
  });

  it.each([
    ["nothing", ""],
    ["zeros", "\0".repeat(2000)],
    ["no head", "\r\n\r\nBonjour"],
    ["an endless head", `X-A: ${"b".repeat(3_000_000)}`],
  ])("of %s is ignored safely", async (_, text) => {
    const { platform } = await openAnswered(open);
    const { outcome } = await receive(platform, Buffer.from(text));
    expect(outcome).toBe("ignored");
  });

  it("in an unknown charset loses only zero bytes", async () => {
    const answered = await openAnswered(open);
    const type = { "Content-Type": "text/plain; charset=x-klingon" };
    await receive(answered.platform, newMail("Bon\0jour", type));
    expect(await repliesIn(answered)).toEqual(["Bonjour"]);
  });

  it("is recognised by a Message-ID of any length", async () => {
    const answered = await openAnswered(open);
    const mail = newMail("Long", { "Message-ID": `<${"a".repeat(5000)}@exemple.fr>` });
    expect(await receive(answered.platform, mail)).toMatchObject({ outcome: "received" });
    expect(await receive(answered.platform, mail)).toMatchObject({ outcome: "repeated" });
  });

  it("without Message-ID is recognised by date and text", async () => {
    const answered = await openAnswered(open);
    const mail = mailFile("no-message-id");
    const onItsWay = Buffer.concat([Buffer.from("Received: from mx.exemple.fr\r\n"), mail]);
    const later = Buffer.from(mail.toString().replace("11:20:31", "11:20:32"));
    const outcomes = [];
    for (const raw of [mail, onItsWay, later]) {
      outcomes.push((await receive(answered.platform, raw)).outcome);
    }
    expect(outcomes).toEqual(["received", "repeated", "received"]);
  });

  it("finds its ticket among other recipients", async () => {
    const answered = await openAnswered(open);
    const to = {
      To: "Amis: bob@exemple.fr, eve@exemple.fr;",
      Cc: `Cap <${ADDRESS.toUpperCase()}>`,
    };
    expect(await receive(answered.platform, newMail("Bonjour", to))).toMatchObject({
      outcome: "received",
    });
  });
});

describe("extracting a reply", () => {
  it.each([
    ["attributions", "Le a 10:00 \n".repeat(100_000)],
    ["one long line", `Le ${"a ".repeat(1_000_000)}`],
    ["openings of nothing", "Le jour a écrit :\n".repeat(300_000)],
    ["quotations", "> a\nb\n".repeat(300_000)],
    ["headings", "De : a\n".repeat(300_000)],
    ["dashes", "-- \n".repeat(300_000)],
    ["long dashes", "-".repeat(2_000_000)],
    ["blank lines", " \n".repeat(500_000)],
    ["an answer far from its quote", `${"Le a@b.fr a écrit :\n".repeat(2000)}${"\n".repeat(9999)}`],
  ])("takes no time for many %s", (_, text) => {
    const start = performance.now();
    divideReply(text.slice(0, 1_000_000));
    expect(performance.now() - start).toBeLessThan(3000);
  });

  it.each([
    ["Bonjour", "Bonjour"],
    ["Envoyé de mon iPhone", ""],
    ["Ok\n\n-- \nAda", "Ok"],
    ["-- \nAda", "-- \nAda"],
    ["Le 20/11/2026 à 11:00, Cap a écrit :\nma réponse sous une citation nue", null],
    ["Oui\n\n*De :* Cap\n*Envoyé :* lundi\n*À :* Ada\n*Objet :* Re\n\nBonjour", "Oui"],
    ["Oui\n-------- Message original --------\nDe : Cap\nBonjour", "Oui"],
    ["> Le 20/11/2026 à 11:00, Cap a écrit :\n> b\nOui\n> c\n> d\nNon", "Oui\nNon"],
    ["> résilier\n> être remboursée\nMerci", null],
    ["Bonjour,\n--\n1. je résilie\n2. merci de me rembourser", null],
    ["Bonjour\n--\nAda", "Bonjour"],
    ["Merci.\nSans virus depuis deux semaines, je reprends le sport ?", null],
    ["Merci.\nGaranti sans virus. www.avast.com", "Merci."],
  ])("keeps only the sender's words of %j", (text, left) => {
    expect(divideReply(text).own).toBe(left ?? text);
  });
});
