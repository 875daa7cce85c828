import { useT } from "~/i18n/use-t";

export type BreadcrumbItem = { label: string; href?: string };

/** The last item is the page itself and needs no address. */
export function Breadcrumb({ items }: { items: BreadcrumbItem[] }) {
  const t = useT("ui");
  return (
    <nav className="breadcrumb" aria-label={t("breadcrumb.nav")}>
      <ol className="breadcrumb__list">
        {items.map(({ label, href }, index) => (
          <li key={`${index} ${label}`} className="breadcrumb__item">
            {index === items.length - 1 ? (
              <span aria-current="page">{label}</span>
            ) : href ? (
              <a href={href}>{label}</a>
            ) : (
              <span>{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
