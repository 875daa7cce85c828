import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Logo } from "./art/logo";
import { LostStar } from "./art/lost-star";
import { ButtonLink } from "./button";

type ErrorPageProps = {
  /** Only the 404 page has a picture. */
  kind: "404" | "5xx";
  title: string;
  text?: string;
  /** Text of the button that leads home. */
  button: string;
  siteTitle?: string;
};

/** A whole error page. It stands directly in `<body>`, without the shell. */
export function ErrorPage({ kind, title, text, button, siteTitle }: ErrorPageProps) {
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
      <ButtonLink look="primary" href={paths.home()}>
        {button}
      </ButtonLink>
    </main>
  );
}
