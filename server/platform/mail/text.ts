import type { Draft, Fact } from "./draft";
import { fill } from "./fill";
import catalogue from "./letters.fr.json";
import type { Site } from "./letters";

const RULE = "-".repeat(40);

/** Renders plain text: one line per paragraph, links on lines of their own. */
export function renderText(draft: Draft, site: Site): string {
  const { opening, facts, framed, quote, details, button, closing } = draft;
  const blocks = [
    catalogue.greeting,
    ...opening,
    facts.map(factLine).join("\n"),
    framed ? `${RULE}\n${factLine(framed)}\n${RULE}` : "",
    quote === null ? "" : `${RULE}\n${quote}\n${RULE}`,
    ...details,
    site.url === "" ? "" : `${fill(catalogue.action, button)}\n${button.url}`,
    ...closing,
    `${site.title}\n${site.url}`.trim(),
    catalogue.footer,
    site.imprint,
  ];
  const annexes = draft.annexes.flatMap(({ title, text }) => [`${RULE}\n${title}\n${RULE}`, text]);
  return `${blocks.concat(annexes).filter(Boolean).join("\n\n")}\n`;
}

const factLine = ({ label, value }: Fact) => fill(catalogue.fact, { label, value });
