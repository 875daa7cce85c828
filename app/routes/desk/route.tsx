import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";
import { useDeskKeys } from "~/support/use-desk-keys";
import { useFresh } from "~/support/use-fresh";
import { LoadMore } from "~/ui/load-more";
import { PageHeading } from "~/ui/page-heading";
import { addressOf, filtersOf, queryOf } from "./filters";
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
    visit.read("listDeskTickets", { query: queryOf(filters) }),
    visit.read("getDeskCounts", {}),
  ]);
  return {
    page: visit.page({ title: visit.t("desk", "title") }),
    filters,
    counts: counts.payload,
    rows: list.payload.map(rowWords),
    next: list.page.hasNextPage ? list.page.endCursor : null,
  };
}

export default function DeskPage() {
  const { filters, counts, rows, next } = useLoaderData<typeof loader>();
  const t = useT("desk");
  useFresh();
  useDeskKeys();
  return (
    <div className="container page stack stack--l">
      <PageHeading title={t("title")} lead={t("lead")} />
      <Search filters={filters} />
      <Narrow filters={filters} counts={counts} />
      <Inbox rows={rows} />
      {next && <LoadMore href={paths.desk(addressOf(filters, { after: next }))} text={t("more")} />}
      <details>
        <summary>{t("keys.title")}</summary>
        <p>{t("keys.list")}</p>
        <p>{t("keys.thread")}</p>
      </details>
    </div>
  );
}
