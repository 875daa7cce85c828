import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod/v4";
import type { DeskSubscription, deskThread } from "~/contract/desk";
import { TEXT_PAGES } from "~/paths";
import { CONSENT_DAYS } from "~/session/preferences.server";
import { NUMBERS, plain } from "./figures";
import { filesBelow, read, sourcesBelow } from "./sources";

const page = (name: string) => plain(read(`server/content/pages/${name}.md`));
const catalogue = (name: string) => plain(read(`app/locales/fr/${name}.json`));

const noticesOf = (name: string) =>
  [...catalogue(name).matchAll(/"dataNotice": \{.*?"full": "([^"]*)"/gs)].map(([, text]) => text);

describe("the notice at a form", () => {
  it.each([
    ["registration", 1],
    ["card", 1],
    ["contact", 2],
    ["withdrawal", 1],
    ["cancellation", 1],
    ["coaching", 1],
  ])("of %s names purpose, legal basis and delay", (name, count) => {
    const notices = noticesOf(name);
    expect(notices).toHaveLength(count);
    for (const text of notices) {
      expect(text).toMatch(/^But : .* Bases? légales? : .* Durée : /);
    }
  });
});

describe("the terms", () => {
  const terms = page("terms-of-service");

  it("quote the order button of the pages", () => {
    const [, button = ""] = /"order": "([^"]+)"/.exec(catalogue("card")) ?? [];
    expect(terms).toContain(`la mention « ${button} »`);
  });

  it("hold the model form of the welcome mail", () => {
    const letters = plain(read("server/platform/mail/letters.fr.json"));
    const form = letters.split('"withdrawalForm"')[1]?.split("]")[0] ?? "";
    const lines = [...form.matchAll(/^ {6}"(.*?)",?$/gm)].map(([, line = ""]) => line);
    expect(lines).toHaveLength(9);
    const written = terms.replaceAll("\\*", "*").replaceAll(/\{\{seller\.(\w+)\}\}/g, "{{$1}}");
    expect(lines.filter((line) => !written.includes(`> ${line}\n`))).toEqual([]);
  });
});

/** A change of the text changes its digest: the page then names the day of that change, and so does this line. */
const PRIVACY = { date: "2026-11-28", digest: "1909a0aae1c51f4a" };

describe("the privacy page", () => {
  it("names the day of its last change", () => {
    const [, front = "", body = ""] = read("server/content/pages/privacy.md").split(/^---$/m);
    const dated = /La présente version date du ([^.]*)\./.exec(body);
    const day = new Date(`${PRIVACY.date}T12:00:00Z`);
    expect(dated?.[1]).toBe(day.toLocaleDateString("fr-FR", { dateStyle: "long" }));
    expect(front).toContain(`date: ${PRIVACY.date}`);
    const text = body.replace(dated?.[0] ?? "", "").trim();
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
    expect(digest).toBe(PRIVACY.digest);
  });
});

/** That a payment is awaited is told with the state, in place of "refused". */
type Seen = Exclude<
  keyof z.infer<typeof deskThread>["person"] | keyof DeskSubscription,
  "subscription" | "isAwaited"
>;

/** How the privacy page names what a coach sees of a person, in its order. */
const SEEN_BY_COACHES: Record<Seen, string> = {
  name: "votre nom",
  email: "votre adresse e-mail",
  formula: "votre formule",
  state: "l’état de votre abonnement",
  since: "sa date de début",
  nextDate: "sa prochaine date",
};

/** The lines of the panel at the desk: their terms, and what of the person each shows. */
const PANEL_LINES = [
  ["Nom", "name"],
  ["Adresse e\u2011mail", "email"],
  ["Abonnement", "subscription.formula subscription.state"],
  ["Abonnement depuis le", "subscription.since"],
  ["Prochaine date", "subscription.nextDate"],
];

