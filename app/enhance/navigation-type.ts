/** How the browser came to this page. Undefined where it does not tell. */
export function navigationType() {
  const [entry] = performance.getEntriesByType("navigation");
  return (entry as PerformanceNavigationTiming | undefined)?.type;
}
