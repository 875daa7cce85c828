import { useT } from "~/i18n/use-t";
import { paths, serverPaths } from "~/paths";
import { Logo } from "./art/logo";
import { LostStar } from "./art/lost-star";
import { ButtonLink } from "./button";
import { Cluster } from "./cluster";
import { TextArea } from "./text-area";

type ErrorPageProps = {
  /** Only the 404 page has a picture. */
  kind: "404" | "5xx";
  title: string;
  text?: string;
  /** Text of the button that leads home. */
  button: string;
  siteTitle?: string;
  /** On the page of an address that is gone: what the names of kept drafts begin with, and their label. */
  draft?: { prefix: string; label: string };
};

/** A whole error page. It stands directly in `<body>`, without the shell. */
export function ErrorPage({ kind, title, text, button, siteTitle, draft }: ErrorPageProps) {
  const t = useT("ui");
  const site = siteTitle ?? t("site.name");
  return (
    <main className="error-page" id="contenu">
      <a className="error-page__logo" href={paths.home()} aria-label={t("header.home", { site })}>
        <Logo wordmark={site} />
      </a>
      {kind === "404" && <LostStar />}
      <h1>{title}</h1>
      {text && <p className="error-page__text">{text}</p>}
      {draft && (
        <div className="error-page__draft" hidden data-kept-draft={draft.prefix}>
          <TextArea id="kept-draft" label={draft.label} dir="auto" readOnly />
        </div>
      )}
      <ButtonLink look="primary" href={paths.home()}>
        {button}
      </ButtonLink>
      {import.meta.env.SSR && <OtherWays />}
    </main>
  );
}

/**
 * The law wants both functions of a contract at hand from every page (L215-1-1, L221-21), and whoever did not find
 * a page needs the list of them. An error page has no framework script, so they are left out of what a browser gets.
 */
function OtherWays() {
  const t = useT("ui");
  const tSiteMap = useT("siteMap");
  return (
    <footer className="error-page__text small">
      <Cluster>
        <a href={serverPaths.siteMap()}>{tSiteMap("title")}</a>
        <a href={paths.cancelContract()}>{t("footer.cancel")}</a>
        <a href={paths.withdrawal()}>{t("footer.withdraw")}</a>
      </Cluster>
    </footer>
  );
}
