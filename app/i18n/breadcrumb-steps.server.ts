import { paths } from "~/paths";
import { translate } from "./i18n.server";
import type { Within } from "./keys";

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

export type BreadcrumbStep = { label: string; href?: string };

/**
 * The steps to a page: home, the segments above, the page itself without an address.
 * @param name the page's own title
 */
export function breadcrumbSteps(pathname: string, name: string): BreadcrumbStep[] {
  const segments = pathname.split("/").filter(Boolean);
  const above = segments.slice(0, -1).flatMap((segment, index) => {
    if (!isSegment(segment)) return [];
    const href = `/${segments.slice(0, index + 1).join("/")}`;
    return [{ label: translate("site", `breadcrumb.${segment}`), href }];
  });
  return [
    { label: translate("site", "breadcrumb.home"), href: paths.home() },
    ...above,
    { label: name },
  ];
}
