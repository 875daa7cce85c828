import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { mapFound } from "~/api/found";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";
import { useDeskKeys } from "~/support/use-desk-keys";
import { useFresh } from "~/support/use-fresh";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";
import { filtersOf, queryOf } from "./filters";
import { Inbox } from "./inbox";
import { Narrow } from "./narrow";
import { Search } from "./search";
import { rowWords } from "./words.server";

export const meta = pageMeta;

export const handle = page({ secured: true, roles: ["coach"], hydrate: true, i18n: ["desk"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const filters = filtersOf(visit.url);
  const [list, counts] = await Promise.all([
    visit.find("listDeskTickets", { query: queryOf(filters) }),
    visit.find("getDeskCounts", {}),
  ]);
  return {
    page: visit.page({ title: visit.t("desk", "title") }),
    filters,
    counts: mapFound(counts, ({ payload }) => payload),
    inbox: mapFound(list, ({ payload, page }) => ({
      rows: payload.map(rowWords),
      next: page.hasNextPage ? page.endCursor : null,
    })),
  };
}

export default function DeskPage() {
  const { filters, counts, inbox } = useLoaderData<typeof loader>();
  const t = useT("desk");
  useFresh();
  useDeskKeys();
  return (
    <div className="container page stack stack--l">
      <PageHeading title={t("title")} lead={t("lead")} />
      <Search filters={filters} />
      <Narrow filters={filters} counts={counts.kind === "found" ? counts.value : null} />
      {inbox.kind === "found" ? (
        <Inbox filters={filters} {...inbox.value} />
      ) : (
        <Unread snackbar text={t("unread")} />
      )}
      <details>
        <summary>{t("keys.title")}</summary>
        <p>{t("keys.list")}</p>
        <p>{t("keys.thread")}</p>
      </details>
    </div>
  );
}
