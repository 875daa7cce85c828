import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findWithdrawnOf, listsPaymentsOfEnded } from "~/api/contract-payments.server";
import { findFavorites } from "~/api/favorites.server";
import { mapResult, NONE } from "~/api/read-result";
import { findMetadata } from "~/api/profile.server";
import { findSubscribed, type Subscribed } from "~/api/subscription.server";
import { readOwnForm } from "~/forms/read.server";
import type { FormReply } from "~/forms/refuse.server";
import { useAnswer } from "~/forms/unsent";
import { pageMeta } from "~/i18n/meta";
import { withdrawnWords } from "~/i18n/refund-words.server";
import { subscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { ServerPart } from "~/layout/server-part";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { PageHeading } from "~/ui/page-heading";
import { DataPanel } from "./data-panel";
import { latestOf } from "./favorites.server";
import { FavoritesPanel } from "./favorites-panel";
import { schemas, formNames, type FormName } from "./form";
import { PasswordPanel } from "./password-panel";
import { ProfilePanel } from "./profile-panel";
import { SessionsPanel } from "./sessions-panel";
import { findSessions } from "./sessions.server";
import { submitByForm } from "./submit.server";
import { SubscriptionPanel } from "./subscription-panel";

export const meta = pageMeta;

export const handle = declarePage({
  secured: true,
  roles: ["vip", "coach"],
  hydrate: "whenTouched",
  i18n: ["account"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const uid = uidOf(visit);
  // A coach who subscribes to nothing has neither a name for the coaches nor favorites.
  const isSubscriber = visit.session.hasRole("vip");
  const [user, metadata, subscribed, bank, sessions] = await Promise.all([
    visit.find("getUser", { params: { uid } }),
    isSubscriber ? findMetadata(visit, uid) : NONE,
    findSubscribed(visit),
    isSubscriber ? visit.find("getBankingService", {}) : NONE,
    findSessions(visit, uid),
  ]);
  return {
    page: visit.describePage({ title: visit.t("account", "title") }),
    // If the read failed, the session knows the e-mail too.
    email: user.kind === "found" ? user.value.payload.email : emailOf(visit),
    name: isSubscriber ? mapResult(metadata, ({ profile }) => profile?.name ?? null) : null,
    subscription:
      isSubscriber || subscribed.kind !== "none" ? mapResult(subscribed, toWords) : null,
    refund: withdrawnWords(await findWithdrawnOf(visit, subscribed)),
    hasPayments: await listsPaymentsOfEnded(visit, subscribed),
    statement: mapResult(bank, ({ payload }) => payload),
    favorites: isSubscriber ? mapResult(await findFavorites(visit, metadata), latestOf) : null,
    sessions,
    lead: isSubscriber
      ? visit.t("account", "lead")
      : `${visit.t("account", "teamLead")} ${visit.t("account", "teamName")}`,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, ...schemas);
  return submitByForm[sentForm(form)](visit, uidOf(visit), form);
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function AccountPage() {
  const { email, name, subscription, refund, hasPayments, statement, favorites, sessions, lead } =
    useLoaderData<typeof loader>();
  const reply = useAnswer<FormReply & { form?: FormName }>();
  const t = useT("account");
  const replyTo = (form: FormName) => (reply?.form === form ? reply : undefined);
  return (
    <div className="container page stack stack--l">
      <PageHeading title={t("title")} lead={lead} />
      <div className="panels panels--flow">
        {subscription && (
          <SubscriptionPanel
            subscription={subscription}
            statement={statement}
            refund={refund}
            hasPayments={hasPayments}
          />
        )}
        {favorites && (
          <ServerPart>{import.meta.env.SSR && <FavoritesPanel favorites={favorites} />}</ServerPart>
        )}
        <ProfilePanel email={email} name={name} reply={replyTo("name")} />
        <SessionsPanel
          sessions={sessions}
          reply={replyTo("end-session") ?? replyTo("end-sessions")}
        />
        <PasswordPanel email={email} reply={replyTo("password")} />
        <DataPanel />
      </div>
    </div>
  );
}

const toWords = ({ subscription, formula }: Subscribed) => subscriptionWords(subscription, formula);

const emailOf = ({ session }: Visit) => session.claims()?.identifier ?? "";

function uidOf({ session }: Visit): string {
  return session.claims()?.uid ?? "";
}

/** The form that was sent: named by its button, or recognised by its fields. */
function sentForm(form: FormData): FormName {
  const pressed = formNames.find((name) => name === form.get("intent"));
  return pressed ?? (form.has("currentPassword") ? "password" : "name");
}
