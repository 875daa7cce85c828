import type { Catalogues } from "./translate";

export const TEXTS_ELEMENT_ID = "texts";

/**
 * The texts of a hydrated page, as JSON in the document. In the browser it renders the same JSON
 * again.
 */
export function EmbeddedTexts({ catalogues }: { catalogues: Catalogues | null }) {
  const json = catalogues
    ? JSON.stringify(catalogues).replace(/</g, "\\u003c")
    : (document.getElementById(TEXTS_ELEMENT_ID)?.textContent ?? "");
  return (
    <script
      id={TEXTS_ELEMENT_ID}
      type="application/json"
      dangerouslySetInnerHTML={{ __html: json }}
    />
  );
}
