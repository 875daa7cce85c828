/**
 * Keeps a personal page out of Back once its person has signed out. `no-store` says so too,
 * but WebKit heeds it over https only, and gives typed fields back even then.
 */
export function forgetPersonalPage() {
  if (!("personal" in document.documentElement.dataset)) return;
  // A page that comes back as it was left never asked the server whose it may be.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  const [navigation] = performance.getEntriesByType("navigation");
  if (navigation instanceof PerformanceNavigationTiming && navigation.type === "back_forward") {
    addEventListener("pageshow", clearTypedFields, { once: true });
  }
}

/** Fields that name what they hold of a person; messages and searches name nothing. */
function clearTypedFields() {
  for (const field of document.querySelectorAll("input")) {
    if (!["", "on", "off"].includes(field.autocomplete)) field.value = field.defaultValue;
  }
}
