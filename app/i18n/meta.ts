import type { MetaDescriptor } from "@remix-run/react";
import type { PageMeta } from "./page-meta.server";

/** `meta` of every page: what its loader made with `visit.page`. */
export function pageMeta({ data }: { data: unknown }): MetaDescriptor[] {
  const page = hasPage(data) ? data.page : null;
  if (!page) return [];
  return [
    { title: page.title },
    { tagName: "link", rel: "canonical", href: page.canonical },
    ...(page.description ? [{ name: "description", content: page.description }] : []),
  ];
}

function hasPage(data: unknown): data is { page: PageMeta } {
  return typeof data === "object" && data !== null && "page" in data;
}
