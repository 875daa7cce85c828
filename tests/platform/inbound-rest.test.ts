import { expect, it } from "vitest";
import { lookAt } from "./desk";
import { newMail, openAnswered, receive, type Answered } from "./inbound";
import { readThread } from "./threads";
import { onEachDatabase } from "../support/platform";

const ATTRIBUTION = "Le ven. 20 nov. 2026 à 11:00, Cap Céleste <bonjour@cap.example> a écrit :";

onEachDatabase("what is cut from a reply by mail", (open) => {
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

  it("is nothing where a phone adds its line", async () => {
    const answered = await openAnswered(open);
    const shown = await take(answered, newMail("Oui\r\n\r\nEnvoyé de mon iPhone"));
    expect(shown).toMatchObject({ content: "Oui" });
    expect(shown).not.toHaveProperty("trimmed");
  });

  it.each([
    "Envoyé de mon lit : je résilie tout.",
    "Sans virus. Je résilie mon contrat.",
    "> Je souhaite résilier mon contrat",
  ])("has a last line that only looks like that of a program: %s", async (line) => {
    const answered = await openAnswered(open);
    const { content, trimmed = "" } = await take(
      answered,
      newMail(`Bonjour,\n\n${ATTRIBUTION}\n> Voulez-vous continuer ?\n${line}`),
    );
    expect(`${content}\n${trimmed}`).toContain(line);
  });

  it("has what was typed right above a quotation", async () => {
    const answered = await openAnswered(open);
    const typed = "Le contrat ne me convient plus, je résilie.";
    const { content, trimmed = "" } = await take(
      answered,
      newMail(`Bonjour,\n\n${typed}\n${ATTRIBUTION}\n> Voulez-vous continuer ?`),
    );
    expect(`${content}\n${trimmed}`).toContain(typed);
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
    ["a signature", "Merci.", "-- \nAda Byron\n12, rue des Étoiles"],
  ])("has the lines of %s", async (_, content, trimmed) => {
    const answered = await openAnswered(open);
    const shown = await take(
      answered,
      newMail(`${content}\n\n${trimmed}`.replaceAll("\n", "\r\n")),
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

  const SECRET = "Zm9vYmFy1-_".repeat(4).slice(0, 43);
  const LINKS = [
    `https://cap.example/x?t=${SECRET}`,
    `<https://cap.example/reset-password/update?token=${SECRET}>`,
    `https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fcap.example%2Fx%3Ft%3D${SECRET}&data=05`,
    `https://scanner.example/?to=https%253A%252F%252Fcap.example%252Fx%253Ft%253D${SECRET}%2526a`,
    `https://urldefense.com/v3/__https://cap.example/x?t=${SECRET}__;!!abc$`,
    `https://urldefense.proofpoint.com/v2/url?u=https-3A__cap.example_x-3Ft-3D${SECRET}&d=DwM`,
  ];
  it.each(LINKS)("leaves no secret in the message itself: %s", async (link) => {
    const answered = await openAnswered(open);
    const { content = "" } = await take(answered, newMail(`Je n'arrive pas à ouvrir ${link}`));
    expect(content).toContain("…");
    expect(content).not.toContain(SECRET);
  });

  it.each([
    ...LINKS,
    `https://cap.example/x?t=${SECRET.slice(0, 15)}\n${SECRET.slice(15)}`,
    `https://cap.example/x?t=${SECRET.slice(0, 30)}\n> ${SECRET.slice(30)}`,
  ])("holds no secret of a link: %s", async (link) => {
    const answered = await openAnswered(open);
    const { trimmed = "" } = await take(answered, newMail(`Oui\n\n${ATTRIBUTION}\n${link}`));
    expect(trimmed).toContain("?…");
    for (let at = 0; at + 20 <= SECRET.length; at++)
      expect(trimmed).not.toContain(SECRET.slice(at, at + 20));
  });

  it("is told of by the newer messages, too", async () => {
    const answered = await openAnswered(open);
    const { platform, contact } = answered;
    const [first] = (await readThread(platform, contact)).body.payload.messages;
    await take(answered, newMail("Oui\r\n\r\n-- \r\nAda"));
    const { body } = await readThread(platform, contact, `?since=${first.uid}`);
    expect(body.payload.messages.at(-1)).toMatchObject({ content: "Oui", trimmed: "-- \nAda" });
  });
});
