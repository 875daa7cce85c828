import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { findCoachingFacts } from "~/support/coaching-facts.server";
import { kinds } from "~/support/kinds";
import { listThreads } from "~/support/list.server";
import { OpeningLinks } from "~/support/opening-links";
import { ThreadList } from "~/support/thread-list";
import { ButtonLink } from "~/ui/button";
import { PageHeading } from "~/ui/page-heading";

export const meta = pageMeta;

export const handle = declarePage({ secured: true, roles: ["vip"], support: "coaching" });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  // The title says whether the list failed.
  const list = await listThreads(visit, kinds.coaching);
  const isEmpty = !list.failed && list.threads.length === 0 && list.status === null;
  const facts = isEmpty ? await findCoachingFacts(visit) : null;
  return { facts, page: visit.describePage({ title: visit.t("coaching", "title") }), list };
}

export default function CoachingPage() {
  const { list, facts } = useLoaderData<typeof loader>();
  const t = useT("coaching");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("title")} lead={t("lead")} />
      <p>
        <ButtonLink look="primary" href={paths.coachingNewDiscussion()}>
          {t("list.new")}
        </ButtonLink>
      </p>
      <ThreadList kind={kinds.coaching} secret={null} {...list}>
        {facts && <OpeningLinks facts={facts} />}
      </ThreadList>
    </div>
  );
}
