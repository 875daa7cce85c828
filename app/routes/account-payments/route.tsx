import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { FAILED, found, mapResult, NONE } from "~/api/read-result";
import { throwResponse } from "~/api/throw-response";
import { isUnknownCall } from "~/api/unknown-call";
import { pageMeta } from "~/i18n/meta";
import { paymentWords } from "~/i18n/payment-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { LoadMore } from "~/ui/load-more";
import { PageHeading } from "~/ui/page-heading";
import { PaymentList } from "~/ui/payment-list";
import { Unread } from "~/ui/unread";

export const meta = pageMeta;

/** Open to every account: receipts are needed after the contract's end, too. */
export const handle = declarePage({ secured: true });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const after = visit.url.searchParams.get("after");
  const read = await findPayments(visit, after);
  const unread = read.kind === "failed" && visit.markUnread(visit.t("payments", "unread"));
  return {
    page: visit.describePage({ title: visit.t("payments", "title") }),
    unread,
    isFirst: after === null,
    payments: mapResult(read, ({ payload, page }) => ({
      rows: payload.map(paymentWords),
      next: page.hasNextPage ? page.endCursor : null,
    })),
  };
}

/** @throws Response 400 for a cursor that belongs to no such list */
async function findPayments(visit: Visit, after: string | null) {
  const outcome = await visit.attempt("listPayments", { query: { ...(after && { after }) } });
  if (outcome.ok) return found(outcome.value);
  const { kind } = outcome.error;
  if (isUnknownCall("listPayments", outcome.error)) return NONE;
  const isOfAddress = kind === "validation" || kind === "requestValidation";
  return isOfAddress ? throwResponse(outcome.error) : FAILED;
}

export default function PaymentsPage() {
  const { payments, unread, isFirst } = useLoaderData<typeof loader>();
  const t = useT("payments");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("title")} lead={t("lead")} />
      {unread && <Unread text={unread} />}
      {payments.kind === "none" && <p>{t("noneFound")}</p>}
      {payments.kind === "found" && payments.value.rows.length === 0 && <p>{t("none")}</p>}
      {!isFirst && (
        <p>
          <a className="lone" href={paths.accountPayments()}>
            {t("newest")}
          </a>
        </p>
      )}
      {/* This page loads no framework script: the list stays out of what browsers get for the other one. */}
      {import.meta.env.SSR && payments.kind === "found" && payments.value.rows.length > 0 && (
        <PaymentList rows={payments.value.rows} />
      )}
      {import.meta.env.SSR && payments.kind === "found" && payments.value.next && (
        <LoadMore href={paths.accountPayments({ after: payments.value.next })} text={t("more")} />
      )}
    </div>
  );
}