const desk = z
  .object({ thread: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(read("app/locales/fr/desk.json")));

const termOf = (line: string, texts: Record<string, unknown>) =>
  texts[/term: t\("thread\.(\w+)"\)/.exec(line)?.[1] ?? ""];

/** What of the person the value of a line names, in the order of its code. */
function shownIn(line: string) {
  const value = line.split("value:")[1] ?? "";
  const names = value.matchAll(/\bsubscription\??\.\w+|[{ ](?:name|email)\b/g);
  return [...names].map(([name]) => name.replace("?", "").replace(/^[{ ]/, "")).join(" ");
}

describe("the privacy page", () => {
  const privacy = page("privacy");
  const cookies = privacy.split("## Cookies")[1]?.split("\n## ")[0] ?? "";

  it("describes the cookies that are set", () => {
    const setting = [...sourcesBelow("app"), ...sourcesBelow("server")].filter((path) =>
      /(?<!\.has\(")set-cookie|document\.cookie|cookieStore/i.test(read(path)),
    );
    expect(setting).not.toEqual([]);
    expect(setting.filter((path) => !path.startsWith("app/session/"))).toEqual([]);
    expect(cookies).toContain("un cookie de **session**");
    const [, months = ""] = /audience pendant (\w+) mois/.exec(cookies) ?? [];
    expect(NUMBERS[months]).toBe(CONSENT_DAYS / 30);
  });

  it("promises no control that the pages lack", () => {
    const sources = [...sourcesBelow("app"), ...filesBelow("app/locales", /\.json$/)]
      .map(read)
      .join("\n");
    for (const [promise, sign] of [
      ["English", "translationScript"],
      ["changez d’avis", "ConsentBanner"],
      ["version allégée", "liteCookies"],
    ] as const) {
      if (!sources.includes(sign))
        expect([promise, privacy.includes(promise)]).toEqual([promise, false]);
    }
    expect(page("accessibility")).not.toContain("English");
  });

  it("names what a coach sees of a person", () => {
    const [, told = ""] = /un coach lit [^.;]* ; il voit avec eux ([^.]*)\./.exec(privacy) ?? [];
    const words = Object.values(SEEN_BY_COACHES);
    const last = words.pop();
    expect(told).toBe(`${words.join(", ")} et ${last}, rien de votre carte`);
  });

  it("describes the panel of a person as the desk shows it", () => {
    const [, items = ""] =
      /const lines = \{([^]*?)\n {2}\} satisfies/.exec(
        read("app/routes/desk-ticket/person-panel.tsx"),
      ) ?? [];
    const { thread } = desk;
    const lines = items.split(/\n {4}\w+: /).filter((line) => line.includes("term: "));
    expect(lines.map((line) => [termOf(line, thread), shownIn(line)])).toEqual(PANEL_LINES);
  });
});

it("each static page is in the demonstration", () => {
  const files = filesBelow("server/content/pages", /\.md$/);
  const missing = TEXT_PAGES.filter((name) => !files.includes(`server/content/pages/${name}.md`));
  expect(missing).toEqual([]);
});

describe("what no program keeps", () => {
  it("is not promised as a time of answers", () => {
    const faq: string = JSON.parse(catalogue("contact")).questions.answer.answer;
    expect(faq).toContain("Vous recevez un e\u2011mail");
    expect(faq).not.toMatch(/\bjours?\b|heures?|journée|ouvrés/);
    const promises = /répon[^.]{0,60}(?:journée|heure|ouvrés)/;
    expect(catalogue("contact")).not.toMatch(promises);
    expect(catalogue("coaching")).not.toMatch(promises);
  });

  it("ends by rotation where the log is ours", () => {
    const { services } = parse(read("compose.yaml"));
    expect(services.site.logging.options).toEqual({
      "max-size": expect.stringMatching(/^\d+m$/),
      "max-file": expect.stringMatching(/^\d+$/),
    });
    expect(plain(read("docs/operations.md"))).toContain("longer than twelve months");
  });
});
