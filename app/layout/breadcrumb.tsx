import { useMatches } from "@remix-run/react";
import { useT } from "~/i18n/use-t";
import { isPageHandle } from "~/session/access";
import { paths } from "~/paths";
import type { BreadcrumbItem } from "~/ui/breadcrumb";

/** Home, the segments above, the page itself; null where a page has none. */
export function useBreadcrumb(): BreadcrumbItem[] | null {
  const match = useMatches().at(-1);
  const t = useT("site");
  const handle = match?.handle;
  if (!match || !isPageHandle(handle) || !handle.breadcrumb) return null;
  const segments = match.pathname.split("/").filter(Boolean);
  const above = segments.slice(0, -1).flatMap((segment, index) => {
    const label = t(`breadcrumb.${segment}`);
    const known = !label.includes("breadcrumb.");
    return known ? [{ label, href: `/${segments.slice(0, index + 1).join("/")}` }] : [];
  });
  return [
    { label: t("breadcrumb.home"), href: paths.home() },
    ...above,
    { label: pageName(match.data) },
  ];
}

function pageName(data: unknown): string {
  const page = typeof data === "object" && data && "page" in data ? data.page : null;
  const name = typeof page === "object" && page && "name" in page ? page.name : "";
  return String(name);
}
