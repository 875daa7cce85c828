import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ownEmail } from "~/api/profile.server";
import { failureErrors } from "~/forms/failures.server";
import { parseForm, readOwnForm } from "~/forms/read.server";
import { refuse } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { formatDate, formatDateTime } from "~/ui/format";
import { cancellationForm, withdrawalForm, type Notice } from "./form";
import { kindNameOf, kinds } from "./kinds";
import { NoticeForm } from "./notice-form";
import { Receipt, Recap } from "./steps";
import type { NoticeReply } from "./reply";

export const meta = pageMeta;

export const handle = declarePage({ hydrate: true, i18n: ["cancellation", "withdrawal"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const { session, url, t } = visit;
  const kind = kindNameOf(url.pathname);
  const { receipt } = session.data;
  const ownReceipt = receipt?.path === kinds[kind].path ? receipt : null;
  if (ownReceipt) session.set({ receipt: undefined });
  return {
    page: visit.describePage({ title: t(kind, "title"), description: t(kind, "description") }),
    kind,
    email: await ownEmail(visit),
    receipt: ownReceipt && {
      receivedAt: formatDateTime(ownReceipt.receivedAt),
      awaits: ownReceipt.awaitsConfirmation === true,
    },
  };
}

/** The first post shows a recap, the second sends the notice. No login is needed. */
export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const name = kindNameOf(visit.url.pathname);
  const kind = kinds[name];
  const schema = schemas[name];
  const form = await readOwnForm(visit, args.request, schema);
  const submission = parseForm(form, schema);
  if (submission.status !== "success") return refuse(visit, submission);
  const intent = form.get("intent");
  if (intent === "edit") return { edit: submission.value };
  if (intent !== kind.intent) return recapOf(submission.value);
  const outcome = await visit.attempt(kind.call, { body: submission.value });
  if (outcome.ok) {
    const { receivedAt, awaitsConfirmation } = outcome.value.payload;
    visit.session.set({ receipt: { path: kind.path, receivedAt, awaitsConfirmation } });
    return visit.redirect(kind.path, { status: 303 });
  }
  return refuse(visit, submission, failureErrors("notice", outcome.error, fieldNames));
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function ContractNoticePage() {
  const { kind, email, receipt } = useLoaderData<typeof loader>();
  const reply = useActionData<NoticeReply>();
  return (
    <div className="container page page--narrow stack stack--l">
      {receipt ? (
        <Receipt kind={kind} {...receipt} />
      ) : reply && "recap" in reply ? (
        <Recap kind={kind} notice={reply.recap} day={reply.day} />
      ) : reply && "edit" in reply ? (
        <NoticeForm kind={kind} given={reply.edit} />
      ) : (
        <NoticeForm kind={kind} given={{ email }} reply={reply} />
      )}
    </div>
  );
}

/** Separate from `kinds`, because the browser loads that file and must not load zod. */
const schemas = { cancellation: cancellationForm, withdrawal: withdrawalForm };

const recapOf = (recap: Notice) => ({
  recap,
  ...(recap.date && { day: formatDate(recap.date) }),
});

const fieldNames = { name: "name", email: "email", reference: "reference", date: "date" };
