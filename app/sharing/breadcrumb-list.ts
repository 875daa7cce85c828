import type { BreadcrumbList, WithContext } from "schema-dts";

type Step = { label: string; href?: string };

/** The steps to a page as search engines read them (schema.org). The last one is the page itself. */
export function breadcrumbList(
  steps: readonly Step[],
  origin: string,
): WithContext<BreadcrumbList> {
  return {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: steps.map(({ label, href }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: label,
      ...(href !== undefined && { item: origin + href }),
    })),
  };
}
