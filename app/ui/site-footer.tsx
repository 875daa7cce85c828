import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { FOOTER_PAGES, paths, serverPaths } from "~/paths";
import { Logo } from "./art/logo";

type SiteFooterProps = {
  siteTitle: string;
  /** Controls under the links: consent, English view. */
  extra?: ReactNode;
};

export function SiteFooter({ siteTitle, extra }: SiteFooterProps) {
  const t = useT("ui");
  const tSiteMap = useT("siteMap");
  return (
    <footer className="site-footer">
      <div className="container site-footer__inner">
        <div>
          <a
            className="site-footer__brand"
            href={paths.home()}
            aria-label={t("header.home", { site: siteTitle })}
          >
            <Logo wordmark={siteTitle} />
          </a>
          <p className="site-footer__motto">{t("footer.motto")}</p>
        </div>
        <nav aria-label={t("footer.nav")}>
          <ul className="site-footer__links">
            {FOOTER_PAGES.map((page) => (
              <FooterLink key={page} href={paths.text(page)} text={t(`footer.pages.${page}`)} />
            ))}
            <FooterLink href={serverPaths.siteMap()} text={tSiteMap("title")} />
            <FooterLink href={paths.contact()} text={t("footer.contact")} />
            <FooterLink href={paths.cancelContract()} text={t("footer.cancel")} />
            <FooterLink href={paths.withdrawal()} text={t("footer.withdraw")} />
          </ul>
        </nav>
        {extra && <div className="site-footer__extra">{extra}</div>}
      </div>
    </footer>
  );
}

function FooterLink({ href, text }: { href: string; text: string }) {
  return (
    <li>
      <a href={href}>{text}</a>
    </li>
  );
}
