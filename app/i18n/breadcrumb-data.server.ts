import type { BreadcrumbList, WithContext } from "schema-dts";
import type { BreadcrumbStep } from "./breadcrumb-steps.server";

/** The steps to a page as search engines read them (schema.org). */
export const breadcrumbData = (
  steps: readonly BreadcrumbStep[],
  origin: string,
): WithContext<BreadcrumbList> => ({
  "@context": "https://schema.org",
  "@type": "BreadcrumbList",
  itemListElement: steps.map(({ label, href }, index) => ({
    "@type": "ListItem",
    position: index + 1,
    name: label,
    ...(href !== undefined && { item: origin + href }),
  })),
});
