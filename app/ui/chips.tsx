import { mdiClose } from "@mdi/js";
import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { Icon } from "./icon";
import { VisuallyHidden } from "./visually-hidden";

type ChipsProps = {
  /** The active filters. `href` is the list without that filter. */
  items: { label: string; href: string }[];
  /** The list without any filter. */
  clearHref: string;
};

/** The active filters, each a link that removes it. Nothing without an active filter. */
export function Chips({ items, clearHref }: ChipsProps) {
  const t = useT("ui");
  if (items.length === 0) return null;
  return (
    <ul className="chips" aria-label={t("filter.active")}>
      {items.map(({ label, href }) => (
        <li key={href}>
          <a className="chip" href={href}>
            <VisuallyHidden>{t("filter.remove")} </VisuallyHidden>
            {label}
            <Icon path={mdiClose} />
          </a>
        </li>
      ))}
      <li>
        <a className="button button--quiet button--small" href={clearHref}>
          {t("filter.clear")}
        </a>
      </li>
    </ul>
  );
}

type TagProps = { tone?: "success" | "warning" | "error"; children: ReactNode };

/** A short status, e.g. of a thread or a subscription. */
export function Tag({ tone, children }: TagProps) {
  return <span className={tone ? `tag tag--${tone}` : "tag"}>{children}</span>;
}
