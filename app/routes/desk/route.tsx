import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { mapResult } from "~/api/read-result";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { useDeskKeys } from "~/support/use-desk-keys";
import { useRevalidation } from "~/support/use-revalidation";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";
import { readFilters, toQuery } from "./filters";
import { Inbox } from "./inbox";
import { FilterNav } from "./filter-nav";
import { Search } from "./search";
import { rowWords } from "./words.server";

export const meta = pageMeta;

export const handle = declarePage({
  secured: true,
  roles: ["coach"],
  hydrate: "atOnce",
  i18n: ["desk"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const filters = readFilters(visit.url);
  const [list, counts] = await Promise.all([
    visit.find("listDeskTickets", { query: toQuery(filters) }),
    visit.find("getDeskCounts", {}),
  ]);
  const unread = list.kind === "found" ? null : visit.markUnread(visit.t("desk", "unread"));
  return {
    page: visit.describePage({ title: visit.t("desk", "title") }),
    filters,
    counts: mapResult(counts, ({ payload }) => payload),
    unread,
    inbox: mapResult(list, ({ payload, page }) => ({
      rows: payload.map(rowWords),
      next: page.hasNextPage ? page.endCursor : null,
    })),
  };
}

export default function DeskPage() {
  const { filters, counts, inbox, unread } = useLoaderData<typeof loader>();
  const t = useT("desk");
  useRevalidation();
  useDeskKeys();
  return (
    <div className="container page stack stack--l">
      <PageHeading title={t("title")} lead={t("lead")} />
      <Search filters={filters} />
      <FilterNav filters={filters} counts={counts.kind === "found" ? counts.value : null} />
      {inbox.kind === "found" && <Inbox filters={filters} {...inbox.value} />}
      {unread && <Unread text={unread} />}
      <details>
        <summary>{t("keys.title")}</summary>
        <p>{t("keys.list")}</p>
        <p>{t("keys.thread")}</p>
      </details>
    </div>
  );
}
