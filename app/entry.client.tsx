import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { TEXTS_ELEMENT_ID } from "./i18n/embedded-texts";
import { translatorOf } from "./i18n/translate";
import { TranslateProvider } from "./i18n/use-t";

const texts = document.getElementById(TEXTS_ELEMENT_ID)?.textContent ?? "{}";

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <TranslateProvider value={translatorOf(JSON.parse(texts))}>
        <RemixBrowser />
      </TranslateProvider>
    </StrictMode>,
  );
});
