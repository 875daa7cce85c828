import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { readAnyForm, readForm } from "~/forms/read.server";
import { sendAsDocument } from "~/forms/send-as-document";
import { clientAction as keepUnsent, useAnswer } from "~/forms/unsent";
import { pageMeta, refreshMeta } from "~/i18n/meta";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { loginReturnPath, paymentPath, resultPath } from "~/session/return-path.server";
import { whetherKnown, findNoAccessReason } from "./access.server";
import { SignIn, type LeadsTo } from "./fields";
import { carriedForm, loginForm, type LoginReply } from "./form";
import { Resume } from "./resume";
import { SignedIn } from "./signed-in";
import { UnsentText } from "./unsent-text";
import { homeOf, isOpenTo, submitCarried, signIn } from "./submit.server";

export const meta: MetaFunction = (args) => [...pageMeta(args), ...refreshMeta(args)];

export const handle = declarePage({
  hydrate: "whenTouched",
  i18n: ["login"],
  shared: ["returnTo", "team", "carried", "denied"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const { session, url, t } = visit;
  const returnTo = loginReturnPath(url.searchParams.get("returnTo"));
  const isResuming = visit.answersInPlace();
  // The page needs the role `coach`. Redirecting there without it would loop.
  const needsCoach = url.searchParams.has("team") && !session.hasRole("coach");
  if (!isResuming && !needsCoach && isOpenTo(visit, returnTo)) {
    throw await visit.redirect(returnTo ?? homeOf(visit));
  }
  // The order of an account needs no role, and tells itself what is in its way.
  const isKnown = session.claims() !== null && !isResuming && !isCarriedPost(url);
  if (isKnown && paymentPath(returnTo)) throw await visit.redirect(paths.registrationPayment());
  const needsReason = session.claims() !== null && !isResuming && !needsCoach;
  const why = needsReason
    ? await findNoAccessReason(visit)
    : needsCoach
      ? await whetherKnown(visit)
      : null;
  return {
    page: visit.describePage({
      title: t("login", isResuming ? "resume.heading" : "title"),
      description: t("login", "description"),
    }),
    email: session.claims()?.identifier ?? null,
    why,
    waits: why?.kind === "opening" || why?.kind === "pending",
    needsCoach,
    returnTo,
    leadsTo: leadsTo(returnTo),
  };
}

/** Receives the credentials, or a form whose sender must sign in again. */
export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const { request } = args;
  return isCarriedPost(visit.url)
    ? submitCarried(visit, await readAnyForm(request))
    : signIn(visit, await readForm(request, loginForm, carriedForm));
}

/** The router repeats a carried form by itself, but its page needs a document post. */
export function clientAction(args: ClientActionFunctionArgs): Promise<unknown> {
  const { request } = args;
  return isCarriedPost(new URL(request.url)) ? sendAsDocument(request) : keepUnsent(args);
}

export { shouldRevalidate } from "~/forms/unsent";

export default function LoginPage() {
  const { email, returnTo, leadsTo, why, needsCoach } = useLoaderData<typeof loader>();
  const reply = useAnswer<LoginReply>();
  return (
    <div className="container page page--narrow stack stack--l">
      {reply?.resume ? (
        <Resume form={reply.resume} />
      ) : email ? (
        <>
          <SignedIn
            email={email}
            returnTo={returnTo}
            why={why}
            needsCoach={needsCoach}
            hasUnsent={Boolean(reply?.unsent?.message)}
          />
          {reply?.unsent?.message && <UnsentText texts={reply.unsent} isOfTeam={needsCoach} />}
        </>
      ) : (
        <SignIn reply={reply} returnTo={returnTo} leadsTo={leadsTo} />
      )}
    </div>
  );
}

function leadsTo(returnTo: string | null): LeadsTo {
  if (resultPath(returnTo)) return "result";
  return paymentPath(returnTo) ? "payment" : "page";
}

const isCarriedPost = ({ searchParams }: URL) => searchParams.has("carried");
