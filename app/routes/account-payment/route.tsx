import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { mapResult } from "~/api/read-result";
import { requireUid } from "~/api/require-uid.server";
import { pageMeta } from "~/i18n/meta";
import { receiptWords } from "~/i18n/payment-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";
import { Receipt } from "./receipt";

export const meta = pageMeta;

/** Open to every account: receipts are needed after the contract's end, too. */
export const handle = declarePage({ secured: true });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const uid = await requireUid(visit, args.params);
  const read = await visit.find("getPayment", { params: { uid } });
  if (read.kind === "none") await visit.throwNotFound();
  const receipt = mapResult(read, ({ payload }) => receiptWords(payload));
  const unread = read.kind === "failed" && visit.markUnread(visit.t("payments", "receipt.unread"));
  const title =
    receipt.kind === "found" ? receipt.value.title : visit.t("payments", "receipt.unreadTitle");
  return { page: visit.describePage({ title }), title, receipt, unread };
}

export default function PaymentPage() {
  const { title, receipt, unread } = useLoaderData<typeof loader>();
  const t = useT("payments");
  const number = receipt.kind === "found" ? receipt.value.number : "";
  return (
    <div className="receipt container page page--narrow stack stack--l">
      <PageHeading title={<Title text={title} end={number} />} />
      {unread && <Unread text={unread} />}
      {receipt.kind === "found" && <Receipt receipt={receipt.value} />}
      <p className="not-printed">
        <a className="lone" href={paths.accountPayments()}>
          {t("all")}
        </a>
      </p>
    </div>
  );
}

/** The number at its end stays on one line, in spite of its hyphens. */
function Title({ text, end }: { text: string; end: string }) {
  if (!end || !text.endsWith(end)) return text;
  return (
    <>
      {text.slice(0, -end.length)}
      <span className="unbroken">{end}</span>
    </>
  );
}
