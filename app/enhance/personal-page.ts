/**
 * Hides a personal page from the Back button after signing out. `no-store` is not enough:
 * WebKit obeys it over https only, and still restores typed fields.
 */
export function forgetPersonalPage() {
  if (!("personal" in document.documentElement.dataset)) return;
  // A page from the back-forward cache was not checked by the server again.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  const [navigation] = performance.getEntriesByType("navigation");
  if (navigation instanceof PerformanceNavigationTiming && navigation.type === "back_forward") {
    addEventListener("pageshow", clearTypedFields, { once: true });
  }
}

/**
 * Empties fields with an autocomplete value: they hold personal data. Messages and searches have
 * none.
 */
function clearTypedFields() {
  for (const field of document.querySelectorAll("input")) {
    if (!["", "on", "off"].includes(field.autocomplete)) field.value = field.defaultValue;
  }
}
