type TranslateElement = new (
  options: { pageLanguage: string; includedLanguages: string; autoDisplay: boolean },
  element: string,
) => unknown;

declare global {
  interface Window {
    dataLayer?: object[];
    google?: { translate: { TranslateElement: TranslateElement } };
    showEnglish?: () => void;
  }
}

/**
 * Loads the scripts of others that the visitor has accepted. The server writes this script only into pages on
 * which they may be.
 */
const { tagManager, translation, signUp } = document.getElementById("third-parties")?.dataset ?? {};
hideOwnReferrer();
if (tagManager !== undefined) startTagManager(tagManager);
if (signUp !== undefined) pushSignUp();
if (translation !== undefined) translate(translation);

/** The page before may have had a secret or a search in its address: third parties learn only its site. */
function hideOwnReferrer() {
  if (!document.referrer.startsWith(`${location.origin}/`)) return;
  Object.defineProperty(document, "referrer", { value: `${location.origin}/` });
}

function startTagManager(address: string) {
  (window.dataLayer ??= []).push({ "gtm.start": Date.now(), event: "gtm.js" });
  load(address);
}

/** The event of a registration that succeeded. */
function pushSignUp() {
  if (window.dataLayer) window.dataLayer.push({ event: "sign_up" });
  // eslint-disable-next-line no-console -- R-1.6 asks for the warning, and there is no log of ours in a browser.
  else console.warn("sign_up was not sent: there is no data layer");
}

/** The provider's script calls the function that its address names, and writes into the element. */
function translate(address: string) {
  const element = document.createElement("div");
  element.id = "english-view";
  document.querySelector(".site-footer__extra")?.append(element);
  window.showEnglish = () => {
    const options = { pageLanguage: "fr", includedLanguages: "en", autoDisplay: false };
    if (window.google) new window.google.translate.TranslateElement(options, element.id);
  };
  const script = new URL(address);
  script.searchParams.set("cb", "showEnglish");
  load(script.href);
}

function load(address: string) {
  const script = document.createElement("script");
  script.async = true;
  script.src = address;
  document.head.append(script);
}

export {};
