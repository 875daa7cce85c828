import { expect, it } from "vitest";
import { htmlToText } from "../../server/platform/mail/html-to-text";
import { answer, lookAt } from "./desk";
import { newMail, openAnswered, receive, type Answered } from "./inbound";
import { newestMail } from "./life";
import { readThread } from "./threads";
import { onEachDatabase } from "../support/platform";

const ADA = "ada@exemple.fr";
const HEAD = [
  "De : Cap Céleste <bonjour@cap.example>",
  "Envoyé : vendredi 20 novembre 2026 11:00",
  `À : Ada Byron <${ADA}>`,
];
const ATTRIBUTION = "Le ven. 20 nov. 2026 à 11:00, Cap Céleste <bonjour@cap.example> a écrit :";

const quoted = (text: string) =>
  text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

/** Breaks lines as mail programs do. */
const wrapped = (text: string) =>
  text.replace(/(?=\S)(.{1,70})(?: |$)/gm, "$1\n").replace(/\n\n$/gm, "\n");

type Sent = { text: string; html: string; subject: string };

/** How programs quote our mail below a reply. */
const PROGRAMS: Record<string, (sent: Sent) => string> = {
  Gmail: ({ text }) =>
    `Née à 6h45.\n\n${ATTRIBUTION.replace("<", "<\n")}\n\n${quoted(wrapped(text))}`,
  Outlook: ({ html, subject }) =>
    `Née à 6h45.\n\n${"_".repeat(32)}\n${[...HEAD, `Objet : ${subject}`].join("\n")}\n\n${(
      htmlToText(html) ?? ""
    )
      .replaceAll("’", "'")
      .replaceAll("\u202f", "\u00a0")
      .replace(/^Ouvrir .*$/m, `$&<${/https[^"]*#latest/.exec(html)?.[0]}>`)}`,
  Apple: ({ text }) => `Née à 6h45.\n\n> ${ATTRIBUTION}\n> \n> \ufeff${quoted(text).slice(2)}`,
  Orange: ({ text, subject }) =>
    `Née à 6h45.\n\n> Message du 20/11/26 11:00\n${quoted([...HEAD, `Objet : ${subject}`].join("\n"))}\n> \n${quoted(text)}`,
  Zimbra: ({ text, subject }) =>
    `Née à 6h45.\n\n----- Mail original -----\n${HEAD.join("\n")}\nObjet: Re: ${subject}\n\n${text}`,
};

onEachDatabase("what is cut from a reply by mail", (open) => {
  /** Ada's ticket with an answer, and the mail of it that she quotes. */
  async function openQuoted(message = "Bonjour Ada,\n\nquelle est votre heure de naissance ?") {
    const answered = await openAnswered(open);
    await answer(answered.platform, answered.coach, answered.contact.uid, { message });
    await answered.platform.runDueJobs();
    const mail = await newestMail(answered.platform, ADA);
    const { text, html, headers } = mail;
    const sent = { text: text.replaceAll("\r", ""), html, subject: String(headers.get("subject")) };
    return { answered, sent };
  }

  type Shown = { content: string; trimmed?: string; isTrimmedShort?: true };

  /** The newest message, as both sides get it. */
  async function shownLast({ platform, coach, contact }: Answered): Promise<Shown> {
    const own = (await readThread(platform, contact)).body.payload.messages.at(-1);
    const desk = (await lookAt(platform, coach, contact.uid)).body.payload.messages.at(-1);
    expect([desk.content, desk.trimmed]).toEqual([own.content, own.trimmed]);
    return own;
  }

  const take = async (answered: Answered, raw: Buffer) => {
    expect(await receive(answered.platform, raw)).toMatchObject({ outcome: "received" });
    return shownLast(answered);
  };

  it.each(Object.entries(PROGRAMS))("is nothing where %s quotes our mail", async (_, write) => {
    const { answered, sent } = await openQuoted();
    const shown = await take(answered, newMail(write(sent).replaceAll("\n", "\r\n")));
    expect(shown).toMatchObject({ content: "Née à 6h45." });
    expect(shown).not.toHaveProperty("trimmed");
  });

  it("is nothing where a program quotes the HTML of our mail", async () => {
    const { answered, sent } = await openQuoted();
    const html = `<p>Née à 6h45.</p><div>${ATTRIBUTION.replace("<", "&lt;")}<br></div><blockquote>${/<body[^>]*>([^]*)<\/body>/.exec(sent.html)?.[1]}</blockquote>`;
    const shown = await take(
      answered,
      newMail(html, { "Content-Type": "text/html; charset=utf-8" }),
    );
    expect(shown).toMatchObject({ content: "Née à 6h45." });
    expect(shown).not.toHaveProperty("trimmed");
  });

  it.each([
    ["inside our mail", "Non, je résilie."],
    ["in our own words", "Je souhaite résilier mon contrat"],
  ])("has an answer that was written %s", async (_, reply) => {
    const { answered, sent } = await openQuoted(
      "Voulez-vous continuer ?\nSinon, écrivez :\nJe souhaite résilier mon contrat\nSolène",
    );
    const mail = sent.text.replace("\nSolène", `\n${reply}\nSolène`);
    const body = `Mes réponses ci-dessous.\n\n${[...HEAD, `Objet : ${sent.subject}`].join("\n")}\n\n${mail}`;
    const { content, trimmed = "" } = await take(answered, newMail(body));
    expect(content).toBe("Mes réponses ci-dessous.");
    expect(trimmed.split("\n").filter((line) => line === reply)).not.toEqual([]);
    expect(trimmed).not.toContain("Voulez-vous continuer");
  });

  it("has the choice that was left of ours", async () => {
    const { answered, sent } = await openQuoted("Voulez-vous résilier votre contrat ?\nOui\nNon");
    const mail = sent.text.replace("\nNon", "");
    const body = `Voir ci-dessous.\n\n${[...HEAD, `Objet : ${sent.subject}`].join("\n")}\n\n${mail}`;
    expect((await take(answered, newMail(body))).trimmed?.split("\n")).toContain("Oui");
  });

  it.each([
    [
      "a mail that is passed on",
      "Voici le mail de mon médecin :",
      "---------- Forwarded message ---------\nDe : Dr Paul\nDate : 12 mai\nÀ : Carla\nObjet : avis\n\nPas de sport pendant six mois.",
    ],
    [
      "a letterhead",
      "Bonjour,",
      "De : Ada Martin\nÀ : Cap Céleste\nObjet : résiliation\n\nJe vous informe que je résilie mon contrat.",
    ],
    [
      "what is told of somebody",
      "Bonjour,",
      "Le 12 mai à 10h30, votre coach Claire a écrit :\n« Faites du sport. »\nJe conteste et je résilie mon contrat.",
    ],
    ["a signature", "Merci.", "Ada Byron\n12, rue des Étoiles"],
  ])("has the lines of %s", async (what, content, trimmed) => {
    const answered = await openAnswered(open);
    const shown = await take(
      answered,
      newMail(
        `${content}\n\n${what === "a signature" ? "-- \n" : ""}${trimmed}`.replaceAll("\n", "\r\n"),
      ),
    );
    expect(shown).toMatchObject({ content, trimmed });
    expect(shown).not.toHaveProperty("isTrimmedShort");
  });

  it("is kept with its beginning where it is long", async () => {
    const answered = await openAnswered(open);
    const long = `Oui\n\n${ATTRIBUTION}\nDébut ${"🌙 x ".repeat(9_000)}`;
    const { trimmed = "", isTrimmedShort } = await take(answered, newMail(long));
    expect([trimmed.length > 19_990, trimmed.length <= 20_000, isTrimmedShort]).toEqual([
      true,
      true,
      true,
    ]);
    expect(trimmed).toMatch(/^Le ven[^]*Début 🌙 x[^]*[🌙x]$/u);
  });

  it("says so where a mail was longer than what is read", async () => {
    const answered = await openAnswered(open);
    const endless = `Oui\n${"\n".repeat(30_000)}Je résilie`;
    expect(await take(answered, newMail(endless))).toMatchObject({
      content: "Oui",
      isTrimmedShort: true,
    });
  });

  it("holds no secret of a link", async () => {
    const answered = await openAnswered(open);
    const { trimmed = "" } = await take(
      answered,
      newMail(`Oui\n\n${ATTRIBUTION}\nhttps://cap.example/x?t=${"Zm9v".repeat(10)}abc`),
    );
    expect(trimmed).toContain("?t=…");
    expect(trimmed).not.toContain("Zm9v");
  });

  it("is told of by the newer messages, too", async () => {
    const answered = await openAnswered(open);
    const { platform, contact } = answered;
    const [first] = (await readThread(platform, contact)).body.payload.messages;
    await take(answered, newMail("Oui\r\n\r\n-- \r\nAda"));
    const { body } = await readThread(platform, contact, `?since=${first.uid}`);
    expect(body.payload.messages.at(-1)).toMatchObject({ content: "Oui", trimmed: "Ada" });
  });
});
