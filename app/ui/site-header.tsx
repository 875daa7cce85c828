import { mdiClose, mdiMenu } from "@mdi/js";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Logo } from "./art/logo";
import { Icon } from "./icon";
import { NavLink } from "./nav-link";

export type Viewer = { vip: boolean; coach: boolean };

type SiteHeaderProps = {
  viewer: Viewer | null;
  path: string;
  siteTitle: string;
  /** In a funnel the header offers nothing beside the order. */
  isFunnel: boolean;
};

export function SiteHeader({ viewer, path, siteTitle, isFunnel }: SiteHeaderProps) {
  const t = useT("ui");
  return (
    <header className="site-header">
      <div className="container site-header__bar">
        <a
          className="site-header__brand"
          href={paths.home()}
          aria-current={path === paths.home() ? "page" : undefined}
          aria-label={t("header.home", { site: siteTitle })}
        >
          <Logo wordmark={siteTitle} />
        </a>{" "}
        <details className="menu">
          <summary>
            <Icon path={mdiMenu} className="menu__open" />
            <Icon path={mdiClose} className="menu__close" />
            {t("header.menu")}
          </summary>
        </details>
        <nav className="site-nav" aria-label={t("header.nav")}>
          {!isFunnel && (
            <ul className="site-nav__list">
              <NavLink href={paths.articles()} path={path} under="/article">
                {t("header.articles")}
              </NavLink>
              <NavLink href={paths.text("about")} path={path}>
                {t("header.about")}
              </NavLink>
            </ul>
          )}
          <ul className="site-nav__list">
            {viewer ? (
              <SignedInLinks path={path} {...viewer} />
            ) : (
              <SignedOutLinks path={path} isFunnel={isFunnel} />
            )}
          </ul>
        </nav>
      </div>
    </header>
  );
}

function SignedInLinks({ path, vip, coach }: Viewer & { path: string }) {
  const t = useT("ui");
  return (
    <>
      {coach && (
        <NavLink href={paths.desk()} path={path} under={paths.desk()}>
          {t("header.desk")}
        </NavLink>
      )}
      {vip && (
        <NavLink href={paths.coaching()} path={path} under={paths.coaching()}>
          {t("header.coaching")}
        </NavLink>
      )}
      <NavLink href={paths.account()} path={path} under={paths.account()}>
        {t("header.account")}
      </NavLink>
      <NavLink href={paths.logout()} path={path}>
        {t("header.logout")}
      </NavLink>
    </>
  );
}

function SignedOutLinks({ path, isFunnel }: { path: string; isFunnel: boolean }) {
  const t = useT("ui");
  return (
    <>
      <NavLink href={paths.login()} path={path}>
        {t("header.login")}
      </NavLink>
      {!isFunnel && (
        <li>
          <a
            className="button button--primary button--small button--block"
            href={paths.registration()}
          >
            {t("header.register")}
          </a>
        </li>
      )}
    </>
  );
}
