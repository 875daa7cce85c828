import { SHOWN_STATUSES, type ShownStatus } from "~/contract/ticket-status";
import { useT } from "~/i18n/use-t";
import type { SupportKind } from "./kinds";

type StatusFilterProps = {
  kind: SupportKind;
  current: ShownStatus | null;
  href: (query: { status?: string }) => string;
};

/** Links to the list per status. Each is a page of its own. */
export function StatusFilter({ kind, current, href }: StatusFilterProps) {
  const t = useT(kind.namespace);
  const support = useT("support");
  const choices = [null, ...SHOWN_STATUSES];
  return (
    <nav aria-label={support("filter.title")}>
      <ul className="chips">
        {choices.map((status) => (
          <li key={status}>
            <a
              className="chip"
              href={href(status ? { status } : {})}
              aria-current={status === current ? "true" : undefined}
            >
              {t(`filter.${status ?? "all"}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
