import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { translatorOf, type Catalogues } from "./i18n/translate";
import { TranslateProvider } from "./i18n/use-t";
import { keepTyped } from "./keep-typed";

/** Takes over the page. `app/enhance/hydrate.ts` calls it, when a form is touched or at once. */
export async function hydratePage(texts: Catalogues) {
  await decodeData();
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

/**
 * Remix suspends its first drawing until it has decoded the page's data. React 18 cannot wait while
 * somebody types: it gives hydration up. Called once outside of React, the component starts decoding and
 * throws its promise before it uses any hook.
 */
async function decodeData() {
  try {
    RemixBrowser({});
  } catch (decoding) {
    await decoding;
  }
}
