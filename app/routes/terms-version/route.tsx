import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { termsDigest } from "~/contract/primitives";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { formatDate } from "~/i18n/format";
import { PageHeading } from "~/ui/page-heading";
import { Prose } from "~/ui/prose";

export const meta = pageMeta;

export const handle = declarePage({ indexed: false, i18n: ["terms"], shared: [] });

/** One version of the terms, as it was accepted. It stays readable after the text has changed. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const digest = termsDigest.safeParse(args.params.digest);
  // What was never a version is an unknown address like any other.
  if (!digest.success) return visit.throwNotFound("Page not found");
  const { payload } = await visit.require("getTerms", { params: { digest: digest.data } });
  const { title, body, sinceDateTime, current = false } = payload;
  return {
    page: visit.describePage({ title }),
    title,
    body,
    since: formatDate(sinceDateTime),
    isCurrent: current,
  };
}

export default function TermsVersionPage() {
  const { title, body, since, isCurrent } = useLoaderData<typeof loader>();
  const t = useT("terms");
  return (
    <div className="container page">
      <PageHeading title={title} lead={t("since", { date: since })} />
      <p>{t(isCurrent ? "isCurrent" : "isOther")}</p>
      {!isCurrent && (
        <p>
          <a className="lone" href={paths.text("terms-of-service")}>
            {t("current")}
          </a>
        </p>
      )}
      <p>
        <a className="lone" href={paths.accountSubscription()}>
          {t("own")}
        </a>
      </p>
      <Prose html={body} />
    </div>
  );
}
