import { useMatches } from "@remix-run/react";
import { hasPage } from "~/i18n/meta";
import type { BreadcrumbItem } from "~/ui/breadcrumb";

/** The breadcrumb of the page. Null for a page without one. */
export function useBreadcrumb(): BreadcrumbItem[] | null {
  const data = useMatches().at(-1)?.data;
  return (hasPage(data) && data.page.breadcrumb) || null;
}
