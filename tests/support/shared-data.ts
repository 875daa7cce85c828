import type { PageAnswer } from "./pages";

/** A thing of schema.org, as a page embeds it. */
export type Data = Record<string, unknown> & { "@type": string };

/**
 * The data blocks of a page, found as a browser finds them: a block ends at the first `</script`.
 * @throws Error for a block that is no JSON
 */
export function dataOf({ body }: PageAnswer): Data[] {
  const blocks = body.matchAll(/<script type="application\/ld\+json">([^]*?)<\/script/gi);
  return [...blocks].flatMap(([, json = ""]) => JSON.parse(json));
}

export const dataOfType = (answer: PageAnswer, type: string) =>
  dataOf(answer).filter((data) => data["@type"] === type);

/** The Open Graph properties of a page. */
export function sharedOf({ dom }: PageAnswer): Record<string, string> {
  const tags = dom.querySelectorAll("head meta[property]");
  return Object.fromEntries(
    tags.map((tag) => [tag.getAttribute("property") ?? "", tag.getAttribute("content") ?? ""]),
  );
}
