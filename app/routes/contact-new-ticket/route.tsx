import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ownEmail } from "~/api/profile.server";
import { parseForm, readOwnForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { useAnswer } from "~/forms/unsent";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { formKeyOf } from "~/session/form-key.server";
import { declarePage } from "~/session/page-handle";
import { rememberSentTo, takeSentTo } from "~/session/sent-to.server";
import { openVisit } from "~/session/visit.server";
import { supportErrors } from "~/support/errors.server";
import { ticketForm } from "~/support/form";
import { ContactTabs } from "~/support/tabs";
import { PageHeading } from "~/ui/page-heading";
import { TicketForm } from "./fields";
import { Sent } from "./sent";

export const meta = pageMeta;

export const handle = declarePage({
  provider: "contact",
  support: "contact",
  breadcrumb: false,
  hydrate: "whenTouched",
  i18n: ["contact", "support"],
  shared: ["sent"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const { secret, t } = visit;
  return {
    page: visit.describePage({ title: t("contact", "new.title") }),
    secret,
    email: await ownEmail(visit),
    sent: visit.url.searchParams.has("sent"),
    sentTo: takeSentTo(visit),
    idempotencyKey: formKeyOf(args.context),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const submission = parseForm(await readOwnForm(visit, args.request, ticketForm), ticketForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const { subject, category, idempotencyKey, ...values } = submission.value;
  const outcome = await visit.attempt("createContactTicket", {
    headers: idempotencyKey ? { "idempotency-key": idempotencyKey } : {},
    body: {
      ...values,
      title: subject,
      ...(category && { category: visit.t("contact", `categories.${category}`) }),
    },
  });
  if (!outcome.ok) return refuse(visit, submission, supportErrors("ticket", outcome.error));
  rememberSentTo(visit, values.email);
  const { secret } = visit;
  return visit.redirect(paths.contactNewTicket({ sent: "1", ...(secret && { t: secret }) }), {
    status: 303,
  });
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function NewTicketPage() {
  const { secret, email, sent, sentTo, idempotencyKey } = useLoaderData<typeof loader>();
  const reply = useAnswer<FormReply>();
  const t = useT("contact");
  const isSent = sent && !reply;
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("new.title")} {...(!isSent && { lead: t("new.lead") })} />
      <ContactTabs current="new" t={secret} />
      {isSent ? (
        <Sent secret={secret} sentTo={sentTo} />
      ) : (
        <TicketForm
          email={email}
          reply={reply}
          idempotencyKey={reply?.idempotencyKey ?? idempotencyKey}
        />
      )}
    </div>
  );
}
