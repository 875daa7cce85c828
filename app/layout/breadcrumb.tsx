import { useMatches } from "@remix-run/react";
import type { Within } from "~/i18n/keys";
import { useT } from "~/i18n/use-t";
import { isPageHandle } from "~/session/page-handle";
import { paths } from "~/paths";
import type { BreadcrumbItem } from "~/ui/breadcrumb";

type Segment = Exclude<Within<"site", "breadcrumb">, "home">;

/** Path segments that are pages with a name in the breadcrumb. */
const SEGMENTS: Record<Segment, true> = {
  account: true,
  coaching: true,
  desk: true,
  payments: true,
  registration: true,
  "reset-password": true,
};

const isSegment = (name: string): name is Segment => Object.hasOwn(SEGMENTS, name);

/**
 * The breadcrumb: home, the segments above, the page itself. Null for a page without one.
 */
export function useBreadcrumb(): BreadcrumbItem[] | null {
  const match = useMatches().at(-1);
  const t = useT("site");
  const handle = match?.handle;
  if (!match || !isPageHandle(handle) || !handle.breadcrumb) return null;
  const segments = match.pathname.split("/").filter(Boolean);
  const above = segments.slice(0, -1).flatMap((segment, index) => {
    if (!isSegment(segment)) return [];
    const href = `/${segments.slice(0, index + 1).join("/")}`;
    return [{ label: t(`breadcrumb.${segment}`), href }];
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
