/** With script, pages can be translated here: the control leads to the question whether they may be. */
export function offerTranslationHere() {
  const link = document.querySelector<HTMLAnchorElement>("a[data-english]");
  if (link) link.href = link.dataset.english ?? link.href;
}
