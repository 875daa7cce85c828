import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { TEXTS_ELEMENT_ID } from "./i18n/embedded-texts";
import { translatorOf, type Catalogues } from "./i18n/translate";
import { TranslateProvider } from "./i18n/use-t";

const text = document.getElementById(TEXTS_ELEMENT_ID)?.textContent ?? "{}";
// The cast is safe: our own server wrote the JSON into this page.
const catalogues = JSON.parse(text) as Catalogues;

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <TranslateProvider value={translatorOf(catalogues)}>
        <RemixBrowser />
      </TranslateProvider>
    </StrictMode>,
  );
});
