import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { Breadcrumb, type BreadcrumbItem } from "./breadcrumb";
import { SiteHeader, type Viewer } from "./site-header";

type PageShellProps = {
  viewer: Viewer | null;
  /** Path of the page without its query. It marks the current link. */
  path: string;
  siteTitle?: string;
  layout?: "default" | "funnel" | undefined;
  breadcrumb?: BreadcrumbItem[];
  /** Above everything: consent banner. */
  banner?: ReactNode;
  footer: ReactNode;
  children: ReactNode;
};

/** Header, main part and footer of every page. It stands directly in `<body>`. */
export function PageShell({ children, breadcrumb, ...props }: PageShellProps) {
  const t = useT("ui");
  const siteTitle = props.siteTitle ?? t("site.name");
  return (
    <>
      <a className="skip-link" href="#contenu">
        {t("skip")}
      </a>
      {props.banner}
      <SiteHeader
        viewer={props.viewer}
        path={props.path}
        siteTitle={siteTitle}
        isFunnel={props.layout === "funnel"}
      />
      <main id="contenu" tabIndex={-1}>
        {breadcrumb && (
          <div className="container breadcrumb-bar">
            <Breadcrumb items={breadcrumb} />
          </div>
        )}
        {children}
      </main>
      {props.footer}
    </>
  );
}
