import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { z } from "zod/v4";
import { isForeign, readForm } from "~/forms/read.server";
import { refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { ConsentButtons } from "~/layout/preferences";
import { paths } from "~/paths";
import {
  addCookies,
  choice,
  CONSENT_VERSION,
  consentCookie,
  consentIn,
  needsConsent,
  preferencesOf,
  removedTrackers,
} from "~/session/preferences.server";
import { declarePage } from "~/session/page-handle";
import { ownPath } from "~/session/return-path.server";
import { openVisit, type Visit } from "~/session/visit.server";
import { formatDate } from "~/i18n/format";
import { PageHeading } from "~/ui/page-heading";
import { SectionHeading } from "~/ui/section-heading";

export const meta = pageMeta;

export const handle = declarePage({ indexed: false });

const form = z.object({ intent: choice, to: z.string().optional() });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const asked = needsConsent();
  const { lite } = preferencesOf(args.context, args.request);
  return {
    page: visit.describePage({ title: visit.t("preferences", "cookies.title") }),
    to: ownPath(visit.url.searchParams.get("to")),
    state: asked && !lite ? stateOf(visit, args.request) : null,
    isLite: asked && lite,
  };
}

/** Stores the answer in this browser, and leads back to the page where it was given. */
export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const { request } = args;
  const posted = await readForm(request, form);
  if (isForeign(posted)) return refuseForeign(visit);
  const answer = form.safeParse(Object.fromEntries(posted));
  if (!answer.success) throw new Response(null, { status: 400 });
  const { intent, to } = answer.data;
  const response = await visit.redirect(ownPath(to) ?? paths.cookies(), { status: 303 });
  if (!needsConsent()) return response;
  addCookies(response.headers, [
    consentCookie(request, intent),
    ...(intent === "refuse" ? removedTrackers(request) : []),
  ]);
  return response;
}

const OWN = ["session", "consent", "lite", "english", "drafts", "tab"] as const;

export default function CookiesPage() {
  const { to, state, isLite } = useLoaderData<typeof loader>();
  const t = useT("preferences");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("cookies.title")} lead={t("cookies.lead")} />
      <section className="stack" aria-labelledby="measure">
        <SectionHeading id="measure" title={t("cookies.measure")} />
        {isLite && <p>{t("cookies.lite")}</p>}
        {!isLite && !state && <p>{t("cookies.none")}</p>}
        {state && (
          <>
            <p>{t("cookies.what")}</p>
            <p>
              <strong>{state}</strong>
            </p>
            <Form method="post">
              {to && <input type="hidden" name="to" value={to} />}
              <ConsentButtons />
            </Form>
          </>
        )}
      </section>
      <section className="stack" aria-labelledby="own">
        <SectionHeading id="own" title={t("cookies.own")} />
        <p>{t("cookies.ownText")}</p>
        <ul>
          {OWN.map((name) => (
            <li key={name}>{t(`cookies.list.${name}`)}</li>
          ))}
        </ul>
      </section>
      {to && (
        <p>
          <a className="lone" href={to}>
            {t("cookies.back")}
          </a>
        </p>
      )}
    </div>
  );
}

/** What was answered, when, and to which words. */
function stateOf({ t }: Visit, { headers }: Request) {
  const consent = consentIn(headers.get("cookie") ?? "");
  if (!consent) return t("preferences", "cookies.unasked");
  const date = formatDate(consent.at.toISOString());
  const key = consent.choice === "accept" ? "cookies.accepted" : "cookies.refused";
  return t("preferences", key, { date, version: CONSENT_VERSION });
}
