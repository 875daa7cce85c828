import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { ownEmail } from "~/api/profile.server";
import { found, NONE } from "~/api/read-result";
import { config } from "~/config.server";
import { failureErrors } from "~/forms/failures.server";
import { parseForm, readOwnForm } from "~/forms/read.server";
import { refuse } from "~/forms/refuse.server";
import { useAnswer } from "~/forms/unsent";
import { translate } from "~/i18n/i18n.server";
import { pageMeta } from "~/i18n/meta";
import { ServerPart } from "~/layout/server-part";
import { declarePage } from "~/session/page-handle";
import { pagePathname } from "~/session/page-request.server";
import { openVisit, type Visit } from "~/session/visit.server";
import { formatDate } from "~/i18n/format";
import { cancellationForm, withdrawalForm, type Notice } from "./form";
import { kindNameOf, kinds, type KindName } from "./kinds";
import { NoticeForm } from "./notice-form";
import { findReceipt, keepReceipt } from "~/session/kept-receipt.server";
import {
  findEnd,
  findInstead,
  findLoss,
  findOwnFacts,
  findRefund,
  findRight,
} from "./own-contract.server";
import { Recap } from "./recap";
import { Receipt } from "./receipt";
import { describeReceipt } from "./receipt.server";
import type { NoticeReply } from "./reply";

export const meta = pageMeta;

export const handle = declarePage({
  hydrate: "whenTouched",
  i18n: ["cancellation", "withdrawal"],
  shared: ["sent"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const { url, t } = visit;
  const kind = kindNameOf(pagePathname(url));
  const sent = url.searchParams.get("sent");
  const email = await ownEmail(visit);
  // After the API has been asked whether the session is still alive.
  const receipt = sent === null ? null : findReceipt(visit, kinds[kind].path, sent);
  return {
    page: visit.describePage({ title: t(kind, "title"), description: t(kind, "description") }),
    kind,
    email,
    receipt: receipt && (await describeReceipt(visit, kind, receipt)),
    /** The receipt of an earlier notice is not kept any more: whoever reads this need not send it again. */
    isPast: sent !== null && receipt === null,
  };
}

/** The first post shows a recap, the second sends the notice. No login is needed. */
export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const name = kindNameOf(pagePathname(visit.url));
  const kind = kinds[name];
  const schema = schemas[name];
  const form = await readOwnForm(visit, args.request, schema);
  const submission = parseForm(form, schema);
  if (submission.status !== "success") return refuse(visit, submission);
  const intent = form.get("intent");
  if (intent === "edit") return { edit: submission.value };
  if (intent !== kind.intent) return recapOf(visit, name, submission.value);
  const outcome = await visit.attempt(kind.call, { body: submission.value });
  if (outcome.ok) {
    const { receivedAt, awaitsConfirmation, isRepeat, seller } = outcome.value.payload;
    // A withdrawal that waits has done nothing yet, whatever an earlier one has.
    const { contract, ...own } = awaitsConfirmation
      ? {}
      : await findOwnFacts(visit, name, submission.value);
    const sent = keepReceipt(visit, {
      path: kind.path,
      receivedAt,
      ...(awaitsConfirmation && { awaitsConfirmation }),
      ...(isRepeat && { isRepeat }),
      ...own,
      declared: { ...submission.value, seller, contract },
    });
    return visit.redirect(kind.receiptPath(sent), { status: 303 });
  }
  return refuse(visit, submission, failureErrors("notice", outcome.error, fieldNames));
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function ContractNoticePage() {
  const { kind, email, receipt, isPast } = useLoaderData<typeof loader>();
  const reply = useAnswer<NoticeReply>();
  // Back from the recap has no answer to show, but the form that led there is filled in.
  const [checked, setChecked] = useState<Notice | null>(null);
  if (reply && "recap" in reply && reply.recap !== checked) setChecked(reply.recap);
  return (
    <div className={`${receipt ? "receipt " : ""}container page page--narrow stack stack--l`}>
      {receipt ? (
        <ServerPart>{import.meta.env.SSR && <Receipt receipt={receipt} />}</ServerPart>
      ) : reply && "recap" in reply ? (
        <Recap
          kind={kind}
          notice={reply.recap}
          declaration={reply.declaration}
          day={reply.day}
          credit={reply.credit}
          right={reply.right}
          end={reply.end}
          instead={reply.instead}
          refund={reply.refund}
          unread={reply.unread}
        />
      ) : reply && "edit" in reply ? (
        <NoticeForm kind={kind} given={reply.edit} />
      ) : (
        <NoticeForm
          kind={kind}
          given={checked ?? { email }}
          reply={reply}
          isPast={isPast && !reply && checked === null}
        />
      )}
    </div>
  );
}

/** Separate from `kinds`, because the browser loads that file and must not load zod. */
const schemas = { cancellation: cancellationForm, withdrawal: withdrawalForm };

/** What the button declares is what the receipt will quote: one text, with the same title of the site. */
async function recapOf(visit: Visit, kind: KindName, recap: Notice) {
  const right = kind === "withdrawal" ? await findRight(visit, recap) : NONE;
  const loss = await findLoss(visit, kind, recap);
  const end = kind === "cancellation" ? await findEnd(visit, recap) : NONE;
  const instead = kind === "cancellation" ? await findInstead(visit, recap) : NONE;
  const refund = kind === "cancellation" ? await findRefund(visit, recap) : found(null);
  const isUnread = [right, loss, end, instead, refund].some((read) => read.kind === "failed");
  return {
    recap,
    declaration: translate("declaration", kind, { site: config().siteTitle }),
    credit: loss.kind === "found" ? loss.value : null,
    ...(recap.date && { day: formatDate(recap.date) }),
    ...(right.kind === "found" && { right: right.value }),
    ...(end.kind === "found" && { end: end.value }),
    ...(instead.kind === "found" && instead.value !== null && { instead: instead.value }),
    refund: refund.kind === "found" ? refund.value : translate("cancellation", "recap.refund"),
    ...(isUnread && { unread: translate("subscription", "unreadNotice") }),
  };
}

const fieldNames = { name: "name", email: "email", reference: "reference", date: "date" };
