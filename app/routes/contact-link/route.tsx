import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ownEmail } from "~/api/profile.server";
import { LinkRequest, LinkSent } from "~/forms/link-request";
import { parseForm, readOwnForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { useAnswer } from "~/forms/unsent";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { rememberSentTo, takeSentTo } from "~/session/sent-to.server";
import { openVisit } from "~/session/visit.server";
import { supportErrors } from "~/support/errors.server";
import { ContactTabs } from "~/support/tabs";
import { DataNotice } from "~/ui/data-notice";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { linkForm } from "./form";

export const meta = pageMeta;

export const handle = declarePage({
  provider: "contact",
  support: "contact",
  breadcrumb: false,
  hydrate: "whenTouched",
  i18n: ["contact"],
  shared: ["sent", "worn", "revoked"],
  // It says so itself, also to a browser that refuses cookies.
  ownMessages: ["linksRevoked"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const { searchParams } = visit.url;
  return {
    page: visit.describePage({ title: visit.t("contact", "link.title") }),
    email: await ownEmail(visit),
    sent: searchParams.has("sent"),
    sentTo: takeSentTo(visit),
    worn: searchParams.has("worn"),
    revoked: searchParams.has("revoked"),
  };
}

/** Mails a link. The answer never tells whether the address has tickets. */
export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const submission = parseForm(await readOwnForm(visit, args.request, linkForm), linkForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const outcome = await visit.attempt("refreshSupportToken", {
    params: { type: "contact" },
    body: submission.value,
  });
  if (!outcome.ok) return refuse(visit, submission, supportErrors("link", outcome.error));
  rememberSentTo(visit, submission.value.email);
  return visit.redirect(paths.contactLink({ sent: "1" }), { status: 303 });
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function ContactLinkPage() {
  const { email, sent, sentTo, ...link } = useLoaderData<typeof loader>();
  const { worn: isWornOut, revoked: isRevoked } = link;
  const reply = useAnswer<FormReply>();
  const isSent = sent && !reply;
  const t = useT("contact");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("link.title")} lead={isSent ? undefined : t("link.lead")} />
      <ContactTabs current="tickets" t={null} />
      {isWornOut && !reply && (
        <Notice tone="warning" title={t("link.wornOut.title")} live>
          <p>{t("link.wornOut.text")}</p>
        </Notice>
      )}
      {isRevoked && !reply && (
        <Notice tone="success" title={t("link.revoked.title")} live>
          <p>{t("link.revoked.text")}</p>
        </Notice>
      )}
      {isSent ? (
        <LinkSent
          title={t("link.sent.title")}
          text={t("link.sent.text")}
          sentTo={sentTo}
          retry={{ text: t("link.sent.again"), href: paths.contactLink() }}
        />
      ) : (
        <LinkRequest
          id="link"
          action={paths.contactLink()}
          email={email}
          reply={reply}
          label={t("link.email")}
          submit={t("link.submit")}
          notice={
            <DataNotice short={t("link.dataNotice.short")} full={t("link.dataNotice.full")} />
          }
        />
      )}
    </div>
  );
}
