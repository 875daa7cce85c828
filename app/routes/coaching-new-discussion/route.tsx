import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findConsent, type ConsentState } from "~/api/consent.server";
import type { ReadResult } from "~/api/read-result";
import type { Metadata } from "~/contract/accounts";
import { nameForm } from "~/forms/name";
import { readOwnForm } from "~/forms/read.server";
import type { FormReply } from "~/forms/refuse.server";
import { useAnswer } from "~/forms/unsent";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { findMetadata } from "~/api/profile.server";
import { ServerPart } from "~/layout/server-part";
import { newFormKey } from "~/session/form-key.server";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { findCoachingFacts } from "~/support/coaching-facts.server";
import { OpeningLinks } from "~/support/opening-links";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";
import { begunForm } from "./begun.server";
import { DiscussionForm, type ConsentOnPage } from "./fields";
import { firstDiscussionForm } from "./form";
import { submit } from "./submit.server";

export const meta = pageMeta;

export const handle = declarePage({
  secured: true,
  roles: ["vip"],
  support: "coaching",
  hydrate: "whenTouched",
  i18n: ["coaching", "support"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const [metadata, consent, facts] = await Promise.all([
    findMetadata(visit, visit.session.claims()?.uid ?? ""),
    findConsent(visit),
    findCoachingFacts(visit),
  ]);
  return {
    page: visit.describePage({ title: visit.t("coaching", "new.title") }),
    // If the name could not be read, it is not asked for. The post reads it again.
    asksName:
      metadata.kind === "failed"
        ? null
        : !isNamed(metadata) && !visit.url.searchParams.has("later"),
    consent: consentOnPage(consent),
    facts,
    begun: begunForm(visit),
    idempotencyKey: newFormKey(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  return submit(visit, await readOwnForm(visit, args.request, nameForm, firstDiscussionForm));
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function NewDiscussionPage() {
  const { asksName, consent, facts, begun, idempotencyKey } = useLoaderData<typeof loader>();
  const reply = useAnswer<FormReply>();
  const t = useT("coaching");
  return (
    <div className="container page page--narrow stack stack--l">
      <ServerPart>
        {import.meta.env.SSR && (
          <div className="stack">
            <PageHeading title={t("new.title")} lead={t("new.lead")} />
            <OpeningLinks facts={facts} isBegun={reply !== undefined} />
          </div>
        )}
      </ServerPart>
      {/* Whoever sends the form has the consent read again. */}
      {consent === "unread" && <Unread text={t("consent.unread")} retry={null} />}
      <DiscussionForm
        // A name that was typed stays, while nothing tells whether it is needed.
        asksName={asksName ?? reply?.lastResult?.initialValue?.name !== undefined}
        facts={facts}
        consent={consent}
        reply={reply ?? begun}
        idempotencyKey={reply?.idempotencyKey ?? idempotencyKey}
      />
    </div>
  );
}

const isNamed = (metadata: ReadResult<Metadata>) =>
  metadata.kind === "found" && Boolean(metadata.value.profile?.name);

function consentOnPage(consent: ReadResult<ConsentState>): ConsentOnPage {
  if (consent.kind === "failed") return "unread";
  return consent.kind === "found" && consent.value.givenAt !== null ? "given" : "missing";
}
