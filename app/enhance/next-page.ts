/** The next page is fetched after this delay, so that the files of the present one come first. */
const DELAY_MS = 1_000;

type Connection = { saveData?: boolean; effectiveType?: string };

/**
 * Lets the browser fetch the likely next page, a second after this one has loaded. It is not run there, so that it
 * counts no visit. Not for people who save data or have a slow connection. A browser that does not know
 * speculation rules ignores them.
 */
export function fetchNextPage() {
  // Pages mark such links, none of which has an effect or a secret.
  const next = document.querySelector<HTMLAnchorElement>("[data-next-page] a");
  const { connection } = navigator as Navigator & { connection?: Connection };
  if (!next || connection?.saveData || connection?.effectiveType?.includes("2g")) return;
  addEventListener("load", () => setTimeout(() => addRules(next.href), DELAY_MS));
}

function addRules(url: string) {
  const rules = document.createElement("script");
  rules.type = "speculationrules";
  rules.text = JSON.stringify({ prefetch: [{ urls: [url] }] });
  document.head.append(rules);
}
