import type { HeadersFunction, LoaderFunctionArgs } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Meta,
  Outlet,
  useLoaderData,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
  type ShouldRevalidateFunction,
} from "@remix-run/react";
import type { ComponentProps, ReactNode } from "react";
import { config } from "~/config.server";
import { DEFAULT_WAIT_SECONDS } from "~/contract/limits";
import { EmbeddedHandoff } from "~/embedded-handoff";
import enhance from "~/enhance/index.ts?worker&url";
import thirdPartyScript from "~/enhance/third-parties.ts?worker&url";
import { OwnerProvider } from "~/forms/owner";
import { useT } from "~/i18n/use-t";
import { useBreadcrumb } from "~/layout/breadcrumb";
import { Flash } from "~/layout/flash";
import { ConsentBanner, PreferenceLinks } from "~/layout/preferences";
import { ServerPart } from "~/layout/server-part";
import { shownMessages } from "~/layout/shown-messages.server";
import { useRender } from "~/render-context";
import { isPageHandle, declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { pageMark } from "~/session/owner.server";
import { draftPrefix } from "~/support/draft-key";
import styles from "~/styles/index.css?url";
import { ErrorPage } from "~/ui/error-page";
import { formatWait } from "~/i18n/format";
import { PageShell } from "~/ui/page-shell";
import { SiteFooter } from "~/ui/site-footer";

/** The file name holds a hash of the content. The style sheet uses the same file. */
const font = "/fonts/brygada-1918.82b9259a.woff2";

/** The texts of each page that hydrates, and of the error page that may replace it in the browser. */
export const handle = declarePage({ i18n: ["ui", "site", "forms", "error"] });

const links: ComponentProps<"link">[] = [
  { rel: "preload", href: font, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

export async function loader(args: LoaderFunctionArgs) {
  const { session } = await openVisit(args, handle);
  const claims = session.claims();
  return {
    siteTitle: config().siteTitle,
    viewer: claims && {
      vip: session.hasRole("vip"),
      coach: session.hasRole("coach"),
    },
    flash: shownMessages(session.takeFlash(), claims?.identifier),
    owner: pageMark(session.person()),
  };
}

/**
 * The shell's data changes with a new document, with a refused post that created an account, and with
 * any post whose answer has a message. A reply that was sent in place has none.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus, formData }) =>
  actionStatus !== undefined && (actionStatus >= 400 || !formData?.has("inPlace"));

/** A page that could not be read says when to try again (`throwResponse`). */
export const headers: HeadersFunction = ({ errorHeaders }) => {
  const retryAfter = errorHeaders?.get("retry-after");
  return new Headers(retryAfter ? { "retry-after": retryAfter } : undefined);
};

/** `--navy` of the header (`app/styles/tokens.css`), for the frame that a phone draws around the page. */
const NAVY = "#141b3c";

export function Layout({ children }: { children: ReactNode }) {
  const { buildId, shell } = useRender();
  const t = useT("site");
  const { personal = false } = useShownHandle() ?? {};
  const viewer = useRouteLoaderData<typeof loader>("root")?.viewer;
  return (
    <html
      lang="fr"
      data-build={buildId}
      data-personal={personal ? "" : undefined}
      data-viewer={
        viewer ? `vip:${viewer.vip} coach:${viewer.coach}` : viewer === null ? "" : undefined
      }
      data-failed={t("title.failed", { title: "" })}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={NAVY} />
        <Meta />
        <ErrorTitle />
        {links.map((link) => (
          <link key={link.href} {...link} />
        ))}
      </head>
      <body>
        {children}
        <EmbeddedHandoff />
        {!shell?.lite && <script type="module" src={enhance} />}
        {import.meta.env.SSR && <ThirdPartyScript />}
      </body>
    </html>
  );
}

export default function App() {
  const { siteTitle, viewer, flash, owner } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const breadcrumb = useBreadcrumb();
  const { layout, ownMessages = [] } = useShownHandle() ?? {};
  return (
    <PageShell
      layout={layout}
      viewer={viewer}
      path={pathname}
      siteTitle={siteTitle}
      banner={<ServerPart>{import.meta.env.SSR && <ConsentBanner />}</ServerPart>}
      footer={
        <ServerPart>
          {import.meta.env.SSR && <SiteFooter siteTitle={siteTitle} extra={<PreferenceLinks />} />}
        </ServerPart>
      }
      {...(breadcrumb && { breadcrumb })}
    >
      <Flash messages={flash} except={ownMessages} />
      <OwnerProvider value={owner}>
        <Outlet />
      </OwnerProvider>
    </PageShell>
  );
}

/** Loads scripts of others, whose addresses stand in its data. Only pages that do not hydrate have it. */
function ThirdPartyScript() {
  const { shell } = useRender();
  if (!shell?.thirdParties) return null;
  const { tagManager, translation } = shell.thirdParties;
  return (
    <script
      type="module"
      id="third-parties"
      src={thirdPartyScript}
      data-tag-manager={tagManager}
      data-translation={translation}
      data-sign-up={shell.signUp ? "" : undefined}
    />
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const data = useRouteLoaderData<typeof loader>("root");
  const t = useT("error");
  const errorKey = errorKeyOf(error);
  return (
    <ErrorPage
      kind={errorKey === "page404" ? "404" : "5xx"}
      title={t(`${errorKey}.title`)}
      text={t(`${errorKey}.text`, { wait: formatWait(errorDataOf(error).retryAfter) })}
      button={t("back_button")}
      {...(data && { siteTitle: data.siteTitle })}
      {...(data &&
        errorKey === "page404" && {
          draft: { prefix: draftPrefix(data.owner), label: t("page404.draft") },
        })}
    />
  );
}

/** Statuses that have their own texts. */
const NAMED = [400, 403, 405, 413, 414, 429] as const;

/** Reasons that have their own texts: a missing role, and a full queue. */
const REASONS = ["closed", "busy"] as const;

/** Key of an error page's texts in the catalogue. Its title is also the document's title. */
function errorKeyOf(error: unknown) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  if (status === 404) return "page404";
  const { reason } = errorDataOf(error);
  if (reason) return reason;
  const named = NAMED.find((one) => one === status);
  return named ? (`status.${named}` as const) : "page5xx";
}

/** Data in the body of an error Response (`throwResponse`): a waiting time, and what its status does not say. */
function errorDataOf(error: unknown) {
  const data: unknown = isRouteErrorResponse(error) ? error.data : null;
  const body = typeof data === "object" && data !== null ? data : {};
  return {
    retryAfter:
      "retryAfter" in body && typeof body.retryAfter === "number"
        ? body.retryAfter
        : DEFAULT_WAIT_SECONDS,
    reason: REASONS.find((one) => "reason" in body && body.reason === one),
  };
}

function ErrorTitle() {
  const error = useRouteError();
  const t = useT("error");
  const ui = useT("ui");
  const site = useT("site");
  if (!error) return null;
  const title = t(`${errorKeyOf(error)}.title`);
  return <title>{site("title.page", { site: ui("site.name"), title })}</title>;
}

/** The declaration of the shown page. Null for an error page. */
function useShownHandle() {
  const error = useRouteError();
  const handle = useMatches().at(-1)?.handle;
  return !error && isPageHandle(handle) ? handle : null;
}
