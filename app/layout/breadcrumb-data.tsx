import { useMatches } from "@remix-run/react";
import { breadcrumbList } from "~/sharing/breadcrumb-list";
import type { BreadcrumbItem } from "~/ui/breadcrumb";
import { JsonLd } from "~/ui/json-ld";

/** The breadcrumb of the page for search engines. None on a page without a canonical address. */
export function BreadcrumbData({ steps }: { steps: BreadcrumbItem[] }) {
  const origin = originOf(useMatches().at(-1)?.data);
  return origin === null ? null : <JsonLd json={JSON.stringify(breadcrumbList(steps, origin))} />;
}

function originOf(data: unknown): string | null {
  const page = typeof data === "object" && data && "page" in data ? data.page : null;
  const address = typeof page === "object" && page && "canonical" in page ? page.canonical : null;
  return typeof address === "string" ? new URL(address).origin : null;
}
