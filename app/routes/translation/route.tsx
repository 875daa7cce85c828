import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { z } from "zod/v4";
import { config } from "~/config.server";
import { isForeign, readForm } from "~/forms/read.server";
import { refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { addCookies, choice, languageCookies, preferencesOf } from "~/session/preferences.server";
import { translatedAddress } from "~/session/third-parties.server";
import { declarePage } from "~/session/page-handle";
import { siteOrigin } from "~/session/page-request.server";
import { ownPath } from "~/session/return-path.server";
import { openVisit } from "~/session/visit.server";
import { Button, ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { PageHeading } from "~/ui/page-heading";

export const meta = pageMeta;

export const handle = declarePage({ indexed: false });

const form = z.object({ intent: choice, to: z.string().optional() });

/** Asks before a script of the provider translates pages here. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const to = ownPath(visit.url.searchParams.get("to")) ?? paths.home();
  const translated = translatedAddress(siteOrigin(visit.url) + to);
  return {
    page: visit.describePage({ title: visit.t("preferences", "translation.title") }),
    to,
    translated,
    /** Null for the usual provider, whose name the texts have. */
    host: translated === null ? new URL(config().translationScript).host : null,
    isOn: preferencesOf(args.context, args.request).english,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const { request } = args;
  const posted = await readForm(request, form);
  if (isForeign(posted)) return refuseForeign(visit);
  const answer = form.safeParse(Object.fromEntries(posted));
  if (!answer.success) throw new Response(null, { status: 400 });
  const { intent, to } = answer.data;
  const response = await visit.redirect(ownPath(to) ?? paths.home(), { status: 303 });
  addCookies(response.headers, languageCookies(request, intent === "accept"));
  return response;
}

export default function TranslationPage() {
  const { to, translated, host, isOn } = useLoaderData<typeof loader>();
  const t = useT("preferences");
  const here = host === null ? t("translation.here") : t("translation.hereElsewhere", { host });
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading
        title={t("translation.title")}
        {...(host === null && { lead: t("translation.lead") })}
      />
      <p>{isOn ? t("translation.on") : here}</p>
      <Form method="post">
        <input type="hidden" name="to" value={to} />
        <Cluster>
          <Button look="primary" name="intent" value={isOn ? "refuse" : "accept"}>
            {t(isOn ? "translation.stop" : "translation.accept")}
          </Button>
          {!isOn && translated && (
            <ButtonLink href={translated} rel="nofollow noreferrer">
              {t("translation.open")}
            </ButtonLink>
          )}
          {!isOn && (
            <ButtonLink look="quiet" href={to}>
              {t("translation.cancel")}
            </ButtonLink>
          )}
        </Cluster>
      </Form>
    </div>
  );
}
