import { parse } from "node-html-parser";
import { describe, expect, it } from "vitest";
import { composeMail } from "../../server/platform/mail/compose";
import { formatAmount, formatDay, formatMoment } from "../../server/platform/mail/format";
import { sanitizeTyped } from "../../server/platform/mail/sanitize-typed";
import {
  cancellation,
  LETTERS,
  notice,
  receipt,
  refusedReply,
  renewalNotice,
} from "../support/letters";

const read = (html: string) =>
  parse(html)
    .querySelector("body")
    ?.text.replace(/[ \n]+/g, " ") ?? "";
const FACT = /\u00a0:(?: |$)/;
const figures = (text: string) => new Set(text.match(/\d[\d\s,.:]*\d|\d/g));

const TRIAL_ENDS = LETTERS.flatMap((letter) =>
  letter.kind === "trial-ending" || (letter.kind === "renewal-notice" && letter.isTrial)
    ? [letter]
    : [],
);

describe.each(LETTERS.map((letter) => ({ letter, ...composeMail(letter) })))(
  "the letter $letter.kind, “$subject”",
  ({ subject, text, html }) => {
    it("has the same lines in HTML", () => {
      const visible = read(html);
      const isSaid = (words: string) => visible.includes(words);
      const lines = text.split("\n").filter((line) => line && !/^-+$/.test(line));
      // A fact is a line of text, and a label above its value in HTML.
      const missing = lines.filter((line) => !isSaid(line) && !line.split(FACT).every(isSaid));
      expect(missing).toEqual([]);
    });

    it("has the same figures in both forms", () => {
      expect(figures(read(html).replace(/\s/g, " "))).toEqual(figures(text.replace(/\s/g, " ")));
    });

    it("has no unfilled placeholder", () => {
      const all = [subject, text, html].join("\n");
      expect(all).not.toMatch(/\{\{|\}\}|undefined|null|NaN|Invalid|\[object/);
    });

    it("follows French typography", () => {
      for (const form of [subject, text.replace(/https:\S+/g, ""), read(html)]) {
        expect(form).not.toMatch(/['"]|\.\.\./);
        expect(form).not.toMatch(/[^\u202f][;!?](?:\s|$)/);
        expect(form).not.toMatch(/ :/);
      }
    });

    it("has one button, and the site's address", () => {
      const links = parse(html)
        .querySelectorAll("a")
        .map((link) => link.getAttribute("href"));
      const inFacts = parse(html).querySelectorAll("dd a").length;
      const [button = ""] = links
        .slice(inFacts + 1)
        .filter((href) => href !== "https://cap.example");
      expect(links).toHaveLength(3 + inFacts);
      expect(new Set(links).size).toBeLessThanOrEqual(2 + inFacts);
      expect(text).toContain(`\n${button || "https://cap.example"}\n`);
      expect(text).toContain("\nhttps://cap.example\n");
    });

    it("is marked up for French screen readers", () => {
      const page = parse(html);
      expect(page.querySelector("html")?.getAttribute("lang")).toBe("fr");
      expect(page.querySelector("title")?.text).toBe(subject);
      expect(page.querySelectorAll("h1")).toHaveLength(1);
      expect(page.querySelectorAll("table, script, img, style, link")).toEqual([]);
    });
  },
);

describe("a letter", () => {
  it("escapes what people typed", () => {
    const name = `<img src=x onerror="alert(1)"> & {{site}}`;
    const { html, text } = composeMail({ ...cancellation, notice: { ...notice, name } });
    expect(parse(html).querySelector("img")).toBeNull();
    expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; {{site}}");
    expect(text).toContain(name);
  });

  it("contains no text that a notice's sender typed", () => {
    const name = `Gagnez\r\n\r\nhttps://evil.example/${"x".repeat(500)}`;
    const { html, text } = composeMail({ ...cancellation, notice: { ...notice, name } });
    expect(text).toMatch(/\nNom\u00a0: Gagnez https:\u2060.{1,150}…\n/);
    expect(text + html).not.toMatch(/evil\.example|https:\/\/evil/);
  });

  it("keeps a link whole in both forms", () => {
    const { html, text } = composeMail(cancellation);
    expect(text).toContain(`\n${cancellation.undoUrl}\n`);
    expect(
      parse(html)
        .querySelectorAll("a")
        .map((link) => link.getAttribute("href")),
    ).toContain(cancellation.undoUrl);
  });

  it("offers no undoing when no contract was found", () => {
    const { html, text } = composeMail({
      kind: "cancellation-without-effect",
      site: cancellation.site,
      notice: cancellation.notice,
      endsAt: null,
      undecidedDebit: null,
      isUnannounced: false,
      withdrawableUntil: null,
    });
    expect(text + html).not.toContain("undo");
    expect(text).toContain("aucun abonnement en cours");
  });

  it("calls a withdrawal's refund paid elsewhere only where all was", () => {
    const wordsOf = LETTERS.flatMap((letter) => {
      if (letter.kind !== "withdrawal-without-effect" || !letter.refunded?.elsewhere) return [];
      const isAll = composeMail(letter).text.includes("vous a été rendu par un autre moyen");
      return [[letter.refunded.amount, isAll]];
    });
    expect(wordsOf).toEqual([
      [100, true],
      [1090, false],
    ]);
  });

  it("names what of a withdrawal's refund came another way", () => {
    const posted = { ...notice, postedOn: "2026-11-19" };
    for (const one of [notice, posted]) {
      const { text } = composeMail({
        kind: "withdrawal-receipt",
        site: cancellation.site,
        notice: one,
        settled: { named: [], further: 0 },
        refunded: {
          amount: 1090,
          owed: 0,
          isUndecided: false,
          elsewhere: 100,
          isFree: false,
          undecidedDebit: null,
        },
        credit: null,
      });
      expect(text).toMatch(/Une partie de cette somme, 1,00\s€, .*par un autre moyen/);
      expect(text).toContain("Nous vous remboursons le reste par le même moyen de paiement");
      expect(text).not.toContain("Nous vous remboursons par");
      expect(text).not.toContain("Nous vous remboursons aussitôt");
    }
  });

  it("tells of debits ahead without repeating itself", () => {
    const told = LETTERS.flatMap((letter) => {
      if (letter.kind !== "cancellation-receipt" || !letter.debitsAhead?.count) return [];
      return [composeMail(letter).text.split("Jusque-là").length - 1];
    });
    expect(told).toEqual([1, 1, 1]);
  });

  it("promises no discussion page without a subscription", () => {
    const { text } = composeMail({ ...refusedReply, reason: "closed" });
    expect(text).toContain("vos discussions tant que dure votre abonnement");
    expect(text).toContain("Sans abonnement, le fichier de vos données les contient");
  });

  it("highlights the last date to refuse the renewal", () => {
    const { html, text } = composeMail(renewalNotice);
    expect(text).toMatch(/\n-+\nDate limite pour ne pas renouveler\u00a0: .*10:15\n-+\n/);
    expect(html).toMatch(/border: ?2px solid/);
    expect(text).toContain("article L215-1 du code de la consommation");
  });

  it("sets the category of a question apart from its title", () => {
    const title = "[Paiement]: Débit inconnu";
    const about = LETTERS.flatMap((letter) =>
      "title" in letter && letter.title ? [{ ...letter, title }] : [],
    );
    expect(about.length).toBeGreaterThan(5);
    for (const letter of about) {
      const { text, html } = composeMail(letter);
      expect(text).toContain("\nMotif\u00a0: Paiement\nObjet\u00a0: Débit inconnu\n");
      expect(text + html).not.toContain("[Paiement]");
    }
  });

  it("names the next debit on receipts, with the way to stop", () => {
    const { text } = composeMail(receipt);
    const words = text.replace(/\s+/g, " ");
    expect(words).toContain("Prochain prélèvement sur votre carte : 9,90 € le 20 déc. 2026");
    expect(words).toContain(receipt.cancelUrl);
    expect(words).toContain("Montant du prochain prélèvement : 9,90 €");
  });

  it("names no debit on receipts where none follows", () => {
    const { text } = composeMail({ ...receipt, nextDebit: null });
    expect(text).not.toContain("rochain débit");
    expect(text).not.toContain(receipt.cancelUrl);
  });

  it.each(TRIAL_ENDS)("of a trial says that it goes on by itself: $kind $plannedEnd", (letter) => {
    const { text } = composeMail(letter);
    expect(text).toMatch(/sans (?:autre )?arrêt de votre part, l’abonnement continu/i);
    expect(text).toContain(formatDay(letter.date));
    expect(text).toContain("Fin de l’essai et prochain débit");
    // A paid trial was debited already, and nothing has to be wished.
    expect(text).not.toMatch(/premier débit|souhaitez, votre|prend(?:ra)?.* le relais|commence à/);
  });

  it("names no payment where the trial is free", () => {
    for (const nextDebit of [receipt.nextDebit, null]) {
      const { subject, text } = composeMail({ ...receipt, amount: 0, nextDebit });
      expect([subject, text].join("\n")).not.toMatch(/paiement|payé|0,00|[Rr]eçu/);
      expect(text).toContain("rien n’a été débité");
    }
  });

  it("states the VAT within a receipt's amount", () => {
    const facts = (vatRate: number | null, amount = 990) =>
      composeMail({ ...receipt, amount, site: { ...receipt.site, vatRate } }).text.match(
        /(?:Montant hors taxe|TVA).*/g,
      );
    expect(facts(20)).toEqual([
      "Montant hors taxe\u00a0: 8,25\u00a0€",
      "TVA\u00a0: 1,65\u00a0€ (20\u00a0%)",
    ]);
    expect(facts(5.5)?.[1]).toBe("TVA\u00a0: 0,52\u00a0€ (5,5\u00a0%)");
    expect(facts(0)).toEqual([expect.stringContaining("franchise en base")]);
    expect(facts(20, 0)).toBeNull();
    expect(facts(null)).toBeNull();
  });

  it("names the statement and the card on receipts", () => {
    expect(composeMail(receipt).text).toContain("CAP DES TESTS");
    expect(composeMail(receipt).text).toContain("••••\u00a01111");
  });
});

describe("figures in letters", () => {
  it("are amounts as French writes them", () => {
    expect(formatAmount(990)).toBe("9,90\u00a0€");
    expect(formatAmount(123_456)).toBe("1\u202f234,56\u00a0€");
  });

  it("are amounts with all taxes", () => {
    expect(composeMail(receipt).text).toContain("Montant payé TTC\u00a0: 9,90\u00a0€");
    expect(composeMail(renewalNotice).text).toContain("Montant TTC\u00a0: 99,90\u00a0€");
  });

  it("are moments in Paris, summer and winter", () => {
    expect(formatMoment("2026-11-20T09:15:00Z")).toBe(
      "20 nov. 2026 à 10:15".replaceAll(" ", "\u00a0"),
    );
    expect(formatMoment("2026-07-14T22:05:00Z")).toBe(
      "15 juil. 2026 à 00:05".replaceAll(" ", "\u00a0"),
    );
    expect(formatDay("2026-12-01")).toBe("1er déc. 2026".replaceAll(" ", "\u00a0"));
  });
});

it("a long text that somebody typed is cut between characters", () => {
  for (let length = 110; length < 122; length++) {
    const typed = sanitizeTyped("a".repeat(length) + "😀".repeat(20));
    expect(typed).toMatch(/…$/);
    expect(typed).not.toMatch(/\p{Cs}/u);
  }
});
