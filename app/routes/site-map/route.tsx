import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findReference } from "~/api/reference.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { siteShare } from "~/sharing/share.server";
import { PageHeading } from "~/ui/page-heading";
import { Panel } from "~/ui/panel";
import { Unread } from "~/ui/unread";
import { contentGroups, serviceGroups, siteGroup, type Group } from "./groups.server";

export const meta = pageMeta;

export const handle = declarePage({ shared: [], thirdParties: true });

/** All pages by group: the second way to find a page, beside the navigation (RGAA 12.1). */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const reference = await findReference(visit);
  return {
    page: visit.describePage({
      title: visit.t("siteMap", "title"),
      description: visit.t("siteMap", "description"),
      share: siteShare(),
    }),
    site: siteGroup(visit),
    content: reference.kind === "found" ? contentGroups(reference.value) : null,
    services: serviceGroups(visit),
  };
}

export default function SiteMapPage() {
  const { site, content, services } = useLoaderData<typeof loader>();
  const t = useT("siteMap");
  return (
    <div className="container page stack stack--l">
      <PageHeading title={t("title")} lead={t("lead")} />
      {!content && <Unread text={t("unread")} />}
      <div className="panels panels--flow">
        {[site, ...(content ?? []), ...services].map((group) => (
          <GroupPanel key={group.name} {...group} />
        ))}
      </div>
    </div>
  );
}

function GroupPanel({ name: group, links }: Group) {
  const t = useT("siteMap");
  // There are many short ones of them.
  const isOfChips = group === "tags";
  return (
    <Panel title={t(`groups.${group}`)}>
      <ul className={isOfChips ? "chips" : "rows"}>
        {links.map(({ name, href }) => (
          <li key={href}>
            <a href={href} className={isOfChips ? "chip" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
