import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { ContactTabs } from "~/support/tabs";
import { PageHeading } from "~/ui/page-heading";
import { Questions } from "./questions";
import { Ways } from "./ways";

export const meta = pageMeta;

export const handle = declarePage({
  provider: "contact",
  support: "contact",
  personal: true,
  breadcrumb: false,
  shared: [],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  return {
    page: visit.describePage({
      title: visit.t("contact", "title"),
      description: visit.t("contact", "description"),
    }),
    secret: visit.secret,
    isSubscriber: visit.session.hasRole("vip"),
  };
}

export default function ContactPage() {
  const { secret, isSubscriber } = useLoaderData<typeof loader>();
  const t = useT("contact");
  return (
    <div className="container page stack stack--l">
      <PageHeading title={t("title")} lead={t("lead")} />
      <ContactTabs current="home" t={secret} />
      <Ways
        write={paths.contactNewTicket(secret ? { t: secret } : {})}
        find={secret ? paths.contactTickets({ t: secret }) : paths.contactLink()}
        isSubscriber={isSubscriber}
      />
      <Questions />
    </div>
  );
}
