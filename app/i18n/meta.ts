import type { MetaDescriptor } from "@remix-run/react";
import type { PageMeta } from "./page-meta.server";

const REFRESH_SECONDS = 3;

/** The `meta` export of every page, from the loader's `visit.describePage`. */
export function pageMeta({ data }: { data: unknown }): MetaDescriptor[] {
  const page = hasPage(data) ? data.page : null;
  if (!page) return [];
  return [
    { title: page.title },
    { tagName: "link", rel: "canonical", href: page.canonical },
    ...(page.description ? [{ name: "description", content: page.description }] : []),
    ...(page.tags ?? []),
  ];
}

/** Reloads the page without script until the bank or the platform has answered. */
export function refreshMeta({ data }: { data: unknown }): MetaDescriptor[] {
  const waits = typeof data === "object" && data !== null && "waits" in data && data.waits;
  return waits ? [{ httpEquiv: "refresh", content: String(REFRESH_SECONDS) }] : [];
}

/** Whether a loader's data have a page that it described. */
export function hasPage(data: unknown): data is { page: PageMeta } {
  return typeof data === "object" && data !== null && "page" in data;
}
