import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { translatorOf, type Catalogues } from "./i18n/translate";
import { TranslateProvider } from "./i18n/use-t";
import { keepTyped } from "./keep-typed";

/** Takes over the page. `app/enhance/hydrate.ts` calls it, when a form is touched or at once. */
export function hydratePage(texts: Catalogues) {
  const typed = keepTyped();
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <TranslateProvider value={translatorOf(texts)}>
          <RemixBrowser />
        </TranslateProvider>
      </StrictMode>,
      { onRecoverableError: typed.restore },
    );
  });
}
